"""Wilson's score interval (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927)."""

import math
from statistics import NormalDist
from typing import Final

from plyforge.core.errors import PlyforgeError

CONFIDENCE: Final = 0.95

Interval = tuple[float, float]


def quantile(confidence: float = CONFIDENCE) -> float:
    """Return how many standard errors a two-sided interval extends to each side."""
    if not 0 < confidence < 1:
        raise PlyforgeError(f"confidence must be between 0 and 1, as 0.95, not {confidence!r}")
    return NormalDist().inv_cdf((1 + confidence) / 2)


def wilson(
    mean: float, size: int, confidence: float = CONFIDENCE, variance_share: float = 1.0
) -> Interval:
    """Return the interval of a mean of `size` results between 0 and 1.

    Results of mean s have the largest variance, s(1 - s), if each is 0 or 1; `variance_share` is
    their variance as a share r of that.  The limits are the s with

        (mean - s)^2 = z^2 * r * s(1 - s) / size.

    >>> [round(limit, 4) for limit in wilson(0.5, 100)]
    [0.4038, 0.5962]
    """
    spread = quantile(confidence) ** 2 * variance_share / size
    centre = mean + spread / 2
    reach = math.sqrt(spread * mean * (1 - mean) + spread**2 / 4)
    # Rounding must not make a limit of exactly 0 or 1 a finite one in Elo.
    low = 0.0 if mean == 0 else (centre - reach) / (1 + spread)
    high = 1.0 if mean == 1 else (centre + reach) / (1 + spread)
    return low, high
