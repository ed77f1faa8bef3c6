"""MTD-bi (Mańdziuk, Osman 2004): bisection with windows of width epsilon, here no error."""

from plyforge.engine.drivers.inquiry import Inquiry
from plyforge.search.options import Options
from plyforge.search.values import BEYOND_ALL, next_above, next_below


def mtd_bi(inquiry: Inquiry, guess: float, options: Options) -> float:
    """Search in the middle of what is possible until the value lies inside the window.

    As printed it knows only values within the evaluation's range, and never ends on a won
    position.  Here a bound that leaves the range moves the bisection to the wins beyond it.
    """
    half = float(options.get("epsilon")) / 2
    while True:
        least, greatest = _possible(inquiry)
        middle = (least + greatest) / 2
        low = max(min(middle - half, next_below(middle)), inquiry.lower)
        high = min(max(middle + half, next_above(middle)), inquiry.upper)
        if not low < high:
            low, high = inquiry.lower, inquiry.upper
        value = inquiry.search(low, high)
        if low < value < high or inquiry.settled:
            return value


def _possible(inquiry: Inquiry) -> tuple[float, float]:
    """Where the value is looked for: within the evaluation's range, or among the wins beyond."""
    lower, upper = inquiry.lower, inquiry.upper
    if lower >= inquiry.greatest:
        return lower, min(upper, BEYOND_ALL)
    if upper <= inquiry.least:
        return max(lower, -BEYOND_ALL), upper
    return max(lower, inquiry.least), min(upper, inquiry.greatest)
