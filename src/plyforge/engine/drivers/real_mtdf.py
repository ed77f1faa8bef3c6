"""realMTD(f) (Mańdziuk, Osman 2004): MTD(f) in steps of epsilon, for real values."""

import math

from plyforge.engine.drivers.window_search import WindowSearch
from plyforge.search.options import Options
from plyforge.search.values import next_above, next_below, rounded


def real_mtdf(window_search: WindowSearch, guess: float, options: Options) -> float:
    """As printed, the error is less than epsilon; with `closing`, a last search removes it.

    Where epsilon is less than the distance of neighbouring float32 numbers, it counts as that.
    """
    epsilon = float(options.get("epsilon"))
    bound = rounded(guess)
    while True:
        low = min(bound - epsilon, next_below(bound))
        value = window_search.search(low, bound)
        if low < value < bound or window_search.settled:
            return value
        if window_search.upper - window_search.lower < epsilon:
            break
        bound = max(value + epsilon, next_above(value)) if value >= bound else value
    if options.get("closing") == "no":
        return value
    return between_bounds(window_search)


def between_bounds(window_search: WindowSearch) -> float:
    """The exact value: one search between the bounds, which themselves are possible values."""
    lower, upper = window_search.lower, window_search.upper
    if not lower < upper:
        return lower
    value = window_search.search(lower, upper)
    return max(lower, min(upper, value)) if math.isfinite(lower) else value
