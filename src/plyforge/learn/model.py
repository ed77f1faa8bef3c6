"""Models: evaluations as functions of weights that can be learned.

A model returns values, predictions and their gradients for given weights.  A `GameModel` also reads
positions of its game.  Weighted sums and nets run in a kernel (`Network`); an author's own function
runs uncompiled on numbers that record what is done with them.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from plyforge.compilation.kernel import Backend
from plyforge.core.errors import PlyforgeError
from plyforge.evaluate.batch import OwnBatch
from plyforge.evaluate.choosing import evaluation_of
from plyforge.game.forms import Evaluation, Form, Own
from plyforge.game.forms.layers import Layer
from plyforge.game.game import Game
from plyforge.learn.inputs import AnyInputs, Indices, Inputs, PositionInputs, Reals
from plyforge.learn.network import Network
from plyforge.learn.prediction import Prediction, default_prediction
from plyforge.learn.reading import Reader


class Model:
    """A function of inputs and weights, and how its values become predictions.

    >>> model = Model.linear(2, Prediction("identity", minimum=-1.0))
    >>> inputs = Inputs.from_rows([[1, 3]])
    >>> model.values(np.array([2.0, 1.0]), inputs).tolist()
    [5.0]
    """

    def __init__(
        self,
        form: Form | Network,
        prediction: Prediction | None = None,
        backend: Backend = "compiled",
    ) -> None:
        self.prediction = prediction or Prediction()
        self._own = form if isinstance(form, Own) else None
        self.network: Network | None = None
        """What kernels compute; None for an author's own function."""
        if isinstance(form, Network):
            self.network = form
        elif not isinstance(form, Own):
            self.network = Network.of_form(form, backend)
        self.size = form.size
        """The number of weights."""

    @classmethod
    def linear(cls, inputs: int, prediction: Prediction | None = None) -> "Model":
        """Return a weighted sum of so many inputs."""
        return cls(Network((Layer(inputs, 1, 0, "linear"),), biased=False), prediction)

    def values(self, weights: Reals, inputs: AnyInputs) -> Reals:
        """Return the values of positions for the side to move, without rounding."""
        if isinstance(inputs, Inputs):
            return self._kernel.predictions(weights, inputs)
        return self._batch(inputs).values(self._check(weights))

    def predictions(self, weights: Reals, inputs: AnyInputs) -> Reals:
        """Return the predictions for the side to move."""
        if isinstance(inputs, Inputs):
            return self._kernel.predictions(weights, inputs, self.prediction)
        return self.prediction.of(self.values(weights, inputs))

    def gradient(self, weights: Reals, inputs: AnyInputs, outer: Reals) -> Reals:
        """Return the derivative of a loss by the weights; `outer` is that by the predictions."""
        if isinstance(inputs, Inputs):
            return self._kernel.gradient(weights, inputs, outer, self.prediction)
        slopes = self.prediction.slopes(self.predictions(weights, inputs))
        return self._batch(inputs).gradient(self._check(weights), slopes * outer)

    def _check(self, weights: Reals) -> Reals:
        if np.shape(weights) != (self.size,):
            raise PlyforgeError(f"the model has {self.size} weights, not {np.shape(weights)}")
        return weights

    @property
    def _kernel(self) -> Network:
        if self.network is None:
            raise PlyforgeError("the inputs were read for another model")
        return self.network

    def _batch(self, inputs: PositionInputs) -> OwnBatch:
        if self._own is None:
            raise PlyforgeError("the inputs were read for another model")
        return OwnBatch(self._own, list(inputs.positions))


class GameModel(Model):
    """The evaluation of a game as a model."""

    def __init__(
        self,
        game: Game,
        evaluation: Evaluation | None = None,
        prediction: Prediction | None = None,
    ) -> None:
        self.game = game
        self.evaluation = evaluation_of(game) if evaluation is None else evaluation
        form = self.evaluation.form
        super().__init__(form, prediction or default_prediction(game), game.backend)
        self._reader = None if isinstance(form, Own) else Reader(game, form)

    @property
    def start(self) -> Reals:
        """The weights of the evaluation."""
        return self.evaluation.vector

    def read(self, positions: Sequence[Any]) -> AnyInputs:
        """Return the inputs of positions."""
        if self._reader is None:
            return PositionInputs(tuple(positions))
        return self._reader.read(positions)

    def read_line(self, start: Any, moves: Sequence[int]) -> tuple[AnyInputs, Indices]:
        """Return the inputs of a position and of those after each move, and who is to move in each.

        Sides are 0 and 1; 0 is the side to move at the start, in a game without the hook `turn`.
        """
        if self._reader is not None:
            return self._reader.read_line(start, moves)
        positions, sides = [start], [self.game.turn(start) or 0]
        for move in moves:
            positions.append(self.game.play(positions[-1], move))
            side = self.game.turn(positions[-1])
            sides.append(1 - sides[-1] if side is None else side)
        return PositionInputs(tuple(positions)), np.array(sides, np.int64)

    def with_weights(self, weights: Reals) -> Evaluation:
        """Return the evaluation with other weights."""
        return self.evaluation.with_weights(weights)
