"""MTD(f), SSS* and DUAL*: the same loop from different starts."""

from plyforge.core.scores import LOSS
from plyforge.engine.drivers.inquiry import Inquiry
from plyforge.search.options import Options
from plyforge.search.values import BEYOND_ALL, next_above, rounded


def close_in(inquiry: Inquiry, bound: float) -> float:
    """Test whether the value is at least `bound`, take the answer for the next one, and so on."""
    while True:
        value = inquiry.test(bound)
        if inquiry.settled:
            return value
        bound = next_above(value) if value >= bound else value


def mtdf(inquiry: Inquiry, guess: float, options: Options) -> float:
    """Start where the value is expected."""
    return close_in(inquiry, rounded(guess))


def sss(inquiry: Inquiry, guess: float, options: Options) -> float:
    """Start above all values."""
    return close_in(inquiry, BEYOND_ALL)


def dual(inquiry: Inquiry, guess: float, options: Options) -> float:
    """Start below all values: every value is at least that of a loss at once."""
    return close_in(inquiry, float(LOSS))
