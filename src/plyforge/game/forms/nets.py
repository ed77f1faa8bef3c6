"""The form of a small net: rows as inputs, fully connected layers, one output.

Inputs are those of a weighted sum: a feature is one input, a table an input for each of its
entries, which is 1 where an index chooses it.  The weights of a layer are ordered by input, then by
output; its biases follow.
"""

import math
from dataclasses import dataclass
from types import FunctionType
from typing import Any, Final

import numpy as np

from plyforge.game.forms.finish import Finish, Limits
from plyforge.game.forms.rows import Feature, Row, labels
from plyforge.game.forms.source import (
    Constants,
    Data,
    Reference,
    indent,
    make_function,
    row_values,
    scope_for,
)
from plyforge.game.forms.sums import Term, chosen, finish_terms
from plyforge.game.forms.weights import Numbers, Reals, Weights


def linear_unit(x: float) -> float:
    return x


def relu(x: float) -> float:
    return max(x, 0.0)


def clipped_relu(x: float) -> float:
    return min(max(x, 0.0), 1.0)


def tanh(x: float) -> float:
    return math.tanh(x)


def sigmoid(x: float) -> float:
    if x >= 0.0:
        return 1.0 / (1.0 + math.exp(-x))
    small = math.exp(x)
    return small / (1.0 + small)


ACTIVATIONS: Final = {
    "linear": linear_unit,
    "relu": relu,
    "clipped relu": clipped_relu,
    "tanh": tanh,
    "sigmoid": sigmoid,
}
"""The activations by name, as compiled code calls them; `activate` is the same for arrays."""


def activate(name: str, x: Reals) -> Reals:
    """Return the activation of an array."""
    if name == "tanh":
        return np.tanh(x)
    if name == "sigmoid":
        return 0.5 * (1.0 + np.tanh(0.5 * x))
    if name == "relu":
        return np.maximum(x, 0.0)
    return np.clip(x, 0.0, 1.0) if name == "clipped relu" else x


def slope(name: str, x: Reals) -> Reals:
    """Return the derivative of the activation of an array."""
    y = activate(name, x)
    if name == "tanh":
        return 1.0 - y * y
    if name == "sigmoid":
        return y * (1.0 - y)
    if name == "linear":
        return np.ones_like(x)
    return ((x > 0.0) & ((x < 1.0) | (name == "relu"))).astype(np.float64)


@dataclass(frozen=True)
class Layer:
    """A layer: its size, where its weights begin, and its activation."""

    inputs: int
    outputs: int
    start: int
    activation: str

    @property
    def biases(self) -> int:
        """Where the biases begin."""
        return self.start + self.inputs * self.outputs

    @property
    def size(self) -> int:
        """The number of weights and biases."""
        return (self.inputs + 1) * self.outputs


