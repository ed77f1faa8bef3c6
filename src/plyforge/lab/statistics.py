"""Means and ratios with bootstrap intervals (Efron 1979): positions are drawn again and again."""

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

    def mapped(self, scale: float, shift: float = 0.0) -> "Estimate":
        """The same figure times `scale` plus `shift`."""
        ends = sorted((self.low * scale + shift, self.high * scale + shift))
        return Estimate(self.value * scale + shift, ends[0], ends[1], self.count)


def mean(values: Sequence[float]) -> Estimate:
    """The mean of values."""
    array = np.asarray(values, dtype=np.float64)
    return _estimate(float(array.mean()), array[_draws(len(array))].mean(axis=1), len(array))


def ratio(values: Sequence[float], baseline: Sequence[float]) -> Estimate:
    """The ratio of two means over the same positions, drawn in pairs."""
    top, bottom = np.asarray(values, np.float64), np.asarray(baseline, np.float64)
    drawn = _draws(len(top))
    with np.errstate(divide="ignore", invalid="ignore"):
        found = top[drawn].sum(axis=1) / bottom[drawn].sum(axis=1)
        value = float(top.sum() / bottom.sum())
    return _estimate(value, found, len(top))


def _draws(count: int) -> npt.NDArray[np.int64]:
    """Positions drawn with replacement; the same ones for the same count."""
    return np.random.default_rng(_SEED).integers(0, count, (_DRAWS, count))


def _estimate(value: float, drawn: Floats, count: int) -> Estimate:
    finite = drawn[np.isfinite(drawn)]
    if not len(finite):
        return Estimate(value, value, value, count)
    low, high = np.percentile(finite, (_TAIL, 100 - _TAIL))
    return Estimate(value, float(low), float(high), count)
