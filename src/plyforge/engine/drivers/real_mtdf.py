"""realMTD(f) (Mańdziuk, Osman 2004): MTD(f) in steps of epsilon, for real values."""

import math

from plyforge.engine.drivers.inquiry import Inquiry
from plyforge.search.options import Options
from plyforge.search.values import next_above, next_below, rounded


def real_mtdf(inquiry: Inquiry, guess: float, options: Options) -> float:
    """As printed, the error is less than epsilon; with `closing`, a last search removes it.

    Where epsilon is less than the distance of neighbouring float32 numbers, it counts as that.
    """
    epsilon = float(options.get("epsilon"))
    bound = rounded(guess)
    while True:
        low = min(bound - epsilon, next_below(bound))
        value = inquiry.search(low, bound)
        if low < value < bound or inquiry.settled:
            return value
        if inquiry.upper - inquiry.lower < epsilon:
            break
        bound = max(value + epsilon, next_above(value)) if value >= bound else value
    if options.get("closing") == "no":
        return value
    return between_bounds(inquiry)


def between_bounds(inquiry: Inquiry) -> float:
    """The exact value: one search between the bounds, which themselves are possible values."""
    lower, upper = inquiry.lower, inquiry.upper
    if not lower < upper:
        return lower
    value = inquiry.search(lower, upper)
    return max(lower, min(upper, value)) if math.isfinite(lower) else value
