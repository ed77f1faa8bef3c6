"""Means and ratios with bootstrap intervals (Efron 1979).

Positions of one game resemble each other, so another game carries more information than another
position of the same game. Where positions belong to games, whole games are resampled.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

_DRAWS: Final = 2000
_SEED: Final = 1979
_TAIL: Final = 2.5
"""The percentage beyond each end of a 95 % interval."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A figure, its 95 % interval, and the number of positions behind it."""

    value: float
    low: float
    high: float
    count: int

    def contains(self, value: float) -> bool:
        """Return whether a value lies in the interval."""
        return self.low <= value <= self.high

    def rescale(self, scale: float, shift: float = 0.0) -> "Estimate":
        """Return the figure and its interval times `scale` plus `shift`."""
        ends = sorted((self.low * scale + shift, self.high * scale + shift))
        return Estimate(self.value * scale + shift, ends[0], ends[1], self.count)


def mean(values: Sequence[float], together: Sequence[int] | None = None) -> Estimate:
    """Estimate a mean; values with the same number in `together` are resampled together."""
    return ratio(values, [1.0] * len(values), together)


def ratio(
    values: Sequence[float], baseline: Sequence[float], together: Sequence[int] | None = None
) -> Estimate:
    """Estimate the ratio of two means over the same positions, resampled in pairs."""
    top, bottom = np.asarray(values, np.float64), np.asarray(baseline, np.float64)
    above, below = sums_together(top, together), sums_together(bottom, together)
    sample = np.random.default_rng(_SEED).integers(0, len(above), (_DRAWS, len(above)))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = above[sample].sum(axis=1) / below[sample].sum(axis=1)
        value = float(top.sum() / bottom.sum())
    return _estimate(value, ratios, len(top))


def sums_together(values: Floats, together: Sequence[int] | None) -> Floats:
    """Return the sums of the values that are resampled together.

    A single game cannot be resampled, so its positions are taken one by one: the interval is too
    narrow, but not a point.
    """
    if together is None or len(set(together)) < 2:
        return values
    groups = np.unique(np.asarray(together), return_inverse=True)[1]
    return np.asarray(np.bincount(groups, weights=values), dtype=np.float64)


def _estimate(value: float, values: Floats, count: int) -> Estimate:
    finite = values[np.isfinite(values)]
    if not len(finite):
        return Estimate(value, value, value, count)
    low, high = np.percentile(finite, (_TAIL, 100 - _TAIL))
    return Estimate(value, float(low), float(high), count)
