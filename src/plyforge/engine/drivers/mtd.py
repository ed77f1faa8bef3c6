"""MTD(f), SSS* and DUAL*: the same loop from different starts."""

from plyforge.core.scores import LOSS
from plyforge.engine.drivers.window_search import WindowSearch
from plyforge.search.options import Options
from plyforge.search.values import BEYOND_ALL, next_above, rounded


def close_in(window_search: WindowSearch, bound: float) -> float:
    """Test whether the value is at least `bound`, take the answer for the next one, and so on."""
    while True:
        value = window_search.test(bound)
        if window_search.settled:
            return value
        bound = next_above(value) if value >= bound else value


def mtdf(window_search: WindowSearch, guess: float, options: Options) -> float:
    """Start where the value is expected."""
    return close_in(window_search, rounded(guess))


def sss(window_search: WindowSearch, guess: float, options: Options) -> float:
    """Start above all values."""
    return close_in(window_search, BEYOND_ALL)


def dual(window_search: WindowSearch, guess: float, options: Options) -> float:
    """Start below all values: every value is at least that of a loss at once."""
    return close_in(window_search, float(LOSS))
