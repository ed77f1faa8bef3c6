"""Means, ratios and shares, with intervals and tests.

Positions of one game resemble each other, so another game carries more information than another
position of the same game. The error of a figure is that of the jackknife: it is computed again
without each game in turn (Tukey 1958; Cochran, Sampling Techniques, 1977, section 6.17). Intervals
and tests use Student's distribution, on a logarithmic scale if the figure is positive.
`scripts/interval_coverage.py` compares this with other intervals.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import numpy.typing as npt

from plyforge.lab import student

CONFIDENCE: Final = 0.95
_TAIL: Final = (1 + CONFIDENCE) / 2

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A figure and its 95 % interval."""

    value: float
    low: float
    high: float
    """Both ends are NaN if there is only one game, and the interval is unknown."""
    count: int
    """The number of positions."""
    games: int = 0
    """The number of independent games."""
    error: float = 0.0
    """The standard error; of the logarithm if `log` is set."""
    log: bool = False
    scale: float = 1.0
    shift: float = 0.0
    """The figure is a `scale` times the one that was estimated, plus a `shift`."""
    unanimous: bool = False
    """Whether it is a share of 0 or 1, which has no standard error."""

    @property
    def has_interval(self) -> bool:
        return not math.isnan(self.low)

    def contains(self, value: float) -> bool:
        """Return whether a value lies in the interval."""
        return self.low <= value <= self.high

    def rescale(self, scale: float, shift: float = 0.0) -> "Estimate":
        """Return the figure and its interval times `scale` plus `shift`."""
        low, high = sorted((self.low * scale + shift, self.high * scale + shift))
        return replace(
            self,
            value=self.value * scale + shift,
            low=low,
            high=high,
            scale=self.scale * scale,
            shift=self.shift * scale + shift,
        )

    def p_below(self, value: float) -> float:
        """Return how likely so low a figure is if the true one is `value`: a one-sided p-value.

        It is 1 where the interval is unknown.
        """
        return self._p_value(value, below=True)

    def p_above(self, value: float) -> float:
        """Return how likely so high a figure is if the true one is `value`."""
        return self._p_value(value, below=False)

    def _p_value(self, value: float, below: bool) -> float:
        if not self.has_interval:
            return 1.0
        if self.scale < 0:
            below = not below
        here, there = (self.value - self.shift) / self.scale, (value - self.shift) / self.scale
        if self.unanimous:
            chance = there if here == 1 else 1 - there
            towards = below == (here == 0)
            return min(max(chance, 0.0), 1.0) ** self.games if towards else 1.0
        if self.error == 0:
            return float(not (here < there if below else here > there))
        if self.log:
            here, there = math.log(here), math.log(there) if there > 0 else -math.inf
        distance = (here - there) / self.error
        return student.cdf(distance if below else -distance, self.games - 1)


def mean(values: Sequence[float], together: Sequence[int] | None = None) -> Estimate:
    """Estimate a mean; values with the same number in `together` come from one game."""
    return ratio(values, [1.0] * len(values), together)


def difference(values: Sequence[float], together: Sequence[int] | None = None) -> Estimate:
    """Estimate the mean of values that may be negative, such as differences.

    The scale is linear even if all values are positive: a logarithm would exclude 0 beforehand.
    """
    return _ratio(values, [1.0] * len(values), together, log=False)


def share(holds: Sequence[bool], together: Sequence[int] | None = None) -> Estimate:
    """Estimate the share of positions for which something holds.

    If it holds for all or for none, the interval is that of a binomial distribution over games.
    """
    found = _ratio([float(held) for held in holds], [1.0] * len(holds), together, log=False)
    if not found.has_interval or 0 < found.value < 1:
        return replace(found, low=max(found.low, 0.0), high=min(found.high, 1.0))
    end = (1 - _TAIL) ** (1 / found.games)
    low, high = (end, 1.0) if found.value else (0.0, 1 - end)
    return replace(found, low=low, high=high, unanimous=True)


def ratio(
    values: Sequence[float], baseline: Sequence[float], together: Sequence[int] | None = None
) -> Estimate:
    """Estimate the ratio of two sums over the same positions."""
    return _ratio(values, baseline, together, log=True)


def _ratio(
    values: Sequence[float],
    baseline: Sequence[float],
    together: Sequence[int] | None,
    log: bool,
) -> Estimate:
    top, bottom = np.asarray(values, np.float64), np.asarray(baseline, np.float64)
    above, below = sums_together(top, together), sums_together(bottom, together)
    with np.errstate(divide="ignore", invalid="ignore"):
        value = float(above.sum() / below.sum())
        others = (above.sum() - above) / (below.sum() - below)
    games = len(above)
    if games < 2 or not np.isfinite(others).all():
        return Estimate(value, math.nan, math.nan, len(top), games)
    # A mean of figures of both signs may be 0, which has no logarithm.
    log = log and value > 0 and bool((others > 0).all() and (above >= 0).all())
    if log:
        others = np.log(others)
    error = float(np.sqrt((games - 1) * np.var(others)))
    # Rounding leaves a trace of error where all games have the same ratio.
    if error <= 1e-12 * (1 if log else abs(value)):
        error = 0.0
    reach = student.quantile(_TAIL, games - 1) * error
    if log:
        ends = value * math.exp(-reach), value * math.exp(reach)
    else:
        ends = value - reach, value + reach
    return Estimate(value, *ends, len(top), games, error, log)


def sums_together(values: Floats, together: Sequence[int] | None) -> Floats:
    """Return the sums of the values that come from one game."""
    if together is None:
        return values
    groups = np.unique(np.asarray(together), return_inverse=True)[1]
    return np.asarray(np.bincount(groups, weights=values), dtype=np.float64)
