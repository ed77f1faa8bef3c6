"""The sides of a board that belong to a player, as coloured bands behind the cells at its rim."""

import math
from collections.abc import Iterator
from typing import Final

from plyforge.interfaces.drawing.layout import CELL, Layout, Place
from plyforge.interfaces.drawing.svg import element, points

_REACH: Final = 0.78 * CELL
"""How far a band reaches beyond the centres of the cells."""


def edges(layout: Layout, colours: tuple[str, str]) -> Iterator[str]:
    """One band a side; two bands that meet in a corner are mitred there."""
    stretches = [(side, ends) for side, ends in layout.geometry.edges if ends[0] != ends[1]]
    normals = [_outwards(layout, *ends) for _, ends in stretches]
    for (side, ends), normal in zip(stretches, normals, strict=True):
        inner = [layout.places[end] for end in ends]
        outer = []
        for end, place in zip(ends, inner, strict=True):
            meeting = [
                other
                for (_, others), other in zip(stretches, normals, strict=True)
                if end in others and other is not normal
            ]
            outer.append(_mitred(place, normal, meeting[0] if meeting else normal))
        band = points([inner[0], inner[1], outer[1], outer[0]])
        yield element("polygon", points=band, class_=f"edge {colours[side]}", data_owner=side)


def _outwards(layout: Layout, start: str, end: str) -> Place:
    """The direction away from the board, at right angles to one of its sides."""
    (x1, y1), (x2, y2) = layout.places[start], layout.places[end]
    length = math.dist((x1, y1), (x2, y2))
    across, down = (y2 - y1) / length, (x1 - x2) / length
    left, top, right, bottom = layout.bounds
    inwards = ((left + right) / 2 - x1) * across + ((top + bottom) / 2 - y1) * down > 0
    return (-across, -down) if inwards else (across, down)


def _mitred(place: Place, one: Place, other: Place) -> Place:
    """Where the outer borders of two bands around a corner meet."""
    reach = _REACH / (1 + one[0] * other[0] + one[1] * other[1])
    return place[0] + reach * (one[0] + other[0]), place[1] + reach * (one[1] + other[1])
