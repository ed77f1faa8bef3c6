"""Board shapes: cells with a name and a place, for the renderers.

A place is the centre of a cell, in units of one cell, x to the right and y downwards.  A game's
`geometry(position)` returns a `Geometry`; `pieces(position)` maps cell names to piece letters, and
`move_cells(position, move)` lists the cells that a move touches.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal, get_args

Kind = Literal["squares", "hexagons", "pits", "tree", "points"]
Place = tuple[float, float]


@dataclass(frozen=True)
class Geometry:
    """A board: the places of its cells, and the labels beside rows and columns."""

    kind: Kind
    cells: Mapping[str, tuple[float, float]]
    shaded: frozenset[str] = frozenset()
    row_labels: Mapping[float, str] = field(default_factory=dict)
    column_labels: Mapping[float, str] = field(default_factory=dict)
    top_labels: Mapping[float, str] = field(default_factory=dict)
    """Labels above columns, if they differ from those below."""
    links: tuple[tuple[str, str], ...] = ()
    """Pairs of cells joined by a line, such as the nodes of a tree."""
    owners: Mapping[str, int] = field(default_factory=dict)
    """The owners of cells, 0 or 1: of pits, or the side to move at a node of a tree."""
    present: str | None = None
    """The current node of a tree."""
    edges: tuple[tuple[int, tuple[str, str]], ...] = ()
    """Edges of the board that belong to a player: the player, and the cells at both ends."""
    spans: Mapping[str, tuple[Place, Place]] = field(default_factory=dict)
    """Cells of a board of points that are lines: their ends."""
    areas: frozenset[str] = frozenset()
    """Cells of a board of points that are squares between lines."""
    dots: tuple[Place, ...] = ()
    """Points of a board of points that are not cells."""

    def __post_init__(self) -> None:
        if not self.cells:
            raise ValueError("a board needs at least one cell")
        if self.kind not in get_args(Kind):
            raise ValueError(f"kind must be one of {', '.join(get_args(Kind))}, not {self.kind!r}")
        for name, place in self.cells.items():
            if not isinstance(name, str):
                raise ValueError(f"the name of a cell must be a string, not {name!r}")
            if not all(map(math.isfinite, place)):
                raise ValueError(
                    f"the place of cell '{name}' must be two finite numbers, not {place}"
                )
        named = {
            *self.owners,
            *self.spans,
            *self.areas,
            *(end for link in self.links for end in link),
        }
        named |= {end for _, ends in self.edges for end in ends}
        named |= set() if self.present is None else {self.present}
        if named - set(self.cells):
            raise ValueError(f"no cell is called '{min(named - set(self.cells))}'")
        for side in (*self.owners.values(), *(side for side, _ in self.edges)):
            if side not in (0, 1):
                raise ValueError(f"an owner must be 0 or 1, not {side!r}")

    def rotate(self) -> "Geometry":
        """Return the board rotated by 180 degrees, as the player on the other side sees it."""
        xs, ys = zip(*self.cells.values(), strict=True)
        across, down = min(xs) + max(xs), min(ys) + max(ys)
        above, below = self.top_labels, self.column_labels
        if above:  # those of the far side come to the near one
            above, below = below, above
        return replace(
            self,
            cells={name: (across - x, down - y) for name, (x, y) in self.cells.items()},
            row_labels={down - y: label for y, label in self.row_labels.items()},
            column_labels={across - x: label for x, label in below.items()},
            top_labels={across - x: label for x, label in above.items()},
            spans={
                name: ((across - x1, down - y1), (across - x2, down - y2))
                for name, ((x1, y1), (x2, y2)) in self.spans.items()
            },
            dots=tuple((across - x, down - y) for x, y in self.dots),
        )


def algebraic(column: int, row: int, rows: int) -> str:
    """Return the chess name of a square, given column and row from the top left."""
    return f"{chr(ord('a') + column)}{rows - row}"


def squares(
    columns: int,
    rows: int,
    name: Callable[[int, int], str | None] | None = None,
    shaded: Callable[[int, int], bool] | None = None,
    row_label: Callable[[int], str] | None = None,
    column_label: Callable[[int], str] | None = None,
) -> Geometry:
    """Return a rectangle of squares.  Each callable gets column and row from the top left.

    By default squares are named as in chess.  `name` may return None for an unused square.
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
    """Return a board of hexagons from axial coordinates; each row is half a cell further left.

    `cells` maps names to (q, r), where the neighbours of (q, r) are (q±1, r), (q, r±1),
    (q+1, r+1) and (q-1, r-1).  `edges` are edges of the board that belong to a player, such
    as `(0, ("a1", "k1"))` for the first player's, from corner to corner.
    """
    places = {name: (q - r / 2, float(r)) for name, (q, r) in cells.items()}
    return Geometry("hexagons", places, edges=tuple(edges))


