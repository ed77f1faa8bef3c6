"""From a score to an Elo difference with its interval.

The scale is logistic: 400 points are odds of ten to one.

The interval is Wilson's, with the variance that the results really have: below that of wins and
losses where there are draws or balanced pairs.  So a score of 100 % has a finite lower limit and no
upper one.  A few equal results show no variance at all, though there is some: the variance is
estimated as if there were `CAUTION` further results, won or lost at even odds.
"""

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.match.ratings.pentanomial import Sample
from plyforge.match.ratings.wilson import CONFIDENCE, Interval, quantile, wilson

SCALE: Final = 400.0
"""Elo points for odds of ten to one."""
POINTS_PER_NAT: Final = SCALE / math.log(10)
"""Elo points for odds of e to one."""
CAUTION: Final = 2.0
"""Results of maximum variance that an interval assumes in addition to those seen."""
_MAX_VARIANCE: Final = 0.25
_EVEN: Final = 0.5
_NORMAL: Final = NormalDist()


@dataclass(frozen=True)
class Estimate:
    """A value in Elo with its interval, whose limits may be infinite."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the interval: the figure after ±."""
        return math.inf if math.isinf(self.high - self.low) else (self.high - self.low) / 2


def expected_score(elo: float) -> float:
    """Return the expected score per game of a player who is better by `elo`.

    >>> round(expected_score(200), 2)
    0.76
    """
    if elo < 0:
        return 1 - expected_score(-elo)
    return 1 / (1 + 10 ** (-elo / SCALE))


def elo_difference(score: float) -> float:
    """Return the Elo difference of a score per game; infinite at 0 and 1."""
    if not 0 <= score <= 1:
        raise PlyforgeError(f"score must be between 0 and 1 per game, not {clip(repr(score))}")
    if score in (0, 1):
        return math.copysign(math.inf, score - _EVEN)
    return POINTS_PER_NAT * (math.log(score) - math.log1p(-score))


def elo(sample: Sample, confidence: float = CONFIDENCE) -> Estimate:
    """Return the Elo difference and its interval.

    >>> ten_to_nil = elo(Sample((0, 0, 0, 0, 5)))
    >>> ten_to_nil.value, round(ten_to_nil.low), ten_to_nil.high
    (inf, 46, inf)
    """
    low, high = score_interval(sample, confidence)
    return Estimate(elo_difference(sample.mean), elo_difference(low), elo_difference(high))


def score_interval(sample: Sample, confidence: float = CONFIDENCE) -> Interval:
    """Return the interval of the score per game."""
    return wilson(sample.mean, sample.size, confidence, _variance_share(sample))


def _variance_share(sample: Sample) -> float:
    """Return the variance as a share of the maximum for results of this mean."""
    mean = sample.mean
    assumed = CAUTION * _MAX_VARIANCE
    return (sample.squares(mean) + assumed) / (sample.size * mean * (1 - mean) + assumed)


def superiority(sample: Sample) -> float:
    """Return the likelihood of superiority (LOS): the probability that the player is better.

    It is the normal probability of (score - 1/2) / error, with the error taken about an even score.
    For single games that is the usual formula of wins and losses.

    >>> round(superiority(Sample((5, 10, 15))), 4)
    0.9873
    """
    squares = sample.squares(_EVEN)
    if squares == 0:
        return _EVEN
    return _NORMAL.cdf((sample.mean - _EVEN) * sample.size / math.sqrt(squares))


def normalised_elo(sample: Sample, confidence: float = CONFIDENCE) -> Estimate:
    """Return the score above 1/2 in standard deviations of a game, on the Elo scale.

    It determines how many games a difference takes to show, for every share of draws.
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
