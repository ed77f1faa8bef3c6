"""Groups of neighbouring cells: straight lines in every direction, and blocks."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

Place = tuple[float, float]

MAX_CONTENTS: Final = 1000
"""The most combinations of contents that a shape may have: more are seldom seen twice."""
_NEAR: Final = 1.5
"""Cells are neighbours if their distance is at most this many times the smallest one."""
_NEAR_SIDES: Final = 1.2
"""The sides of a block differ by this factor at most: hexagons may be drawn with unequal steps."""
_ROUNDING: Final = 3


@dataclass(frozen=True)
class Shape:
    """Groups of cells of one form."""

    name: str
    groups: tuple[tuple[int, ...], ...]
    """The numbers of the cells of each group, all of the same length."""
    located: bool
    """Whether each group has weights of its own, not all of the shape together."""

    @property
    def length(self) -> int:
        """The number of cells of a group."""
        return len(self.groups[0])


def find_shapes(places: Sequence[Place], base: int) -> list[Shape]:
    """Return the shapes of a board whose cells are at these places; `base` contents each."""
    if len(places) < 2:
        return []
    numbers = {_key(place): number for number, place in enumerate(places)}
    steps = _steps(places)
    length = max_length(base)
    found = []
    for number, step in enumerate(steps):
        pairs = _lines(places, numbers, step, 2)
        if pairs:
            found.append(Shape(f"pairs {number + 1}", pairs, located=True))
        for cells in range(length, 2, -1):
            lines = _lines(places, numbers, step, cells)
            if lines:
                found.append(Shape(f"lines {number + 1}", lines, located=False))
                break
    for name, groups in _blocks(places, numbers, steps, length):
        found.append(Shape(name, groups, located=False))
    return found


def max_length(base: int) -> int:
    """Return the length of the longest lines whose contents are few enough."""
    return max(2, int(math.log(MAX_CONTENTS) / math.log(max(2, base)) + 1e-9))


def _key(place: Place) -> Place:
    # Adding 0 makes -0 positive.
    return round(place[0], _ROUNDING) + 0.0, round(place[1], _ROUNDING) + 0.0


def _steps(places: Sequence[Place]) -> list[Place]:
    """Return the steps from cells to neighbours, one of each two opposite ones."""
    distances = [math.dist(a, b) for i, a in enumerate(places) for b in places[:i]]
    limit = _NEAR * min(distances) + 1e-9
    found = set()
    for one in places:
        for other in places:
            if one != other and math.dist(one, other) <= limit:
                step = _key((other[0] - one[0], other[1] - one[1]))
                if step > (0.0, 0.0):
                    found.add(step)
    return sorted(found)


def _lines(
    places: Sequence[Place], numbers: dict[Place, int], step: Place, length: int
) -> tuple[tuple[int, ...], ...]:
    found = []
    for x, y in places:
        cells = [numbers.get(_key((x + n * step[0], y + n * step[1]))) for n in range(length)]
        if None not in cells:
            found.append(tuple(cell for cell in cells if cell is not None))
    return tuple(found)


def _blocks(
    places: Sequence[Place], numbers: dict[Place, int], steps: Sequence[Place], length: int
) -> list[tuple[str, tuple[tuple[int, ...], ...]]]:
    """Return the groups of a cell and its neighbours by two steps, and the cell beyond both."""
    blocks: dict[frozenset[int], tuple[int, ...]] = {}
    spacing = min(math.hypot(*step) for step in steps)
    for x, y in places:
        for i, one in enumerate(steps):
            for other in steps[:i]:
                both = (one[0] + other[0], one[1] + other[1])
                cells = [
                    numbers.get(_key((x + dx, y + dy))) for dx, dy in ((0.0, 0.0), one, other, both)
                ]
                if None in cells:
                    continue
                group = tuple(cell for cell in cells if cell is not None)
                # A block of squares is found once for each two steps that lead to it.
                if _is_compact([places[cell] for cell in group], spacing):
                    blocks.setdefault(frozenset(group), group)
    return [("blocks", tuple(blocks.values()))] if blocks and length >= 4 else []


def _is_compact(places: Sequence[Place], spacing: float) -> bool:
    """Whether all four sides of a block are steps to next neighbours."""
    distances = sorted(math.dist(a, b) for i, a in enumerate(places) for b in places[:i])
    return distances[3] <= spacing * _NEAR_SIDES
