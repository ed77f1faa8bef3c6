"""Networks: values and gradients of many positions, in a kernel.

`evaluate.batch` does the same in NumPy, and is what the tests compare this with.
"""

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from plyforge.compilation.kernel import Backend
from plyforge.core.errors import PlyforgeError
from plyforge.game.forms import Net, Sum
from plyforge.game.forms.finish import Finish
from plyforge.game.forms.layers import Layer, initial_weights
from plyforge.learn.execution import Context
from plyforge.learn.inputs import Indices, Inputs, Reals
from plyforge.learn.kernels import tasks
from plyforge.learn.kernels.functions import ACTIVATION_CODES
from plyforge.learn.prediction import Prediction

IDENTITY: Final = Prediction("identity")
NO_FINISH: Final = Finish()


@dataclass(frozen=True)
class Network:
    """Fully connected layers with one output.  A weighted sum is one layer without biases."""

    layers: tuple[Layer, ...]
    biased: bool
    finish: Finish = NO_FINISH
    backend: Backend = "compiled"

    @classmethod
    def of_form(cls, form: Sum | Net, backend: Backend = "compiled") -> "Network":
        """Return the network of a form; rounding is left out, since it has no derivative."""
        finish = Finish(form.finish.unit, form.finish.limit)
        if isinstance(form, Net):
            return cls(tuple(form.layers), True, finish, backend)
        return cls((Layer(form.size, 1, 0, "linear"),), False, finish, backend)

    @property
    def inputs(self) -> int:
        """The number of inputs."""
        return self.layers[0].inputs

    @property
    def size(self) -> int:
        """The number of weights."""
        return sum(
            layer.inputs * layer.outputs + self.biased * layer.outputs for layer in self.layers
        )

    @property
    def units(self) -> int:
        """The number of units in all layers."""
        return sum(layer.outputs for layer in self.layers)

    @cached_property
    def _shape(self) -> Indices:
        words = [len(self.layers), int(self.biased)]
        for layer in self.layers:
            activation = ACTIVATION_CODES[layer.activation]
            words += [layer.inputs, layer.outputs, layer.start, activation]
        return np.array(words, np.int64)

    def context(
        self, weights: Reals, inputs: Inputs, prediction: Prediction, **values: Any
    ) -> Context:
        """Return the context of a task; it uses and may change the array of weights."""
        inputs.check(self.inputs)
        if weights.shape != (self.size,):
            raise PlyforgeError(f"the model has {self.size} weights, not {weights.shape}")
        low, high = self.finish.bounds(None)
        return Context(
            self.backend,
            size=self.size,
            units=self.units,
            unit=float(self.finish.unit),
            low=low,
            high=high,
            squash=prediction.code,
            scale=prediction.scale,
            minimum=prediction.minimum,
            maximum=prediction.maximum,
            shape=self._shape,
            starts=inputs.starts,
            columns=inputs.columns,
            factors=inputs.factors,
            weights=weights,
            work=np.zeros(3 * self.units),
            **values,
        )

    def predictions(
        self, weights: Reals, inputs: Inputs, prediction: Prediction = IDENTITY
    ) -> Reals:
        """Return the prediction for every position; by default its value."""
        outputs = np.zeros(inputs.count)
        self.context(
            _vector(weights),
            inputs,
            prediction,
            task=tasks.PREDICT,
            count=inputs.count,
            order=np.arange(inputs.count),
            outputs=outputs,
        ).run()
        return outputs

    def gradient(
        self, weights: Reals, inputs: Inputs, outer: Reals, prediction: Prediction = IDENTITY
    ) -> Reals:
        """Return the derivative of a loss by the weights.

        `outer` is its derivative by the predictions.  Beyond a limit the derivative is 0.
        """
        gradient = np.zeros(self.size)
        self.context(
            _vector(weights),
            inputs,
            prediction,
            task=tasks.GRADIENT,
            count=inputs.count,
            order=np.arange(inputs.count),
            outputs=np.zeros(inputs.count),
            targets=_vector(outer),
            gradient=gradient,
        ).run()
        return gradient


def _vector(weights: Any) -> Reals:
    return np.ascontiguousarray(weights, np.float64)


__all__ = ["IDENTITY", "NO_FINISH", "Network", "initial_weights"]
