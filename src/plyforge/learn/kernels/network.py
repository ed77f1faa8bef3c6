"""The value of a network in one position, and the gradient by back-propagation.

D. Rumelhart, G. Hinton, R. Williams, Learning representations by back-propagating errors, Nature
323, 1986.  The inputs of a position are sparse: columns, and the factors in them.  A weighted sum
is a network of one layer without biases.

The words of a shape: the number of layers, whether they have biases, and for each layer its inputs,
outputs, the place of its first weight, and its activation.  The weights of a layer are ordered by
input, then by output; its biases follow.
"""

from typing import Any, Final

from plyforge.compilation.hooks_api import offset
from plyforge.learn.kernels.functions import activate

LAYERS: Final = 0
BIASED: Final = 1
HEADER: Final = 2
INPUTS: Final = 0
OUTPUTS: Final = 1
START: Final = 2
ACTIVATION: Final = 3
LAYER_WORDS: Final = 4


def add_row(sums: Any, row: Any, factor: float, count: int) -> None:
    """Add a row times a factor to the sums."""
    for j in range(count):
        sums[j] += factor * row[j]


def add_rows(sums: Any, weights: Any, columns: Any, factors: Any, entry: int, count: int) -> None:
    """Add the rows of four inputs, each times its factor, to the sums."""
    p = offset(weights, columns[entry] * count)
    q = offset(weights, columns[entry + 1] * count)
    r = offset(weights, columns[entry + 2] * count)
    s = offset(weights, columns[entry + 3] * count)
    a = factors[entry]
    b = factors[entry + 1]
    c = factors[entry + 2]
    d = factors[entry + 3]
    for j in range(count):
        sums[j] += (a * p[j] + b * q[j]) + (c * r[j] + d * s[j])


def spread(
    gradient: Any, delta: Any, columns: Any, factors: Any, begin: int, end: int, count: int
) -> None:
    """Add the derivatives by the sums, times the factor of each input, to the rows of the inputs.

    Three rows at a time share the work of a loop, which is as long as the sums of a small layer.
    """
    whole = end - (end - begin) % 3
    for entry in range(begin, whole, 3):
        p = offset(gradient, columns[entry] * count)
        q = offset(gradient, columns[entry + 1] * count)
        r = offset(gradient, columns[entry + 2] * count)
        a = factors[entry]
        b = factors[entry + 1]
        c = factors[entry + 2]
        for j in range(count):
            p[j] += a * delta[j]
            q[j] += b * delta[j]
            r[j] += c * delta[j]
    for entry in range(whole, end):
        add_row(offset(gradient, columns[entry] * count), delta, factors[entry], count)


def product(one: Any, other: Any, count: int) -> float:
    """Return the sum of products, in four parts that do not wait for one another."""
    a = b = c = d = 0.0
    whole = count - count % 4
    for j in range(0, whole, 4):
        a += one[j] * other[j]
        b += one[j + 1] * other[j + 1]
        c += one[j + 2] * other[j + 2]
        d += one[j + 3] * other[j + 3]
    for j in range(whole, count):
        a += one[j] * other[j]
    return (a + b) + (c + d)


def first_layer(
    sums: Any, weights: Any, columns: Any, factors: Any, begin: int, end: int, outputs: int
) -> None:
    """Add the rows of the inputs of a position to the sums."""
    if outputs == 1:
        total = 0.0
        for entry in range(begin, end):
            total += factors[entry] * weights[columns[entry]]
        sums[0] += total
        return
    whole = end - (end - begin) % 4
    for entry in range(begin, whole, 4):
        add_rows(sums, weights, columns, factors, entry, outputs)
    for entry in range(whole, end):
        add_row(sums, offset(weights, columns[entry] * outputs), factors[entry], outputs)


def forward(
    shape: Any,
    weights: Any,
    columns: Any,
    factors: Any,
    begin: int,
    end: int,
    work: Any,
    units: int,
) -> float:
    """Return the output for the inputs from `begin` to `end`.

    `work` receives the values of all units, and behind them their slopes; there are `units` of
    them.
    """
    place = before = 0
    for number in range(shape[LAYERS]):
        layer = offset(shape, HEADER + LAYER_WORDS * number)
        inputs = layer[INPUTS]
        outputs = layer[OUTPUTS]
        start = layer[START]
        values = offset(work, place)
        biases = offset(weights, start + inputs * outputs)
        for j in range(outputs):
            values[j] = biases[j] if shape[BIASED] else 0.0
        if number == 0:
            first_layer(values, weights, columns, factors, begin, end, outputs)
        elif outputs == 1:
            values[0] += product(offset(work, before), offset(weights, start), inputs)
        else:
            for i in range(inputs):
                add_row(values, offset(weights, start + i * outputs), work[before + i], outputs)
        activate(layer[ACTIVATION], values, offset(work, units + place), outputs)
        before = place
        place += outputs
    return work[before]


def backward(
    shape: Any,
    weights: Any,
    columns: Any,
    factors: Any,
    begin: int,
    end: int,
    work: Any,
    units: int,
    outer: float,
    gradient: Any,
) -> None:
    """Add the derivative of the output by the weights, times `outer`, to the gradient.

    `work` is as `forward` leaves it; the derivatives by the sums of all units go behind the slopes.
    """
    place = units - 1
    work[2 * units + place] = outer * work[units + place]
    for number in range(shape[LAYERS] - 1, -1, -1):
        layer = offset(shape, HEADER + LAYER_WORDS * number)
        inputs = layer[INPUTS]
        outputs = layer[OUTPUTS]
        start = layer[START]
        delta = offset(work, 2 * units + place)
        if shape[BIASED]:
            add_row(offset(gradient, start + inputs * outputs), delta, 1.0, outputs)
        if number == 0:
            if outputs == 1:
                for entry in range(begin, end):
                    gradient[columns[entry]] += factors[entry] * delta[0]
            else:
                spread(gradient, delta, columns, factors, begin, end, outputs)
        else:
            before = place - inputs
            values = offset(work, before)
            slopes = offset(work, units + before)
            below = offset(work, 2 * units + before)
            rows = offset(weights, start)
            if outputs == 1:
                change = delta[0]
                add_row(offset(gradient, start), values, change, inputs)
                for i in range(inputs):
                    below[i] = change * rows[i] * slopes[i]
            else:
                for i in range(inputs):
                    row = start + i * outputs
                    add_row(offset(gradient, row), delta, values[i], outputs)
                    below[i] = product(offset(weights, row), delta, outputs) * slopes[i]
            place = before
