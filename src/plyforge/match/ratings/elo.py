"""From a score to an Elo difference, and how sure it is.

The logistic scale: 400 points are odds of ten to one.

The interval is Wilson's (1927) for a proportion, with the variance that the results really have.
A result's variance is at most s(1 - s), where all is won or lost; the share r of that which was
seen is below 1 where there are draws or balanced pairs.  The limits are the scores s with

    (mean - s)^2 = z^2 * r * s(1 - s) / N.

So a score of 100 % has a finite lower limit and no upper one.  A few equal results show no
variance at all, though there is some: r is estimated as if there were `CAUTION` further results,
won or lost at even odds, and is 1 where all points were won or lost.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from plyforge.core.errors import PlyforgeError, clipped
from plyforge.match.ratings.pentanomial import Sample

SCALE: Final = 400.0
"""Elo points for odds of ten to one."""
POINTS_PER_NAT: Final = SCALE / math.log(10)
"""Elo points for odds of e to one."""
CONFIDENCE: Final = 0.95
CAUTION: Final = 2.0
"""The results of greatest variance that an interval supposes besides those seen."""
_GREATEST_VARIANCE: Final = 0.25
_EVEN: Final = 0.5
_NORMAL: Final = NormalDist()


@dataclass(frozen=True)
class Estimate:
    """A value in Elo and its limits, which may be infinite."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the interval: the figure after ±."""
        return math.inf if math.isinf(self.high - self.low) else (self.high - self.low) / 2


def expected_score(elo: float) -> float:
    """The score per game that a difference in Elo lets expect.

    >>> round(expected_score(200), 2)
    0.76
    """
    if elo < 0:
        return 1 - expected_score(-elo)
    return 1 / (1 + 10 ** (-elo / SCALE))


def elo_difference(score: float) -> float:
    """The difference in Elo that a score per game stands for; infinite at 0 and 1."""
    if not 0 <= score <= 1:
        told = clipped(f"{score!r}")
        raise PlyforgeError(f"score {told}: give the points per game, from 0 to 1")
    if score in (0, 1):
        return math.copysign(math.inf, score - _EVEN)
    return POINTS_PER_NAT * (math.log(score) - math.log1p(-score))


def quantile(confidence: float) -> float:
    """How many standard errors a two-sided interval reaches to each side."""
    if not 0 < confidence < 1:
        raise PlyforgeError(f"confidence {confidence!r}: give a number between 0 and 1, as 0.95")
    return _NORMAL.inv_cdf((1 + confidence) / 2)


def elo(sample: Sample, confidence: float = CONFIDENCE) -> Estimate:
    """The difference in Elo and its interval.

    >>> ten_to_nil = elo(Sample((0, 0, 0, 0, 5)))
    >>> ten_to_nil.value, round(ten_to_nil.low), ten_to_nil.high
    (inf, 46, inf)
    """
    low, high = score_interval(sample, confidence)
    return Estimate(elo_difference(sample.mean), elo_difference(low), elo_difference(high))


def score_interval(sample: Sample, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """The lowest and the highest score per game that the results leave likely."""
    mean = sample.mean
    spread = quantile(confidence) ** 2 * _variance_share(sample) / sample.size
    centre = mean + spread / 2
    reach = math.sqrt(spread * mean * (1 - mean) + spread**2 / 4)
    # Rounding must not make a limit of exactly 0 or 1 a finite one.
    low = 0.0 if mean == 0 else (centre - reach) / (1 + spread)
    high = 1.0 if mean == 1 else (centre + reach) / (1 + spread)
    return low, high


def _variance_share(sample: Sample) -> float:
    """The variance as a share of the greatest that results of this mean can have."""
    mean = sample.mean
    supposed = CAUTION * _GREATEST_VARIANCE
    return (sample.squares(mean) + supposed) / (sample.size * mean * (1 - mean) + supposed)


def superiority(sample: Sample) -> float:
    """The likelihood of superiority (LOS): that the player is the better one.

    The normal probability of the score above even over its error, taken about an even score;
    for single games that is the usual formula of wins and losses.

    >>> round(superiority(Sample((5, 10, 15))), 4)
    0.9873
    """
    squares = sample.squares(_EVEN)
    if squares == 0:
        return _EVEN
    return _NORMAL.cdf((sample.mean - _EVEN) * sample.size / math.sqrt(squares))


def normalised_elo(sample: Sample, confidence: float = CONFIDENCE) -> Estimate:
    """The score above even in standard deviations of a game, on Elo's scale.

    It says how many games a difference takes to show, whatever the share of draws.
    """
    unit = 2 * POINTS_PER_NAT
    above = sample.mean - _EVEN
    deviation = math.sqrt(sample.games_each * sample.variance)
    if deviation == 0:
        value = math.copysign(math.inf, above) if above else 0.0
        return Estimate(value, -math.inf, math.inf)
    value = unit * above / deviation
    margin = unit * quantile(confidence) / math.sqrt(sample.games)
    return Estimate(value, value - margin, value + margin)
