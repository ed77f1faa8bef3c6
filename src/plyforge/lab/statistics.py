"""Means and ratios with bootstrap intervals (Efron 1979): positions are drawn again and again.

Positions of one game are alike, and a game more tells more than another position of a known one.
Where positions belong together they are drawn together, as many games as there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

_DRAWS: Final = 2000
_SEED: Final = 1979
_TAIL: Final = 2.5
"""Percent beyond each end of a 95 % interval."""

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Estimate:
    """A figure, its 95 % interval, and how many positions it rests on."""

    value: float
    low: float
    high: float
    count: int

    def holds(self, value: float) -> bool:
        """Whether a value lies in the interval."""
        return self.low <= value <= self.high

    def mapped(self, scale: float, shift: float = 0.0) -> "Estimate":
        """The same figure times `scale` plus `shift`."""
        ends = sorted((self.low * scale + shift, self.high * scale + shift))
        return Estimate(self.value * scale + shift, ends[0], ends[1], self.count)


def mean(values: Sequence[float], together: Sequence[int] | None = None) -> Estimate:
    """The mean of values; those with the same number in `together` are drawn together."""
    return ratio(values, [1.0] * len(values), together)


def ratio(
    values: Sequence[float], baseline: Sequence[float], together: Sequence[int] | None = None
) -> Estimate:
    """The ratio of two means over the same positions, drawn in pairs; `together` as in `mean`."""
    top, bottom = np.asarray(values, np.float64), np.asarray(baseline, np.float64)
    above, below = _sums(top, together), _sums(bottom, together)
    drawn = np.random.default_rng(_SEED).integers(0, len(above), (_DRAWS, len(above)))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = above[drawn].sum(axis=1) / below[drawn].sum(axis=1)
        value = float(top.sum() / bottom.sum())
    return _estimate(value, found, len(top))


def _sums(values: Floats, together: Sequence[int] | None) -> Floats:
    """The sums of what is drawn together.  Of a single game nothing could be drawn: its positions
    are taken one by one, and the interval is too narrow rather than a point."""
    if together is None or len(set(together)) < 2:
        return values
    groups = np.unique(np.asarray(together), return_inverse=True)[1]
    return np.asarray(np.bincount(groups, weights=values), dtype=np.float64)


def _estimate(value: float, drawn: Floats, count: int) -> Estimate:
    finite = drawn[np.isfinite(drawn)]
    if not len(finite):
        return Estimate(value, value, value, count)
    low, high = np.percentile(finite, (_TAIL, 100 - _TAIL))
    return Estimate(value, float(low), float(high), count)
