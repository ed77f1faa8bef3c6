"""The places of a board's cells in a picture, and the shape of each kind of cell."""

import math
from collections import deque
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from plyforge.core.geometry import Geometry
from plyforge.interfaces.drawing.svg import element, points, text

CELL: Final = 100
"""Width of a cell, in units of the picture."""
_HEXAGON_ROW: Final = CELL * math.sqrt(3) / 2
_HEXAGON_RADIUS: Final = CELL / math.sqrt(3)
_PIT_STEP: Final = (112.0, 124.0)
_PIT_RADIUS: Final = 50.0
_STORE: Final = (96.0, 216.0)
"""Width and height of a store."""
_TREE_STEP: Final = (84.0, 128.0)
_NODE: Final = 62.0
"""Width of a node in a tree."""
_POINT_RADIUS: Final = 36.0
"""Radius of the area of a point that can be clicked."""
_DOT_RADIUS: Final = 9.0
_LINE_REACH: Final = 0.4
"""How far the area of a line reaches to each side, as a share of its length."""
_AREA: Final = 64.0
"""Width of a square between lines."""
_FRAME: Final = 10.0
_LABELS: Final = 44.0
"""Space for labels beside a board."""
_MAX_NAMED_CELLS: Final = 130
"""Maximum cells of a hexagonal board whose cells show their names; larger ones label the rows."""

_MAX_RECENT: Final = 16
"""Layouts that are kept: the boards of a game in progress have the same one."""
_MAX_PARTS: Final = 8192
"""Parts of pictures that are kept for each layout."""

