"""The shape of a board, as data that one renderer draws: cells with a name and a place.

Places are in units of one cell, x to the right and y downwards, measured to the cell's centre.
A game's `geometry(position)` returns one of these; `pieces(position)` maps cell names to piece
letters, and `move_cells(position, move)` lists the cells that a move touches.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

Kind = Literal["squares", "hexagons", "pits", "tree"]


@dataclass(frozen=True)
class Geometry:
    """A board: where each cell lies, and which labels stand beside rows and columns."""

    kind: Kind
    cells: Mapping[str, tuple[float, float]]
    shaded: frozenset[str] = frozenset()
    row_labels: Mapping[float, str] = field(default_factory=dict)
    column_labels: Mapping[float, str] = field(default_factory=dict)
    links: tuple[tuple[str, str], ...] = ()
    """Pairs of cells that a line joins, such as a tree's nodes."""
    owners: Mapping[str, int] = field(default_factory=dict)
    """Whose a cell is, 0 or 1: a pit, or a tree's node where that side is to move."""
    present: str | None = None
    """The node of a tree that the game has reached."""
    edges: tuple[tuple[int, tuple[str, str]], ...] = ()
    """Sides of the board that belong to a player: whose, and the cells at both ends."""

    def __post_init__(self) -> None:
        if not self.cells:
            raise ValueError("a board needs at least one cell")
        if self.kind not in get_args(Kind):
            raise ValueError(f"kind {self.kind!r}: it must be one of {', '.join(get_args(Kind))}")
        for name, place in self.cells.items():
            if not isinstance(name, str):
                raise ValueError(f"the cell {name!r}: its name must be text")
            if not all(math.isfinite(number) for number in place):
                raise ValueError(f"the cell '{name}' lies at {place}: give two finite numbers")
        named = {*self.owners, *(end for link in self.links for end in link)}
        named |= {end for _, ends in self.edges for end in ends}
        named |= set() if self.present is None else {self.present}
        if named - set(self.cells):
            raise ValueError(f"no cell is called '{min(named - set(self.cells))}'")
        for side in (*self.owners.values(), *(side for side, _ in self.edges)):
            if side not in (0, 1):
                raise ValueError(f"the owner {side!r} is no side; give 0 or 1")

    def rotate(self) -> "Geometry":
        """The board as the player on its other side sees it."""
        xs, ys = zip(*self.cells.values(), strict=True)
        across, down = min(xs) + max(xs), min(ys) + max(ys)
        return replace(
            self,
            cells={name: (across - x, down - y) for name, (x, y) in self.cells.items()},
            row_labels={down - y: label for y, label in self.row_labels.items()},
            column_labels={across - x: label for x, label in self.column_labels.items()},
        )


def algebraic(column: int, row: int, rows: int) -> str:
    """The chess name of a square, counted from the top left: file letter, then rank from below."""
    return f"{chr(ord('a') + column)}{rows - row}"


def squares(
    columns: int,
    rows: int,
    name: Callable[[int, int], str | None] | None = None,
    shaded: Callable[[int, int], bool] | None = None,
    row_label: Callable[[int], str] | None = None,
    column_label: Callable[[int], str] | None = None,
) -> Geometry:
    """A rectangle of squares.  Each callable gets column and row counted from the top left.

    By default squares are named as in chess.  `name` may return None for a square that is not
    played on.
    """
    naming = name or (lambda column, row: algebraic(column, row, rows))
    cells: dict[str, tuple[float, float]] = {}
    dark = set()
    for row in range(rows):
        for column in range(columns):
            cell = naming(column, row)
            if cell is None:
                continue
            cells[cell] = (column, row)
            if shaded is not None and shaded(column, row):
                dark.add(cell)
    row_text = row_label or (lambda row: str(rows - row))
    column_text = column_label or (lambda column: chr(ord("a") + column))
    return Geometry(
        "squares",
        cells,
        frozenset(dark),
        {row: row_text(row) for row in range(rows)},
        {column: column_text(column) for column in range(columns)},
    )


def hexagons(
    cells: Mapping[str, tuple[int, int]],
    edges: Sequence[tuple[int, tuple[str, str]]] = (),
) -> Geometry:
    """A board of hexagons from axial places: cell (q, r) lies half a cell further left per row.

    `cells` maps names to (q, r), where the neighbours of (q, r) are (q±1, r), (q, r±1),
    (q+1, r+1) and (q-1, r-1).  `edges` are sides of the board that belong to a player, as
    `(0, ("a1", "k1"))`: the first player's, from one corner to the next.
    """
    places = {name: (q - r / 2, float(r)) for name, (q, r) in cells.items()}
    return Geometry("hexagons", places, edges=tuple(edges))


def pits(count: int) -> Geometry:
    """A mancala board: `count` pits a side and two stores.

    The first player's pits are `a1`.. from left to right in the lower row, the second player's
    `b1`.. from right to left in the upper one; the stores are `A` (right) and `B` (left).
    """
    cells: dict[str, tuple[float, float]] = {"B": (0.0, 0.5), "A": (count + 1.0, 0.5)}
    for pit in range(count):
        cells[f"a{pit + 1}"] = (pit + 1.0, 1.0)
        cells[f"b{pit + 1}"] = (float(count - pit), 0.0)
    owners = {name: "ab".index(name[0].lower()) for name in cells}
    return Geometry("pits", cells, owners=owners)
