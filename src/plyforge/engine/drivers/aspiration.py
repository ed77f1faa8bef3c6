"""Aspiration: search in a window around the guess, and widen it if the value lies outside."""

import math

from plyforge.engine.drivers.window_search import WindowSearch
from plyforge.search.options import Options
from plyforge.search.values import next_above, next_below

_DEFAULT_SHARE = 100
"""By default the window extends a hundredth of the evaluation's range to either side."""


def aspiration(window_search: WindowSearch, guess: float, options: Options) -> float:
    """Search around the guess; after a failure move that end of the window further away.

    The other end stays where it is.
    """
    width = options.get("aspiration") or window_search.range_width / _DEFAULT_SHARE
    growth = options.get("aspiration-growth")
    low, high = guess - width, guess + width
    while True:
        low, high = _drop_useless_ends(window_search, low, high)
        if not low < high:
            low, high = -math.inf, math.inf
        value = window_search.search(low, high)
        width *= growth
        if value <= low:
            # The value may equal its fail-soft bound, which must lie inside the next window even
            # if the width is smaller than the distance between neighbouring numbers.
            low = min(value - width, next_below(value)) if growth > 1 else -math.inf
        elif value >= high:
            high = max(value + width, next_above(value)) if growth > 1 else math.inf
        else:
            return value


def _drop_useless_ends(window_search: WindowSearch, low: float, high: float) -> tuple[float, float]:
    """Make an end infinite that no evaluation reaches: beyond it are only wins or losses."""
    return (
        low if low > window_search.minimum else -math.inf,
        high if high < window_search.maximum else math.inf,
    )
