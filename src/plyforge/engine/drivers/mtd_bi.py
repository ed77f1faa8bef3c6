"""MTD-bi (Mańdziuk, Osman 2004): bisection with windows of width epsilon, here exact."""

from plyforge.engine.drivers.window_search import WindowSearch
from plyforge.search.options import Options
from plyforge.search.values import BEYOND_ALL, next_above, next_below


def mtd_bi(window_search: WindowSearch, guess: float, options: Options) -> float:
    """Search in the middle of the possible values until the value lies inside the window.

    As printed, the algorithm knows only values within the evaluation's range and never ends on a
    won position.  Here a bound outside the range moves the bisection to the wins beyond it.
    """
    half = float(options.get("epsilon")) / 2
    while True:
        minimum, maximum = _possible_values(window_search)
        middle = (minimum + maximum) / 2
        low = max(min(middle - half, next_below(middle)), window_search.lower)
        high = min(max(middle + half, next_above(middle)), window_search.upper)
        if not low < high:
            low, high = window_search.lower, window_search.upper
        value = window_search.search(low, high)
        if low < value < high or window_search.settled:
            return value


def _possible_values(window_search: WindowSearch) -> tuple[float, float]:
    """Return the range to bisect: that of the evaluation, or the wins or losses beyond it."""
    lower, upper = window_search.lower, window_search.upper
    if lower >= window_search.maximum:
        return lower, min(upper, BEYOND_ALL)
    if upper <= window_search.minimum:
        return max(lower, -BEYOND_ALL), upper
    return max(lower, window_search.minimum), min(upper, window_search.maximum)
