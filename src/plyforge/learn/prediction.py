"""Predictions: evaluations on the scale of results.

An evaluation is a value for the side to move.  Learning compares it with results, and with
evaluations of other positions, so it is squashed to a range, such as 0 to 1, and seen by one side.
"""

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.game.forms.layers import activate
from plyforge.game.game import Game
from plyforge.learn.inputs import Reals
from plyforge.learn.kernels import tasks

SQUASHINGS: Final = {
    "identity": tasks.IDENTITY,
    "sigmoid": tasks.BY_SIGMOID,
    "tanh": tasks.BY_TANH,
}
_STEPS: Final = {"points": 100.0, "score": 10.0}
"""The number of steps between 0 and the maximum of an evaluation, as in `match.expectation`."""


@dataclass(frozen=True)
class Prediction:
    """How values become predictions.

    `sigmoid` gives 1 / (1 + e^(-value / scale)), from 0 to 1.  `tanh` gives tanh(value / scale),
    from -1 to 1.  `identity` keeps the value; a loss is then worth `minimum` and a win `maximum`.

    >>> Prediction("identity", minimum=0.0, maximum=1.0).reward(0.0)
    0.5
    """

    squash: str = "sigmoid"
    scale: float = 1.0
    minimum: float = 0.0
    maximum: float = 1.0

    def __post_init__(self) -> None:
        if self.squash not in SQUASHINGS:
            raise UnknownName("squashing", self.squash, SQUASHINGS)
        if not (math.isfinite(self.scale) and self.scale > 0):
            raise PlyforgeError(f"scale must be a positive number, not {self.scale}")
        if self.squash != "identity":
            object.__setattr__(self, "minimum", 0.0 if self.squash == "sigmoid" else -1.0)
            object.__setattr__(self, "maximum", 1.0)
        elif not (math.isfinite(self.maximum - self.minimum) and self.minimum < self.maximum):
            raise PlyforgeError(
                f"minimum must be less than maximum, not {self.minimum} and {self.maximum}"
            )

    @property
    def code(self) -> int:
        """The squashing, as kernels know it."""
        return SQUASHINGS[self.squash]

    def of(self, values: Any) -> Reals:
        """Return the predictions for values."""
        numbers = np.asarray(values, np.float64)
        return numbers if self.squash == "identity" else activate(self.squash, numbers / self.scale)

    def slopes(self, predictions: Reals) -> Reals:
        """Return the derivative of predictions by their values."""
        if self.squash == "identity":
            return np.ones_like(predictions)
        low, high = predictions - self.minimum, self.maximum - predictions
        return low * high / self.scale

    def flip(self, predictions: Any) -> Any:
        """Return predictions as the other side sees them."""
        return self.minimum + self.maximum - predictions

    def reward(self, result: Any) -> Any:
        """Return the prediction for a result from -1 (lost) to 1 (won)."""
        return self.minimum + (self.maximum - self.minimum) * (result + 1.0) / 2.0


def default_prediction(game: Game) -> Prediction:
    """Return how values of a game's evaluation become predictions.

    A probability stays as it is.  Points and final scores go through a sigmoid whose scale is that
    of the expected scores in matches: a hundredth or a tenth of the maximum evaluation.
    """
    meaning = game.rules.constant("EVALUATION_MEANING")
    low, high = game.rules.constant("EVALUATION_RANGE")
    if meaning == "probability":
        return Prediction("identity", 1.0, float(low), float(high))
    return Prediction("sigmoid", game.evaluation_limit / _STEPS[meaning])
