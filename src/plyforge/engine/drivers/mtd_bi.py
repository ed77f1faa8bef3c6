"""MTD-bi (Mańdziuk, Osman 2004): bisection with windows of width epsilon, here exact."""

from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine.window_search import WindowSearch
from plyforge.search.parameters import Parameter
from plyforge.search.values import BEYOND_ALL, next_above, next_below

SUMMARY = "windows of width epsilon that bisect the range of values"
PAPER = "Mańdziuk, Osman 2004"
PARAMETERS = (
    Parameter("epsilon", 0.01, "the width of a window", maximum=float(SCORE_LIMIT), real=True),
)


def find_value(windows: WindowSearch, guess: float, epsilon: float) -> float:
    """Search in the middle of the possible values until the value lies inside the window.

    As printed, the algorithm knows only values within the evaluation's range and never ends on a
    won position.  Here a bound outside the range moves the bisection to the wins beyond it.
    """
    half = epsilon / 2
    while True:
        minimum, maximum = _possible_values(windows)
        middle = (minimum + maximum) / 2
        low = max(min(middle - half, next_below(middle)), windows.lower)
        high = min(max(middle + half, next_above(middle)), windows.upper)
        if not low < high:
            low, high = windows.lower, windows.upper
        value = windows.search(low, high)
        if low < value < high or windows.settled:
            return value


def _possible_values(windows: WindowSearch) -> tuple[float, float]:
    """Return the range to bisect: that of the evaluation, or the wins or losses beyond it."""
    lower, upper = windows.lower, windows.upper
    if lower >= windows.maximum:
        return lower, min(upper, BEYOND_ALL)
    if upper <= windows.minimum:
        return max(lower, -BEYOND_ALL), upper
    return max(lower, windows.minimum), min(upper, windows.maximum)
