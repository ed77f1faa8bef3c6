"""MTD(f), SSS* and DUAL*: the same loop from different starts."""

from plyforge.core.scores import LOSS
from plyforge.engine.drivers.window_search import WindowSearch
from plyforge.search.options import Options
from plyforge.search.values import BEYOND_ALL, next_above, to_float32


def converge(window_search: WindowSearch, bound: float) -> float:
    """Test whether the value is at least `bound`, and repeat with the bound that is returned."""
    while True:
        value = window_search.test(bound)
        if window_search.settled:
            return value
        bound = next_above(value) if value >= bound else value


def mtdf(window_search: WindowSearch, guess: float, options: Options) -> float:
    """Start at the guess."""
    return converge(window_search, to_float32(guess))


def sss(window_search: WindowSearch, guess: float, options: Options) -> float:
    """Start above all values."""
    return converge(window_search, BEYOND_ALL)


def dual(window_search: WindowSearch, guess: float, options: Options) -> float:
    """Start below all values: none is less than that of an immediate loss."""
    return converge(window_search, float(LOSS))
