"""Draws the seeds in a pit or a store: up to twelve of them, and always their number."""

import math
from typing import Final

from plyforge.interfaces.drawing.svg import element, text

_MAX_DRAWN: Final = 12
_SEED_RADIUS: Final = 8.0
_SPREAD: Final = 10.5
"""Distance of the nth seed from the middle, divided by the square root of n."""
_GOLDEN_ANGLE: Final = math.pi * (3 - math.sqrt(5))
"""Angle between two seeds, as in a sunflower; it spreads them evenly."""

_PIT: Final = (0.85, -10.0, 29.0)
"""Vertical stretch of the seeds, y of their middle, and y of the number."""
_STORE: Final = (2.4, -20.0, 76.0)


def seeds(count: str, store: bool) -> str:
    """Draw up to twelve seeds, and their number."""
    visible = min(int(count), _MAX_DRAWN) if count.isdecimal() else 0
    stretch, middle, number_y = _STORE if store else _PIT
    dots = []
    for seed in range(visible):
        radius, angle = _SPREAD * math.sqrt(seed + 0.5), seed * _GOLDEN_ANGLE
        x, y = radius * math.cos(angle), middle + stretch * radius * math.sin(angle)
        dots.append(element("circle", cx=x, cy=y, r=_SEED_RADIUS, class_="seed"))
    return "".join(dots) + text(count, 0, number_y, "count")
