"""Draws arrows between cells and rings around a cell, for the moves of the best lines."""

import math
from typing import Final

from plyforge.interfaces.drawing.svg import element, number, points

_MAX_RANK: Final = 3
"""Arrows of higher ranks look like this one."""
_HALF_WIDTHS: Final = (9.0, 7.0, 5.5, 4.5)
"""Half width of a shaft by rank."""
_HEAD: Final = 3.0
"""Length and half width of a head, in half widths of the shaft."""
_RING_RADIUS: Final = 40.0
_RING_WIDTH: Final = 0.8
"""Half width of a ring, in half widths of a shaft."""


def arrow(start: tuple[float, float], end: tuple[float, float], rank: int) -> str:
    """Draw an arrow between two centres, or a ring if they are equal; rank 0 is the best move."""
    style = max(0, min(rank, _MAX_RANK))
    width = _HALF_WIDTHS[style]
    class_ = f"arrow rank-{style}"
    length = math.dist(start, end)
    if length == 0:
        ring = _circle(start, _RING_RADIUS + width * _RING_WIDTH) + _circle(
            start, _RING_RADIUS - width * _RING_WIDTH
        )
        return element("path", d=ring, class_=f"{class_} ring", data_rank=rank)
    along = ((end[0] - start[0]) / length, (end[1] - start[1]) / length)
    neck = max(length - _HEAD * width * 1.4, length / 2)

    def at(forward: float, sideways: float) -> tuple[float, float]:
        return (
            start[0] + along[0] * forward - along[1] * sideways,
            start[1] + along[1] * forward + along[0] * sideways,
        )

    head = _HEAD * width * 0.9
    outline = [
        *(at(0, -width), at(neck, -width), at(neck, -head), at(length, 0)),
        *(at(neck, head), at(neck, width), at(0, width)),
    ]
    return element("polygon", points=points(outline), class_=class_, data_rank=rank)


def _circle(centre: tuple[float, float], radius: float) -> str:
    x, y = number(centre[0] - radius), number(centre[1])
    size = number(radius)
    halves = (f"a{size} {size} 0 1 1 {number(sign * 2 * radius)} 0" for sign in (1, -1))
    return f"M{x} {y}{''.join(halves)}Z"
