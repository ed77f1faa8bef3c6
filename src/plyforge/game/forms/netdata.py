"""The weights of a net in memory: their types, their order, and proofs that sums do not overflow.

With int16 weights, the part of the first layer that comes from tables is a sum of integers, which
is kept from ply to ply and never drifts.  If there are no other inputs, and the layer's activation
is piecewise linear, its products with the second layer's weights are integers too.  Whether int16
is enough for the sums, and int32 for the products, is proved from the weights; if not, the sums are
int32, or the net is computed with floats.
"""

from typing import TYPE_CHECKING, Final

import numpy as np

from plyforge.game.forms.layers import Layer, matrix
from plyforge.game.forms.rows import Feature, Table
from plyforge.game.forms.weights import MAX_INT16, Numbers, Reals, WeightData, Weights, scale_of

if TYPE_CHECKING:
    from plyforge.game.forms.nets import Net

MAX_INT32: Final = (1 << 31) - 1
_MAX_ONE: Final = 1 << 30
"""The maximum of what stands for 1 among sums.  If it does not fit them, they never reach 1."""
PIECEWISE: Final = ("linear", "relu", "clipped relu")
"""Activations that keep integers, at least up to a limit that is one."""
IN_INT16, IN_INT32, FROM_SCRATCH = "int16/int16", "int16/int32", "float64"
"""Kinds of int16 weights: with sums of int16 or int32 between plies, or without sums.

Without tables there is no sum, and all weights are read as float64: it saves converting them at
every evaluation, and one kernel serves all of them.
"""


def index_count(net: "Net") -> int:
    """Return the number of indices that the tables of a net have in a position."""
    return sum(row.count for row in net.rows if isinstance(row, Table))


def multiplies_integers(net: "Net") -> bool:
    """Whether the products of the first with the second layer are integers if weights are int16."""
    features = any(isinstance(row, Feature) for row in net.rows)
    return not features and net.activations[0] in PIECEWISE


def data_kind(net: "Net", weights: Weights) -> str:
    """Return how weights are read from memory: the type of the numbers, and that of the sums."""
    if not index_count(net):
        return FROM_SCRATCH
    if weights.numbers.dtype == np.float32 and set(weights.scales) == {1.0}:
        return "float32"
    if weights.numbers.dtype != np.int16:
        return "float64"
    numbers = weights.numbers.astype(np.float64)
    bounds = sum_bounds(net, numbers)
    if multiplies_integers(net):
        one = _one(weights.scales[0])
        if not one or _max_product(net, numbers, _activated(net, bounds, one)) > MAX_INT32:
            return "float64"
    if bounds.max() <= MAX_INT16:
        return IN_INT16
    return IN_INT32 if bounds.max() <= MAX_INT32 else "float64"


def net_data(net: "Net", weights: Weights) -> WeightData:
    """Return the weights in the order in which the net reads them.

    If products are integers, the second layer is ordered by output, and the first two scales are
    what stands for 1 among the sums, and the scale of the products.
    """
    kind = data_kind(net, weights)
    if kind[0] == "f":
        numbers = weights.numbers if kind == "float32" else weights.vector(net.blocks)
        return WeightData(numbers, (1.0,) * len(net.blocks))
    if not multiplies_integers(net):
        return WeightData(weights.numbers, weights.scales)
    first, second, *rest = weights.scales
    scales = (float(_one(first)), first * second, *rest)
    return WeightData(_by_output(net.layers[1], weights.numbers), scales)


def net_scales(net: "Net", vector: Reals) -> tuple[float, ...]:
    """Return the scales with which weights become int16.

    That of the first layer is as small as sums of int16 allow, that of the second as products of
    int32 allow.
    """
    layers = net.layers
    scales = [scale_of(vector[layer.start : layer.start + layer.size]) for layer in layers]
    count = index_count(net)
    bounds = sum_bounds(net, vector)
    largest, room = float(bounds.max()), MAX_INT16 - 0.5 * (count + 1)
    if not count or (scales[0] == 1 and largest <= MAX_INT16 and not multiplies_integers(net)):
        return tuple(scales)
    if not multiplies_integers(net):
        return (max(scales[0], largest / room), *scales[1:])
    one = 1
    if scales[0] != 1 or largest > MAX_INT16:
        one = int(min(room / largest, _MAX_ONE))
    if one < 1:  # too large for integers
        return tuple(scales)
    values = _activated(net, bounds * one + 0.5 * (count + 1), one)
    needed = _max_product(net, vector, values) / (MAX_INT32 - 0.5 * float(values.sum()))
    return (1 / one, max(scales[1], needed), *scales[2:])


def sum_bounds(net: "Net", vector: Reals) -> Reals:
    """Return for each unit of the first layer how large the sum of tables and bias can be."""
    layer = net.layers[0]
    sizes = np.abs(matrix(layer, vector))
    bounds: Reals = np.abs(vector[layer.biases : layer.biases + layer.outputs])
    column = 0
    for row in net.rows:
        if isinstance(row, Table):
            bounds = bounds + row.count * sizes[column : column + row.size].max(axis=0)
        column += row.size
    return bounds


def _activated(net: "Net", bounds: Reals, one: int) -> Reals:
    """Return how large the units of the first layer can be after the activation."""
    return np.minimum(bounds, one) if net.activations[0] == "clipped relu" else bounds


def _max_product(net: "Net", vector: Reals, values: Reals) -> float:
    """Return how large the product of the first layer with an output of the second can be."""
    return float((values @ np.abs(matrix(net.layers[1], vector))).max())


def _one(scale: float) -> int:
    """Return the integer that stands for 1 at a scale; 0 if there is none."""
    one = round(1 / scale)
    return one if 1 <= one <= _MAX_ONE and abs(one * scale - 1) < 1e-9 else 0


def _by_output(layer: Layer, numbers: Numbers) -> Numbers:
    """Return the numbers with those of one layer ordered by output, then by input."""
    turned = numbers.copy()
    turned[layer.start : layer.biases] = matrix(layer, numbers).T.reshape(-1)
    return turned