Place = tuple[float, float]
Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Layout:
    """A geometry with its cells placed in the picture."""

    geometry: Geometry
    places: dict[str, Place]
    _drawn: dict[Hashable, str] = field(default_factory=dict, compare=False)

    @classmethod
    def of(cls, geometry: Geometry, rotated: bool = False) -> "Layout":
        """Return the layout of a board: a recent one if the boards are equal."""
        wanted = geometry, rotated
        known = next((layout for board, layout in list(_RECENT) if board == wanted), None)
        if known is None:
            known = cls._make(geometry.rotate() if rotated else geometry)
            _RECENT.append((wanted, known))
        return known

    def once(self, key: Hashable, draw: Callable[[], str]) -> str:
        """Return a part of a picture; draw it if it is not among the parts that are remembered.

        Two boards of a game differ in few cells, so most of a picture was drawn before.
        """
        drawn = self._drawn.get(key)
        if drawn is None:
            drawn = draw()
            if len(self._drawn) >= _MAX_PARTS:
                self._drawn.clear()
            self._drawn[key] = drawn
        return drawn

    @classmethod
    def _make(cls, geometry: Geometry) -> "Layout":
        across, down = {
            "squares": (CELL, CELL),
            "hexagons": (CELL, _HEXAGON_ROW),
            "pits": _PIT_STEP,
            "tree": _TREE_STEP,
            "points": (CELL, CELL),
        }[geometry.kind]
        return cls(geometry, {n: (x * across, y * down) for n, (x, y) in geometry.cells.items()})

    @cached_property
    def bounds(self) -> Box:
        """Left, top, right and bottom of the cells, without labels."""
        width, height = {
            "squares": (CELL, CELL),
            "hexagons": (CELL, 2 * _HEXAGON_RADIUS),
            "pits": (_STORE[0], 2 * _PIT_RADIUS),
            "tree": (_NODE, _NODE),
            "points": (CELL, CELL),
        }[self.geometry.kind]
        dots = [(x * CELL, y * CELL) for x, y in self.geometry.dots]
        xs, ys = zip(*self.places.values(), *dots, strict=True)
        left, right = min(xs) - width / 2, max(xs) + width / 2
        return left, min(ys) - height / 2, right, max(ys) + height / 2

    @cached_property
    def box(self) -> Box:
        """Left, top, width and height of the picture."""
        left, top, right, bottom = self.bounds
        before = after = above = below = _FRAME
        if self.geometry.kind in ("squares", "points") and not self.names_in_cells:
            before += _LABELS if any(self.geometry.row_labels.values()) else 0
            below += _LABELS if any(self.geometry.column_labels.values()) else 0
            above += _LABELS if any(self.geometry.top_labels.values()) else 0
        if self.geometry.kind == "hexagons":
            if self.geometry.edges:
                above = below = _LABELS / 2
                before = after = 1.4 * _LABELS
            if not self.names_in_cells:
                before, after = before + 2 * _LABELS, after + 2 * _LABELS
        if self.geometry.kind == "pits":
            above = below = 3 * _FRAME + _LABELS
            before = after = 3 * _FRAME
        return (
            left - before,
            top - above,
            right - left + before + after,
            bottom - top + above + below,
        )

    @cached_property
    def names_in_cells(self) -> bool:
        """Whether cells show their names, because there are no labels beside the board."""
        if self.geometry.kind == "squares":
            return not any(self.geometry.column_labels.values())
        return self.geometry.kind == "hexagons" and len(self.places) <= _MAX_NAMED_CELLS

    def shape(self, cell: str) -> str:
        """Draw the outline of a cell, and its name if `names_in_cells`."""
        x, y = self.places[cell]
        draw = {
            "squares": self._square,
            "hexagons": self._hexagon,
            "pits": self._pit,
            "tree": self._node,
            "points": self._point,
        }[self.geometry.kind]
        return draw(cell, x, y)

    def _square(self, cell: str, x: float, y: float) -> str:
        half = CELL / 2
        outline = element("rect", x=x - half, y=y - half, width=CELL, height=CELL)
        return outline + (
            text(cell, x - half + 3, y - half + 3, "name corner") if self.names_in_cells else ""
        )

    def _hexagon(self, cell: str, x: float, y: float) -> str:
        corners = [math.radians(60 * n - 90) for n in range(6)]
        outline = points(
            [
                (x + _HEXAGON_RADIUS * math.cos(a), y + _HEXAGON_RADIUS * math.sin(a))
                for a in corners
            ]
        )
        return element("polygon", points=outline) + (
            text(cell, x, y, "name") if self.names_in_cells else ""
        )

    def _pit(self, cell: str, x: float, y: float) -> str:
        if self.is_store(cell):
            width, height = _STORE
            return element(
                "rect", x=x - width / 2, y=y - height / 2, width=width, height=height, rx=width / 2
            )
        return element("circle", cx=x, cy=y, r=_PIT_RADIUS)

    def is_store(self, cell: str) -> bool:
        """Return whether a cell is a store, which lies between the two rows of pits."""
        return self.geometry.cells[cell][1] % 1 != 0

    def _node(self, cell: str, x: float, y: float) -> str:
        half = _NODE / 2
        owner = self.geometry.owners.get(cell)
        if owner == 1:
            return element("circle", cx=x, cy=y, r=half)
        radius = 6 if owner == 0 else half / 2
        return element("rect", x=x - half, y=y - half, width=_NODE, height=_NODE, rx=radius)

    def _point(self, cell: str, x: float, y: float) -> str:
        """Draw a point, a line or a square of a board of points, with an area for clicks."""
        if cell in self.geometry.spans:
            (x1, y1), (x2, y2) = self.ends(cell)
            across, down = (y1 - y2) * _LINE_REACH, (x2 - x1) * _LINE_REACH
            area = points([(x1, y1), (x + across, y + down), (x2, y2), (x - across, y - down)])
            line = element("line", x1=x1, y1=y1, x2=x2, y2=y2)
            return element("polygon", points=area) + line
        if cell in self.geometry.areas:
            half = _AREA / 2
            return element("rect", x=x - half, y=y - half, width=_AREA, height=_AREA, rx=8)
        dot = element("ellipse", cx=x, cy=y, rx=_DOT_RADIUS, ry=_DOT_RADIUS)
        return element("circle", cx=x, cy=y, r=_POINT_RADIUS) + dot

    def ends(self, cell: str) -> tuple[Place, Place]:
        """Return the ends of a cell that is a line."""
        (x1, y1), (x2, y2) = self.geometry.spans[cell]
        return (x1 * CELL, y1 * CELL), (x2 * CELL, y2 * CELL)

    def dots(self) -> Iterator[str]:
        """Draw the points that are not cells."""
        for x, y in self.geometry.dots:
            yield element("circle", cx=x * CELL, cy=y * CELL, r=_DOT_RADIUS)

    def labels(self) -> Iterator[str]:
        """Draw the labels beside the board."""
        left, top, _, bottom = self.bounds
        kind = self.geometry.kind
        if kind in ("squares", "points") and not self.names_in_cells:
            for row, label in self.geometry.row_labels.items():
                yield text(label, left - _LABELS / 2, row * CELL, "label")
            for column, label in self.geometry.column_labels.items():
                yield text(label, column * CELL, bottom + _LABELS / 2, "label")
            for column, label in self.geometry.top_labels.items():
                yield text(label, column * CELL, top - _LABELS / 2, "label")
        if kind == "hexagons" and not self.names_in_cells:
            yield from self._row_ends()
        if kind == "pits":
            middle = (top + bottom) / 2
            for cell, (x, y) in self.places.items():
                if not self.is_store(cell):
                    distance = _LABELS / 2 + _PIT_RADIUS + 2 * _FRAME
                    yield text(cell, x, y + distance if y > middle else y - distance, "label")

    def _row_ends(self) -> Iterator[str]:
        """Draw the names of the first and last cell of each row."""
        rows: dict[float, list[tuple[float, str]]] = {}
        for cell, (x, y) in self.places.items():
            rows.setdefault(y, []).append((x, cell))
        for y, row in rows.items():
            (first, name), (last, last_name) = min(row), max(row)
            yield text(name, first - CELL / 2 - _LABELS, y, "label")
            yield text(last_name, last + CELL / 2 + _LABELS, y, "label")


_RECENT: Final[deque[tuple[tuple[Geometry, bool], Layout]]] = deque(maxlen=_MAX_RECENT)
"""The layouts that were made last, by geometry and rotation."""
