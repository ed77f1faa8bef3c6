"""The weights of an evaluation: numbers, and what they are multiplied by."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import clip

Numbers = NDArray[Any]
"""An array of int64 or float64."""
Reals = NDArray[np.float64]
MAX_INT16: Final = 32_767


@dataclass(frozen=True, eq=False)
class Weights:
    """A vector of weights as a form uses them.

    The numbers are integers (int64, or int16 from a file) or floats (float64, or float32 from a
    file).  A weight is a number times the scale of its block; a form says how many blocks it has
    and how long they are.  Scales of 1 are the rule for weights that are written by hand.
    """

    numbers: Numbers
    scales: tuple[float, ...]

    @property
    def integral(self) -> bool:
        """Whether the numbers are integers."""
        return bool(np.issubdtype(self.numbers.dtype, np.integer))

    def vector(self, blocks: Sequence[int]) -> Reals:
        """Return the weights as floats; `blocks` are the lengths of the form's blocks."""
        reals: Reals = self.numbers.astype(np.float64) * np.repeat(self.scales, blocks)
        return reals


class WeightData(NamedTuple):
    """Weights in the order in which an evaluation reads them from memory."""

    numbers: Numbers
    scales: tuple[float, ...]


def scale_of(weights: Reals) -> float:
    """Return the scale with which weights become int16: number = weight / scale.

    It is 1 if they are integers that fit, else so that the largest one becomes 32,767.
    """
    largest = float(np.abs(weights).max(initial=0.0))
    if largest <= MAX_INT16 and bool((weights == np.rint(weights)).all()):
        return 1.0
    return largest / MAX_INT16


def as_numbers(values: Any, what: str) -> Numbers:
    """Return weights as an array of int64 or float64; raise ValueError if one is not a number.

    All of them become floats if one of them is a float.
    """
    try:
        array = np.asarray(values)
    except ValueError:  # lines of different lengths
        raise ValueError(f"{what}: lines have different lengths") from None
    if array.dtype.kind not in "iuf":
        raise ValueError(f"{what}: {clip(repr(values))} is not a number or an array of numbers")
    if array.dtype.kind == "f":
        if not np.isfinite(array).all():
            raise ValueError(f"{what}: {array[~np.isfinite(array)][0]} is not a finite number")
        return array.astype(np.float64)
    if array.size and max(abs(int(array.max())), abs(int(array.min()))) >= 1 << 53:
        raise ValueError(f"{what}: an integer weight must lie within ±2^53")
    return array.astype(np.int64)
