"""Student's distribution: probabilities and quantiles.

The probability comes from the incomplete beta function, as a continued fraction (Abramowitz and
Stegun 1964, 26.5.8), and the quantile from bisection.
"""

import math
from typing import Final

_TERMS: Final = 500
_ACCURACY: Final = 1e-14
_TINY: Final = 1e-300
_HALVINGS: Final = 200


def cdf(value: float, freedom: float) -> float:
    """Return the probability of at most `value`.

    >>> cdf(0.0, 5), round(cdf(2.0, 10), 6), round(cdf(-2.0, 10), 6)
    (0.5, 0.963306, 0.036694)
    """
    if math.isinf(value):
        return 0.0 if value < 0 else 1.0
    if value == 0:
        return 0.5
    tail = 0.5 * _incomplete_beta(freedom / (freedom + value * value), freedom / 2, 0.5)
    return tail if value < 0 else 1 - tail


def quantile(probability: float, freedom: float) -> float:
    """Return the value that is exceeded with a probability of 1 - `probability`.

    >>> round(quantile(0.975, 4), 4), round(quantile(0.975, 24), 4)
    (2.7764, 2.0639)
    """
    if probability < 0.5:
        return -quantile(1 - probability, freedom)
    low, high = 0.0, 1.0
    while cdf(high, freedom) < probability:
        high *= 2
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if cdf(middle, freedom) < probability:
            low = middle
        else:
            high = middle
        if high - low <= _ACCURACY * high:
            break
    return (low + high) / 2


def _incomplete_beta(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function of 0 <= x <= 1."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b)
    front = math.exp(log_front + a * math.log(x) + b * math.log1p(-x))
    if x < (a + 1) / (a + b + 2):
        return front * _fraction(x, a, b) / a
    return 1 - front * _fraction(1 - x, b, a) / b


def _fraction(x: float, a: float, b: float) -> float:
    """Evaluate the continued fraction from its front (the method of Lentz)."""
    c, d = 1.0, 1 / _away_from_zero(1 - (a + b) * x / (a + 1))
    result = d
    for m in range(1, _TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for term in (even, odd):
            d = 1 / _away_from_zero(1 + term * d)
            c = _away_from_zero(1 + term / c)
            result *= c * d
        if abs(c * d - 1) < _ACCURACY:
            break
    return result


def _away_from_zero(value: float) -> float:
    return value if abs(value) > _TINY else _TINY
