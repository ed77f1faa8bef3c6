"""realMTD(f) (Mańdziuk, Osman 2004): MTD(f) in steps of epsilon, for real values."""

import math

from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine.window_search import WindowSearch
from plyforge.search.parameters import YES_NO, Parameter
from plyforge.search.values import next_above, next_below, to_float32

SUMMARY = "windows of width epsilon in steps of epsilon, starting at the guess"
PAPER = "Mańdziuk, Osman 2004"
PARAMETERS = (
    Parameter("epsilon", 0.01, "the maximum error", maximum=float(SCORE_LIMIT), real=True),
    Parameter("closing", "yes", "whether a last search makes the value exact", choices=YES_NO),
)


def find_value(windows: WindowSearch, guess: float, epsilon: float, closing: str) -> float:
    """Return the value with an error of less than epsilon; with `closing`, the exact value.

    An epsilon below the distance of neighbouring float32 numbers counts as that distance.
    """
    bound = to_float32(guess)
    while True:
        low = min(bound - epsilon, next_below(bound))
        value = windows.search(low, bound)
        if low < value < bound or windows.settled:
            return value
        if windows.upper - windows.lower < epsilon:
            break
        bound = max(value + epsilon, next_above(value)) if value >= bound else value
    if closing == "no":
        return value
    return search_between_bounds(windows)


def search_between_bounds(windows: WindowSearch) -> float:
    """Return the exact value by one search between the bounds, which are possible values, too."""
    lower, upper = windows.lower, windows.upper
    if not lower < upper:
        return lower
    value = windows.search(lower, upper)
    return max(lower, min(upper, value)) if math.isfinite(lower) else value
