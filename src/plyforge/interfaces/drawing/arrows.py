"""Arrows from cell to cell, and rings around one: the moves of the best lines."""

import math
from typing import Final

from plyforge.interfaces.drawing.svg import element, number, points

WEAKEST: Final = 3
"""Ranks from here on look alike."""
_HALF_WIDTHS: Final = (9.0, 7.0, 5.5, 4.5)
"""Half of a shaft's width by rank."""
_HEAD: Final = 3.0
"""A head's length and half of its width, in half widths of the shaft."""
_RING: Final = 40.0
_RING_WIDTH: Final = 0.8
"""Half of a ring's width, in half widths of a shaft."""


def arrow(start: tuple[float, float], end: tuple[float, float], rank: int) -> str:
    """An arrow between two centres, or a ring where they are the same; rank 0 is the strongest."""
    shown = max(0, min(rank, WEAKEST))
    width = _HALF_WIDTHS[shown]
    class_ = f"arrow rank-{shown}"
    length = math.dist(start, end)
    if length == 0:
        ring = _circle(start, _RING + width * _RING_WIDTH) + _circle(
            start, _RING - width * _RING_WIDTH
        )
        return element("path", d=ring, class_=f"{class_} ring", data_rank=rank)
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    neck = max(length - _HEAD * width * 1.4, length / 2)

    def at(forward: float, aside: float) -> tuple[float, float]:
        return (
            start[0] + along[0] * forward - along[1] * aside,
            start[1] + along[1] * forward + along[0] * aside,
        )

    head = _HEAD * width * 0.9
    outline = [
        *(at(0, -width), at(neck, -width), at(neck, -head), at(length, 0)),
        *(at(neck, head), at(neck, width), at(0, width)),
    ]
    return element("polygon", points=points(outline), class_=class_, data_rank=rank)


def _circle(middle: tuple[float, float], radius: float) -> str:
    x, y = number(middle[0] - radius), number(middle[1])
    size = number(radius)
    halves = (f"a{size} {size} 0 1 1 {number(way * 2 * radius)} 0" for way in (1, -1))
    return f"M{x} {y}{''.join(halves)}Z"
