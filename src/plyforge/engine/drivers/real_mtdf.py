"""realMTD(f) (Mańdziuk, Osman 2004): MTD(f) in steps of epsilon, for real values."""

import math

from plyforge.engine.drivers.window_search import WindowSearch
from plyforge.search.options import Options
from plyforge.search.values import next_above, next_below, to_float32


def real_mtdf(window_search: WindowSearch, guess: float, options: Options) -> float:
    """Return the value with an error of less than epsilon; with `closing`, the exact value.

    An epsilon below the distance of neighbouring float32 numbers counts as that distance.
    """
    epsilon = float(options.get("epsilon"))
    bound = to_float32(guess)
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
    return search_between_bounds(window_search)


def search_between_bounds(window_search: WindowSearch) -> float:
    """Return the exact value by one search between the bounds, which are possible values, too."""
    lower, upper = window_search.lower, window_search.upper
    if not lower < upper:
        return lower
    value = window_search.search(lower, upper)
    return max(lower, min(upper, value)) if math.isfinite(lower) else value
