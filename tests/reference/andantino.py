"""Andantino, slow and obvious: the twin that the game's fast rules are compared with.

Stones are a dict from (column, row) to "W" or "B".  After every move everything is computed anew.
"""

from functools import cache

Cell = tuple[int, int]
Stones = dict[Cell, str]

STEPS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)]
AXES = [(1, 0), (0, 1), (1, 1)]


@cache
def cells_of(side: int) -> frozenset[Cell]:
    """The hexagon with `side` cells on an edge around column 10, row 10 (for 10: |c - r| <= 9)."""
    span = range(11 - side, 10 + side)
    return frozenset((c, r) for c in span for r in span if abs(c - r) <= side - 1)


def around(cell: Cell) -> list[Cell]:
    return [(cell[0] + dc, cell[1] + dr) for dc, dr in STEPS]


def cell_name(cell: Cell) -> str:
    return "abcdefghijklmnopqrs"[cell[0] - 1] + str(cell[1])


def parse_cell(name: str) -> Cell:
    return "abcdefghijklmnopqrs".index(name[0]) + 1, int(name[1:])


def other(colour: str) -> str:
    return "B" if colour == "W" else "W"


def has_line(stones: Stones, colour: str) -> bool:
    """Whether five stones of a colour stand in a row, anywhere."""
    return any(
        all(stones.get((c + k * dc, r + k * dr)) == colour for k in range(5))
        for c, r in stones
        for dc, dr in AXES
    )


@cache
def edge_of(board: frozenset[Cell]) -> list[Cell]:
    return [cell for cell in board if any(step not in board for step in around(cell))]


def open_cells(stones: Stones, encloser: str, board: frozenset[Cell]) -> set[Cell]:
    """All cells that some edge cell reaches without stepping on the encloser's stones."""
    reached = {cell for cell in edge_of(board) if stones.get(cell) != encloser}
    waiting = list(reached)
    while waiting:
        for cell in around(waiting.pop()):
            if cell in board and cell not in reached and stones.get(cell) != encloser:
                reached.add(cell)
                waiting.append(cell)
    return reached


def has_captive(stones: Stones, encloser: str, board: frozenset[Cell]) -> bool:
    """Whether a stone of the other colour is cut off from the edge."""
    prey = {cell for cell, colour in stones.items() if colour != encloser}
    return bool(prey - open_cells(stones, encloser, board))


class Game:
    """A game in progress; `winner` is "W", "B" or None."""

    def __init__(self, side: int = 10) -> None:
        self.board = cells_of(side)
        self.stones: Stones = {(10, 10): "B"}
        self.mover = "W"
        self.winner: str | None = None

    def moves(self) -> set[str]:
        needed = 1 if len(self.stones) == 1 else 2
        return {
            cell_name(cell)
            for cell in self.board - set(self.stones)
            if sum(near in self.stones for near in around(cell)) >= needed
        }

    def play(self, name: str) -> None:
        assert name in self.moves()
        mover, enemy = self.mover, other(self.mover)
        self.stones[parse_cell(name)] = mover
        if has_line(self.stones, mover) or has_captive(self.stones, mover, self.board):
            self.winner = mover
        elif has_captive(self.stones, enemy, self.board):
            self.winner = enemy
        self.mover = enemy
