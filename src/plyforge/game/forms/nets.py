"""The form of a small net: rows as inputs, fully connected layers, one output.

Inputs are those of a weighted sum: a feature is one input, a table an input for each of its
entries, which is 1 where an index chooses it.  The weights of a layer are ordered by input, then by
output; its biases follow.  A net always reads its weights from memory.
"""

from dataclasses import dataclass
from types import FunctionType
from typing import Any

import numpy as np

from plyforge.game.forms.finish import Finish, Limits
from plyforge.game.forms.layers import Layer, activate, matrix, slope
from plyforge.game.forms.netdata import data_kind, net_data, net_scales
from plyforge.game.forms.netsource import link_net
from plyforge.game.forms.rows import Feature, Row, Table, labels
from plyforge.game.forms.source import FormHooks
from plyforge.game.forms.sums import Term, chosen, finish_terms
from plyforge.game.forms.weights import Reals, WeightData, Weights


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
        updates = [row.update for row in self.rows if isinstance(row, Table) and row.update]
        return [row.function for row in self.rows] + updates

    def describe(self) -> dict[str, Any]:
        """Return all that decides the meaning of the weights except the functions."""
        return {
            "kind": self.kind,
            "rows": [[*labels(row), row.size, *_places(row)] for row in self.rows],
            "hidden": list(self.hidden),
            "activations": list(self.activations),
            "finish": [self.finish.unit, self.finish.limit, self.finish.rounding],
        }

    def data_kind(self, weights: Weights) -> str:
        """Return how weights are read from memory: their type, and that of their sums."""
        return data_kind(self, weights)

    def data(self, weights: Weights) -> WeightData:
        """Return the weights as the net reads them from memory."""
        return net_data(self, weights)

    def link_data(self, kind: str, limits: Limits, file: str) -> FormHooks:
        """Return the hooks `begin`, `advance` and `evaluate` for a block of what `data` returns."""
        return link_net(self, kind, limits, file)

    def scales(self, vector: Reals) -> tuple[float, ...]:
        """Return the scales with which weights become int16."""
        return net_scales(self, vector)

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


def _places(row: Feature | Table) -> list[int]:
    """Return the number of places of a table that is read by place: its function does not say."""
    return [row.count] if isinstance(row, Table) and row.by_place else []