def pits(count: int) -> Geometry:
    """Return a mancala board: `count` pits per side and two stores.

    The first player's pits are `a1`.. from left to right in the lower row, the second player's
    `b1`.. from right to left in the upper one; the stores are `A` (right) and `B` (left).
    """
    cells: dict[str, tuple[float, float]] = {"B": (0.0, 0.5), "A": (count + 1.0, 0.5)}
    for pit in range(count):
        cells[f"a{pit + 1}"] = (pit + 1.0, 1.0)
        cells[f"b{pit + 1}"] = (float(count - pit), 0.0)
    owners = {name: "ab".index(name[0].lower()) for name in cells}
    return Geometry("pits", cells, owners=owners)


def points(places: Mapping[str, Place], lines: Sequence[tuple[str, str]] = ()) -> Geometry:
    """Return a board of points joined by lines, as in Nine Men's Morris; pieces lie on points.

    `places` maps names to (x, y), in units of one step, y downwards; `lines` are pairs of names.
    """
    return Geometry("points", dict(places), links=tuple(lines))


def edges(
    dots: Mapping[str, Place],
    lines: Mapping[str, tuple[str, str]],
    areas: Mapping[str, Place] | None = None,
) -> Geometry:
    """Return a board whose cells are lines between dots; a piece on a line draws it.

    `dots` maps names to (x, y), and `lines` maps the name of each cell to the dots at its ends.
    `areas` are more cells, squares around (x, y), such as the boxes of Dots and Boxes.
    """
    missing = {end for ends in lines.values() for end in ends} - set(dots)
    if missing:
        raise ValueError(f"no dot is called '{min(missing)}'")
    spans = {name: (dots[start], dots[end]) for name, (start, end) in lines.items()}
    middles = {name: ((a + c) / 2, (b + d) / 2) for name, ((a, b), (c, d)) in spans.items()}
    squares_between = dict(areas or {})
    return Geometry(
        "points",
        {**squares_between, **middles},
        spans=spans,
        areas=frozenset(squares_between),
        dots=tuple(dots.values()),
    )


def boxes(columns: int, rows: int) -> Geometry:
    """Return the board of Dots and Boxes, with so many boxes.

    Dots are named as squares in chess, from `a1` at the bottom left.  A line is named by its ends,
    as `a1-b1` and `a1-a2`, and a box by the dot at its bottom left.
    """
    dots: dict[str, Place] = {
        algebraic(column, row, rows + 1): (column, row)
        for row in range(rows + 1)
        for column in range(columns + 1)
    }
    lines = {}
    areas: dict[str, Place] = {}
    for column in range(columns + 1):
        for row in range(rows + 1):
            dot = algebraic(column, row, rows + 1)
            if column < columns:
                right = algebraic(column + 1, row, rows + 1)
                lines[f"{dot}-{right}"] = dot, right
            if row > 0:
                above = algebraic(column, row - 1, rows + 1)
                lines[f"{dot}-{above}"] = dot, above
            if column < columns and row > 0:
                areas[dot] = column + 0.5, row - 0.5
    return replace(
        edges(dots, lines, areas),
        row_labels={row: str(rows + 1 - row) for row in range(rows + 1)},
        column_labels={column: chr(ord("a") + column) for column in range(columns + 1)},
    )
