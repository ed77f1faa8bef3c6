"""Draws the sides of a board that belong to a player, as bands behind the outermost cells."""

import math
from collections.abc import Iterator
from typing import Final

from plyforge.interfaces.drawing.layout import CELL, Layout, Place
from plyforge.interfaces.drawing.svg import element, points

_REACH: Final = 0.78 * CELL
"""Distance from the centres of the cells to the outer border of a band."""
_MAX_REACH: Final = 1.0 * CELL
"""Maximum distance at a corner."""


def edges(layout: Layout, colours: tuple[str, str]) -> Iterator[str]:
    """Draw one band per side; two bands that meet in a corner are mitred."""
    sides = [(side, ends) for side, ends in layout.geometry.edges if ends[0] != ends[1]]
    normals = [_outward_normal(layout, *ends) for _, ends in sides]
    meeting: dict[str, list[Place]] = {}
    for (_, ends), normal in zip(sides, normals, strict=True):
        for end in ends:
            meeting.setdefault(end, []).append(normal)
    for (side, ends), normal in zip(sides, normals, strict=True):
        inner = [layout.places[end] for end in ends]
        outer = [
            _corner(place, normal, next((n for n in meeting[end] if n is not normal), normal))
            for end, place in zip(ends, inner, strict=True)
        ]
        band = points([*inner, *outer[1], *outer[0][::-1]])
        yield element("polygon", points=band, class_=f"edge {colours[side]}", data_owner=side)


def _outward_normal(layout: Layout, start: str, end: str) -> Place:
    """Return the direction away from the board, perpendicular to one of its sides."""
    (x1, y1), (x2, y2) = layout.places[start], layout.places[end]
    length = math.dist((x1, y1), (x2, y2))
    across, down = (y2 - y1) / length, (x1 - x2) / length
    left, top, right, bottom = layout.bounds
    inwards = ((left + right) / 2 - x1) * across + ((top + bottom) / 2 - y1) * down > 0
    return (-across, -down) if inwards else (across, down)


def _corner(place: Place, own: Place, other: Place) -> list[Place]:
    """Return the end of a band's outer border, halfway to the other band.

    A sharp corner is cut off; the second point is where the cut begins.
    """
    half = math.sqrt((1 + own[0] * other[0] + own[1] * other[1]) / 2)
    towards = ((own[0] + other[0]) / (2 * half), (own[1] + other[1]) / (2 * half))
    tip = _REACH / half
    if tip <= _MAX_REACH:
        return [(place[0] + tip * towards[0], place[1] + tip * towards[1])]
    along = (-own[1], own[0])
    cut = (_MAX_REACH - _REACH * half) / (along[0] * towards[0] + along[1] * towards[1])
    return [
        (place[0] + _MAX_REACH * towards[0], place[1] + _MAX_REACH * towards[1]),
        (
            place[0] + _REACH * own[0] + cut * along[0],
            place[1] + _REACH * own[1] + cut * along[1],
        ),
    ]
