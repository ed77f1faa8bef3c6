"""The sides of a board that belong to a player, as coloured bands behind the cells at its rim."""

import math
from collections.abc import Iterator
from typing import Final

from plyforge.interfaces.drawing.layout import CELL, Layout, Place
from plyforge.interfaces.drawing.svg import element, points

_REACH: Final = 0.78 * CELL
"""How far a band reaches beyond the centres of the cells."""
_FURTHEST: Final = 1.0 * CELL
"""The same at a corner."""


def edges(layout: Layout, colours: tuple[str, str]) -> Iterator[str]:
    """One band a side; two bands that meet in a corner are mitred there."""
    stretches = [(side, ends) for side, ends in layout.geometry.edges if ends[0] != ends[1]]
    normals = [_outwards(layout, *ends) for _, ends in stretches]
    meeting: dict[str, list[Place]] = {}
    for (_, ends), normal in zip(stretches, normals, strict=True):
        for end in ends:
            meeting.setdefault(end, []).append(normal)
    for (side, ends), normal in zip(stretches, normals, strict=True):
        inner = [layout.places[end] for end in ends]
        outer = [
            _corner(place, normal, next((n for n in meeting[end] if n is not normal), normal))
            for end, place in zip(ends, inner, strict=True)
        ]
        band = points([*inner, *outer[1], *outer[0][::-1]])
        yield element("polygon", points=band, class_=f"edge {colours[side]}", data_owner=side)


def _outwards(layout: Layout, start: str, end: str) -> Place:
    """The direction away from the board, at right angles to one of its sides."""
    (x1, y1), (x2, y2) = layout.places[start], layout.places[end]
    length = math.dist((x1, y1), (x2, y2))
    across, down = (y2 - y1) / length, (x1 - x2) / length
    left, top, right, bottom = layout.bounds
    inwards = ((left + right) / 2 - x1) * across + ((top + bottom) / 2 - y1) * down > 0
    return (-across, -down) if inwards else (across, down)


def _corner(place: Place, own: Place, other: Place) -> list[Place]:
    """The end of a band's outer border: halfway to the other band, cut off at a sharp corner.

    First the point between both bands, then, if the corner is cut, that where the cut begins.
    """
    half = math.sqrt((1 + own[0] * other[0] + own[1] * other[1]) / 2)
    towards = ((own[0] + other[0]) / (2 * half), (own[1] + other[1]) / (2 * half))
    tip = _REACH / half
    if tip <= _FURTHEST:
        return [(place[0] + tip * towards[0], place[1] + tip * towards[1])]
    along = (-own[1], own[0])
    aside = (_FURTHEST - _REACH * half) / (along[0] * towards[0] + along[1] * towards[1])
    return [
        (place[0] + _FURTHEST * towards[0], place[1] + _FURTHEST * towards[1]),
        (
            place[0] + _REACH * own[0] + aside * along[0],
            place[1] + _REACH * own[1] + aside * along[1],
        ),
    ]
