"""Values and gradients over many positions, for learning, in plain NumPy.

A batch keeps what the form's functions return in each position, so that they run once for any
number of weight vectors.  `gradient` returns the derivative of a loss by the weights, given the
derivative of the loss by each value (back-propagation).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from plyforge.game.forms import Evaluation, Feature, Form, Net, Own, Sum, Table
from plyforge.game.forms.layers import activate, matrix, slope
from plyforge.game.forms.nets import forward
from plyforge.game.forms.sums import chosen
from plyforge.game.forms.tracing import trace
from plyforge.game.forms.weights import Reals


class Batch(Protocol):
    """Positions, as a form sees them."""

    def values(self, weights: Reals) -> Reals:
        """Return the value of every position."""

    def gradient(self, weights: Reals, outer: Reals) -> Reals:
        """Return the derivative of a loss by the weights; `outer` is that by the values.

        Rounding counts as if it did not happen; beyond a limit the derivative is 0.
        """


def make_batch(form: Form, positions: Sequence[Any]) -> Batch:
    """Read positions for a form."""
    if isinstance(form, Own):
        return OwnBatch(form, list(positions))
    with np.errstate(over="ignore"):
        entries = read_entries(form, positions)
    return SumBatch(form, entries) if isinstance(form, Sum) else NetBatch(form, entries)


def gradient(evaluation: Evaluation, position: Any) -> Reals:
    """Return the derivative of an evaluation's value by every weight, in one position."""
    batch = make_batch(evaluation.form, [position])
    return batch.gradient(evaluation.vector, np.ones(1))


@dataclass(frozen=True)
class Entries:
    """A sparse matrix: the inputs that are not 0, by position and column."""

    count: int
    """The number of positions."""
    rows: NDArray[np.int64]
    columns: NDArray[np.int64]
    factors: Reals

    def times(self, weights: Reals) -> Reals:
        """Return the product with a vector, or with a matrix."""
        if weights.ndim == 1:
            products = self.factors * weights[self.columns]
            return _count(self.rows, products, self.count)
        result = np.zeros((self.count, weights.shape[1]))
        np.add.at(result, self.rows, self.factors[:, np.newaxis] * weights[self.columns])
        return result

    def transposed_times(self, outer: Reals, columns: int) -> Reals:
        """Return the product of the transposed matrix with a vector, or with a matrix."""
        if outer.ndim == 1:
            return _count(self.columns, self.factors * outer[self.rows], columns)
        result = np.zeros((columns, outer.shape[1]))
        np.add.at(result, self.columns, self.factors[:, np.newaxis] * outer[self.rows])
        return result


def _count(places: NDArray[np.int64], values: Reals, size: int) -> Reals:
    """Return the sums of the values at each place."""
    return np.bincount(places, values, minlength=size).astype(np.float64)


@dataclass(frozen=True)
class SumBatch:
    """Positions for a weighted sum; a column for every weight."""

    form: Sum
    entries: Entries

    def values(self, weights: Reals) -> Reals:
        return self.form.finish.values(self.entries.times(weights))

    def gradient(self, weights: Reals, outer: Reals) -> Reals:
        slopes = self.form.finish.slopes(self.entries.times(weights))
        return self.entries.transposed_times(slopes * outer, self.form.size)


@dataclass(frozen=True)
class NetBatch:
    """Positions for a net; a column for every input."""

    form: Net
    entries: Entries

    def values(self, weights: Reals) -> Reals:
        outputs, _ = self._forward(weights)
        return self.form.finish.values(outputs)

    def _forward(self, weights: Reals) -> tuple[Reals, list[Reals]]:
        return forward(self.form, weights, self.entries.times(matrix(self.form.layers[0], weights)))

    def gradient(self, weights: Reals, outer: Reals) -> Reals:
        outputs, sums = self._forward(weights)
        result = np.empty(self.form.size)
        delta = (self.form.finish.slopes(outputs) * outer)[:, np.newaxis]
        for number, layer in reversed(list(enumerate(self.form.layers))):
            delta = delta * slope(layer.activation, sums[number])
            if number:
                before = self.form.layers[number - 1]
                by_weight = activate(before.activation, sums[number - 1]).T @ delta
            else:
                by_weight = self.entries.transposed_times(delta, layer.inputs)
            result[layer.start : layer.biases] = by_weight.reshape(-1)
            result[layer.biases : layer.biases + layer.outputs] = delta.sum(axis=0)
            delta = delta @ matrix(layer, weights).T
        return result


@dataclass(frozen=True)
class OwnBatch:
    """Positions for an author's own function, which runs for every call."""

    form: Own
    positions: list[Any]

    def values(self, weights: Reals) -> Reals:
        traces = [trace(self.form.function, position, weights) for position in self.positions]
        return np.array([value for value, _ in traces])

    def gradient(self, weights: Reals, outer: Reals) -> Reals:
        result = np.zeros(self.form.size)
        for position, factor in zip(self.positions, outer, strict=True):
            _, slopes = trace(self.form.function, position, weights)
            for index, one in slopes.items():
                result[index] += factor * one
        return result


def read_entries(form: Sum | Net, positions: Sequence[Any]) -> Entries:
    """Return the inputs of positions that are not 0, without compiled code."""
    rows: list[int] = []
    columns: list[int] = []
    factors: list[float] = []
    for number, position in enumerate(positions):
        inputs = list(_inputs(form, position))
        for start, share in _sets(form, position):
            rows += [number] * len(inputs)
            columns += [start + column for column, _ in inputs]
            factors += [share * factor for _, factor in inputs]
    return Entries(
        len(positions),
        np.array(rows, np.int64),
        np.array(columns, np.int64),
        np.array(factors, np.float64),
    )


def _sets(form: Sum | Net, position: Any) -> list[tuple[int, float]]:
    """Return where the weights that count begin, and how much they count."""
    if isinstance(form, Net):
        return [(0, 1.0)]
    shares = enumerate(form.shares(position))
    return [(number * form.width, float(share)) for number, share in shares if share]


def _inputs(form: Sum | Net, position: Any) -> list[tuple[int, float]]:
    """Return the inputs that are not 0: column and value."""
    result: list[tuple[int, float]] = []
    column = 0
    for row in form.rows:
        result += [(column + index, value) for index, value in _row_inputs(row, position) if value]
        column += row.size
    return result


def _row_inputs(row: Feature | Table, position: Any) -> list[tuple[int, float]]:
    if isinstance(row, Table):
        if row.count:
            return [(index, 1.0) for index in chosen(row, position)]
        # The sum is linear in the table, so that its derivatives do not depend on the entries.
        _, slopes = trace(row.function, position, np.zeros(row.size))
        return list(slopes.items())
    counts = row.function(position)
    return [(i, float(count)) for i, count in enumerate(counts if row.grouped else [counts])]
