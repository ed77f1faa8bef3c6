"""Weights in fewer bits: int16 with a scale, or float32, and what this changes."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import numpy as np

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.game.forms import Evaluation, Weights

INT16: Final = "int16"
FLOAT32: Final = "float32"
PRECISIONS: Final = (INT16, FLOAT32)


@dataclass(frozen=True)
class QuantisationError:
    """How far the values of stored weights are from those of the original ones."""

    max_weight: float
    """The largest change of a weight."""
    positions: int
    """The number of positions that were compared; the figures below are over these."""
    max_value: float
    mean_value: float

    def __str__(self) -> str:
        text = f"weights change by at most {self.max_weight:.3g}"
        if not self.positions:
            return text
        return (
            f"{text}, values by at most {self.max_value:.3g} and {self.mean_value:.3g} on average"
            f" ({self.positions} positions)"
        )


def quantise(evaluation: Evaluation, precision: str = INT16) -> Evaluation:
    """Return the evaluation with weights in fewer bits.

    An int16 is the weight divided by a scale, which each block of the form has for itself.  The
    form chooses them; see `scales` of sums and of nets.
    """
    if precision not in PRECISIONS:
        raise UnknownName("precision", precision, PRECISIONS)
    form, vector = evaluation.form, evaluation.vector
    if precision == FLOAT32:
        if (np.abs(vector) > np.finfo(np.float32).max).any():
            raise PlyforgeError("a weight is too large for float32")
        weights = Weights(vector.astype(np.float32), (1.0,) * len(form.blocks))
    else:
        parts = np.split(vector, np.cumsum(form.blocks)[:-1])
        scales = form.scales(vector)
        numbers = [np.rint(part / scale) for part, scale in zip(parts, scales, strict=True)]
        weights = Weights(np.concatenate(numbers).astype(np.int16), scales)
    return replace(evaluation, weights=weights)


def quantisation_error(
    original: Evaluation, stored: Evaluation, positions: Sequence[Any]
) -> QuantisationError:
    """Compare stored weights with the original ones, by weight and in positions."""
    weight = float(np.abs(stored.vector - original.vector).max(initial=0.0))
    with np.errstate(over="ignore"):
        errors = [abs(stored.evaluate(p) - original.evaluate(p)) for p in positions]
    if not errors:
        return QuantisationError(weight, 0, 0.0, 0.0)
    return QuantisationError(weight, len(errors), float(max(errors)), float(np.mean(errors)))