@dataclass(frozen=True)
class Net:
    """A net.  Every layer has a scale of its own."""

    rows: tuple[Row, ...]
    hidden: tuple[int, ...]
    activations: tuple[str, ...]
    """One for each hidden layer, and one for the output."""
    finish: Finish
    kind: str = "net"

    @property
    def layers(self) -> list[Layer]:
        """The layers, from the inputs to the output."""
        layers: list[Layer] = []
        start = 0
        inputs = sum(row.size for row in self.rows)
        for outputs, activation in zip((*self.hidden, 1), self.activations, strict=True):
            layers.append(Layer(inputs, outputs, start, activation))
            start += layers[-1].size
            inputs = outputs
        return layers

    @property
    def size(self) -> int:
        """The number of weights."""
        return sum(self.blocks)

    @property
    def blocks(self) -> tuple[int, ...]:
        """The lengths of the parts that have a scale of their own."""
        return tuple(layer.size for layer in self.layers)

    @property
    def functions(self) -> list[FunctionType]:
        """The author's functions, in the order of their declaration."""
        return [row.function for row in self.rows]

    def describe(self) -> dict[str, Any]:
        """Return all that decides the meaning of the weights except the functions."""
        return {
            "kind": self.kind,
            "rows": [[*labels(row), row.size] for row in self.rows],
            "hidden": list(self.hidden),
            "activations": list(self.activations),
            "finish": [self.finish.unit, self.finish.limit, self.finish.rounding],
        }

    def data(self, weights: Weights) -> Numbers:
        """Return the numbers that the evaluation reads, as one vector."""
        return weights.numbers

    def link(self, weights: Weights, limits: Limits, file: str) -> FunctionType:
        """Return `evaluate(position)` with the weights as constants."""
        scope = scope_for(file)
        return self._function(Constants(weights.numbers, weights.scales, scope), limits, scope)

    def link_data(self, weights: Weights, limits: Limits, file: str) -> FunctionType:
        """Return `evaluate(position, weights, scales)`, which reads what `data` returns."""
        scope = scope_for(file)
        return self._function(Data(scope), limits, scope)

    def _function(
        self, reference: Reference, limits: Limits, scope: dict[str, Any]
    ) -> FunctionType:
        for name in self.activations:
            scope[_name(name)] = ACTIVATIONS[name]
        first, *rest = self.layers
        body = [*self._first_layer(first, reference, scope), *_activate(first, 0, reference)]
        for number, layer in enumerate(rest, 1):
            weight = reference.at(f"{layer.start} + i * {layer.outputs} + j")
            body += _biases(layer, number, reference)
            body.append(f"for i in range({layer.inputs}):")
            body.append(f"    for j in range({layer.outputs}):")
            body.append(f"        layer_{number}[j] += layer_{number - 1}[i] * {weight}")
            body += _activate(layer, number, reference)
        body.append(f"total = layer_{len(rest)}[0]")
        body += self.finish.lines(False, "", 1, limits)
        return make_function(reference, body, scope)

    def _first_layer(self, layer: Layer, reference: Reference, scope: dict[str, Any]) -> list[str]:
        lines = _biases(layer, 0, reference)
        column = 0
        for number, row in enumerate(self.rows):
            name = f"row_{number}"
            scope[name] = row.function
            values, read = row_values(row, name)
            lines += read
            for index, value in enumerate(values):
                if isinstance(row, Feature):
                    place, factor = str((column + index) * layer.outputs), f"{value} * "
                else:
                    place, factor = f"({column} + {value}) * {layer.outputs}", ""
                lines.append(f"for j in range({layer.outputs}):")
                lines.append(f"    layer_0[j] += {factor}{reference.at(f'{place} + j')}")
            column += row.size
        return lines

    def inputs(self, position: Any) -> Reals:
        """Return the inputs in a position."""
        values: list[Any] = []
        for row in self.rows:
            if isinstance(row, Feature):
                counts = row.function(position)
                values += counts if row.grouped else [counts]
            else:
                ones = np.zeros(row.size)
                np.add.at(ones, chosen(row, position), 1.0)
                values += ones.tolist()
        return np.array(values, np.float64)

    def terms(self, weights: Weights, position: Any, value: float) -> list[Term]:
        """Return each row with its value and the slope of the net there, and the rest.

        A table counts with the sum of the slopes of the inputs that are on.
        """
        vector, inputs = weights.vector(self.blocks), self.inputs(position)
        slopes = self.input_slopes(vector, inputs) / self.finish.unit
        result: list[Term] = []
        column = 0
        for row in self.rows:
            part = slice(column, column + row.size)
            column += row.size
            if isinstance(row, Feature):
                rows = zip(row.names, inputs[part], slopes[part], strict=True)
                result += [(name, float(count), float(weight)) for name, count, weight in rows]
            else:
                result.append((row.name, float(inputs[part] @ slopes[part]), 1.0))
        (output,), _ = forward(self, vector, inputs[np.newaxis] @ matrix(self.layers[0], vector))
        exact = output / self.finish.unit
        rest = exact - sum(count * weight for _, count, weight in result)
        result.append(("rest", float(rest), 1.0))
        return [*result, *finish_terms(self.finish, result, value)]

    def input_slopes(self, vector: Reals, inputs: Reals) -> Reals:
        """Return the derivative of the output by every input."""
        _, sums = forward(self, vector, inputs[np.newaxis] @ matrix(self.layers[0], vector))
        delta = np.ones((1, 1))
        for layer, before in zip(reversed(self.layers), reversed(sums), strict=True):
            delta = (delta * slope(layer.activation, before)) @ matrix(layer, vector).T
        result: Reals = delta[0]
        return result


def matrix(layer: Layer, vector: Reals) -> Reals:
    """Return the weights of a layer, by input and output."""
    return vector[layer.start : layer.biases].reshape(layer.inputs, layer.outputs)


def forward(net: Net, vector: Reals, first: Reals) -> tuple[Reals, list[Reals]]:
    """Return the outputs for several positions, and the sums that enter each activation.

    `first` are the products of the inputs with the weights of the first layer, a line for each
    position.
    """
    sums: list[Reals] = []
    values = first
    for number, layer in enumerate(net.layers):
        if number:
            values = values @ matrix(layer, vector)
        sums.append(values + vector[layer.biases : layer.biases + layer.outputs])
        values = activate(layer.activation, sums[-1])
    return values[:, 0], sums


def _name(activation: str) -> str:
    return activation.replace(" ", "_") + "_activation"


def _biases(layer: Layer, number: int, reference: Reference) -> list[str]:
    return [
        f"layer_{number} = np.empty({layer.outputs})",
        f"for j in range({layer.outputs}):",
        *indent([f"layer_{number}[j] = {reference.at(f'{layer.biases} + j')}"]),
    ]


def _activate(layer: Layer, number: int, reference: Reference) -> list[str]:
    scale = reference.scale(number)
    value = f"layer_{number}[j] * {scale}" if scale else f"layer_{number}[j]"
    return [
        f"for j in range({layer.outputs}):",
        *indent([f"layer_{number}[j] = {_name(layer.activation)}({value})"]),
    ]
