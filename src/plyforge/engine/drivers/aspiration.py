"""Aspiration: search in a window around the guess, and widen it if the value lies outside."""

import math

from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine.window_search import WindowSearch
from plyforge.search.parameters import Parameter
from plyforge.search.values import next_above, next_below

SUMMARY = "a window around the guess, widened when the value lies outside"
PAPER = "Kishimoto, Müller, tutorial on alpha-beta"
PARAMETERS = (
    Parameter(
        "aspiration",
        0.0,
        "half the width of the first window; 0 for a hundredth of the evaluation's range",
        maximum=float(SCORE_LIMIT),
        real=True,
    ),
    Parameter(
        "aspiration-growth",
        4.0,
        "the factor by which the width grows after a failure",
        minimum=1.0,
        maximum=1024.0,
        real=True,
    ),
)

_DEFAULT_SHARE = 100
"""By default the window extends a hundredth of the evaluation's range to either side."""


def find_value(
    windows: WindowSearch, guess: float, aspiration: float, aspiration_growth: float
) -> float:
    """Search around the guess; after a failure move that end of the window further away.

    The other end stays where it is.
    """
    width, growth = aspiration or windows.range_width / _DEFAULT_SHARE, aspiration_growth
    low, high = guess - width, guess + width
    while True:
        low, high = _drop_useless_ends(windows, low, high)
        if not low < high:
            low, high = -math.inf, math.inf
        value = windows.search(low, high)
        width *= growth
        if value <= low:
            # The value may equal its fail-soft bound, which must lie inside the next window even
            # if the width is smaller than the distance between neighbouring numbers.
            low = min(value - width, next_below(value)) if growth > 1 else -math.inf
        elif value >= high:
            high = max(value + width, next_above(value)) if growth > 1 else math.inf
        else:
            return value


def _drop_useless_ends(windows: WindowSearch, low: float, high: float) -> tuple[float, float]:
    """Make an end infinite that no evaluation reaches: beyond it are only wins or losses."""
    return (
        low if low > windows.minimum else -math.inf,
        high if high < windows.maximum else math.inf,
    )
