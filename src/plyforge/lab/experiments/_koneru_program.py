"""A reconstruction of the search behind Koneru's report on Andantino.

The program that its author published (github.com/arjunkoneru/Alpha-Beta-for-Andantino) shows what
the report leaves open: the terms of the evaluation, and the use of table entries. It is not the
program that made the report's figures: it sorts only children that are found in its table, and one
of its two sorts is commented out. Here all children are sorted, in the directions of both sorts.
"""

from collections.abc import Iterator

from plyforge.game.game import Game
from plyforge.games.andantino.board import (
    CIRCLE_COLUMNS,
    CIRCLE_ROWS,
    ROWS,
    Cell,
    neighbours,
    on_board,
)
from plyforge.games.andantino.rules import Position, turn
from plyforge.search.textbook import Node, View
from plyforge.search.values import INFINITY

DIRECTIONS = tuple(zip(CIRCLE_ROWS.tolist(), CIRCLE_COLUMNS.tolist(), strict=True))
CELLS_TO_FIVE = {2: 3, 3: 2, 4: 1}
"""How many cells beyond a row of stones must be empty for the row to count."""
WEIGHTS = {2: 1, 3: 2, 4: 4}
ABOUT_TO_WIN = 10_000
"""For a row of four of the side that has just moved, if the fifth cell is legal."""
FOUR_AND_THREE = 1_000
"""For an open four and an open three whose last stones touch."""
WALLS_TO_A_POINT = 6
WHITE_BEST_BLACK_WORST = (1, -1)
"""The signs of the program's two sorts: descending for MAX, ascending for MIN."""

Owners = dict[Cell, int]
"""The player whose stone is on a cell."""


def evaluate(position: Position) -> float:
    """Evaluate for the side to move, with its own walls around enemy stones only."""
    return evaluate_for(position, turn(position))


def evaluate_for(position: Position, side: int) -> float:
    """Return the rows of a side minus those of the other, plus its walls."""
    owners = _owners(position)
    rows = [_rows(position, owners, player) for player in (side, 1 - side)]
    return float(rows[0] - rows[1] + _walls(position, owners, side) // WALLS_TO_A_POINT)


def _owners(position: Position) -> Owners:
    owners = {}
    for number, columns in enumerate(position.stones.tolist()):
        player, row = divmod(number, ROWS)
        while columns:
            owners[row, columns.bit_length() - 1] = player
            columns ^= 1 << columns.bit_length() - 1
    return owners


def _rows(position: Position, owners: Owners, side: int) -> int:
    """Score rows of two, three and four in six directions; a row of four is three rows."""
    total, ends = 0, {length: list[Cell]() for length in WEIGHTS}
    for cell in (cell for cell, owner in owners.items() if owner == side):
        for down, right in DIRECTIONS:
            row, column = cell
            for length, weight in WEIGHTS.items():
                row, column = row + down, column + right
                if owners.get((row, column)) != side:
                    break
                beyond = [
                    (row + step * down, column + step * right)
                    for step in range(1, CELLS_TO_FIVE[length] + 1)
                ]
                if all(_empty(position, owners, one) for one in beyond):
                    total += weight
                    ends[length].append((row, column))
                    legal = sum(one in owners for one in neighbours(beyond[0])) > 1
                    if length == max(WEIGHTS) and side != turn(position) and legal:
                        total += ABOUT_TO_WIN
    touching = sum(three in neighbours(four) for four in ends[4] for three in ends[3])
    return total + FOUR_AND_THREE * touching


def _empty(position: Position, owners: Owners, cell: Cell) -> bool:
    return cell not in owners and on_board(*cell, position.side)


def _walls(position: Position, owners: Owners, side: int) -> int:
    """Count, over all enemy stones, the directions that contain a stone of the side."""
    walls = 0
    for row, column in (cell for cell, owner in owners.items() if owner != side):
        for down, right in DIRECTIONS:
            cell = row + down, column + right
            while on_board(*cell, position.side) and owners.get(cell) != side:
                cell = cell[0] + down, cell[1] + right
            walls += owners.get(cell) == side
    return walls


class CountingView(View):
    """A view that counts visited nodes."""

    visited = 0

    def leaf(self, node: Node, depth: int) -> float | None:
        self.visited += 1
        return super().leaf(node, depth)


class OrderedView(CountingView):
    """A view that sorts children by the program's evaluation for the side that moves.

    The best child comes first for a side with sign 1, and the worst with sign -1. Equal ones are
    in the program's order: row by row, from the right.
    """

    def __init__(self, game: Game, signs: tuple[int, int]) -> None:
        super().__init__(game, evaluate)
        self._signs = signs

    def children(self, node: Node, first: int | None = None) -> Iterator[Node]:
        sign = -self._signs[node.side]
        children = sorted(super().children(node), key=lambda child: _place(child.move or 0))
        yield from sorted(
            children, key=lambda child: sign * evaluate_for(child.position, node.side)
        )


def _place(move: int) -> tuple[int, int]:
    return move >> 5, -(move & 31)


EXACT, UPPER, LOWER = "exact", "upper bound", "lower bound"


class TableSearch:
    """Alpha-beta from White's perspective with the program's table, which is unsound.

    A bound is stored as upper if no move reached the node's first alpha, and as lower if the value
    is at least the final beta. When an entry is used, each kind is taken for the other.
    """

    def __init__(self, view: OrderedView) -> None:
        self._view = view
        self._entries: dict[int, tuple[float, str]] = {}
        self.hits = 0

    def value(
        self, node: Node, depth: int, alpha: float = -INFINITY, beta: float = INFINITY
    ) -> float:
        first, key = alpha, int(node.position.hash)
        if key in self._entries:
            self.hits += 1
            value, kind = self._entries[key]
            alpha = max(alpha, value) if kind == UPPER else alpha
            beta = min(beta, value) if kind == LOWER else beta
            if kind == EXACT or alpha >= beta:
                return value
        leaf = self._view.leaf(node, depth)
        if leaf is not None:
            return -leaf if node.side else leaf
        value = INFINITY if node.side else -INFINITY
        for child in self._view.children(node):
            below = self.value(child, depth - 1, alpha, beta)
            if node.side:
                value = min(value, below)
                beta = min(beta, value)
            else:
                value = max(value, below)
                alpha = max(alpha, value)
            if alpha >= beta:
                break
        kind = UPPER if value <= first else LOWER if value >= beta else EXACT
        self._entries[key] = (value, kind)
        return value
