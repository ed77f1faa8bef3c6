"""Aspiration: gamble that the value lies near the guess."""

import math

from plyforge.engine.drivers.window_search import WindowSearch
from plyforge.search.options import Options
from plyforge.search.values import next_above, next_below

_SHARE = 100
"""By default the first window is a hundredth of the evaluation's range to either side."""


def aspiration(window_search: WindowSearch, guess: float, options: Options) -> float:
    """Search around the guess; after a failure move that side of the window away, ever further.

    The other side stays where the failed search has left the value: at its bound.
    """
    width = options.get("aspiration") or (window_search.greatest - window_search.least) / _SHARE
    growth = options.get("aspiration-growth")
    low, high = guess - width, guess + width
    while True:
        low, high = _beyond_range(window_search, low, high)
        if not low < high:
            low, high = -math.inf, math.inf
        value = window_search.search(low, high)
        width *= growth
        if value <= low:
            # A fail-soft bound may lie far below the window; the value may be that bound, which a
            # width less than the distance of neighbouring numbers would leave outside for ever.
            low = min(value - width, next_below(value)) if growth > 1 else -math.inf
        elif value >= high:
            high = max(value + width, next_above(value)) if growth > 1 else math.inf
        else:
            return value


def _beyond_range(window_search: WindowSearch, low: float, high: float) -> tuple[float, float]:
    """Leave out a bound that no evaluation reaches: beyond it are wins and losses alone."""
    return (
        low if low > window_search.least else -math.inf,
        high if high < window_search.greatest else math.inf,
    )
