"""The value of a form once more, slow and obvious, number by number."""

import math
from collections.abc import Sequence
from typing import Any

from plyforge.game.forms import Blend, Feature, Form, Net, Own, Stages, Sum

ACTIVATIONS = {
    "linear": lambda x: x,
    "relu": lambda x: x if x > 0 else 0.0,
    "clipped relu": lambda x: 0.0 if x < 0 else 1.0 if x > 1 else x,
    "tanh": lambda x: 1 - 2 / (math.exp(2 * limited(x)) + 1),
    "sigmoid": lambda x: 1 / (1 + math.exp(-limited(x))),
}


def limited(x: float) -> float:
    """A number whose exponential is a float; beyond it the activations do not change."""
    return max(-300.0, min(300.0, x))


def inputs(form: Sum | Net, position: Any, weights: Sequence[float]) -> list[float]:
    """Every input in the order of the rows; a table that adds up itself counts as one."""
    found: list[float] = []
    for row in form.rows:
        if isinstance(row, Feature):
            counts = row.function(position)
            found += list(counts) if row.grouped else [counts]
        else:
            if row.by_place:
                indices = [row.function(position, place) for place in range(row.count)]
            else:
                indices = row.function(position)
                indices = indices if row.count > 1 else (indices,)
            found += [sum(index == place for index in indices) for place in range(row.size)]
    return found


def weighted(form: Sum, position: Any, weights: Sequence[float]) -> float:
    """The sum of one set of weights."""
    total, column = 0.0, 0
    for row in form.rows:
        part = list(weights[column : column + row.size])
        column += row.size
        if not isinstance(row, Feature) and row.count == 0:
            total += row.function(position, part)
            continue
        one = Sum("linear", (row,), None, form.finish)
        total += sum(x * w for x, w in zip(inputs(one, position, part), part, strict=True))
    return total


def smooth_value(form: Form, position: Any, weights: Sequence[float]) -> float:
    """The value without rounding."""
    if isinstance(form, Own):
        return float(form.function(position, list(weights)))
    if isinstance(form, Net):
        total = net_output(form, position, weights)
    else:
        sets = [weights[s * form.width : (s + 1) * form.width] for s in range(form.set_count)]
        sums = [weighted(form, position, one) for one in sets]
        if isinstance(form.stages, Stages):
            total = sums[form.stages.function(position)]
        elif isinstance(form.stages, Blend):
            share = form.stages.function(position) / form.stages.full
            total = sums[0] * share + sums[1] * (1 - share)
        else:
            total = sums[0]
    value = total / form.finish.unit
    limit = form.finish.limit
    return value if limit is None else max(-limit, min(limit, value))


def net_output(form: Net, position: Any, weights: Sequence[float]) -> float:
    values = inputs(form, position, weights)
    rest = list(weights)
    for outputs, activation in zip((*form.hidden, 1), form.activations, strict=True):
        matrix = [[rest.pop(0) for _ in range(outputs)] for _ in values]
        biases = [rest.pop(0) for _ in range(outputs)]
        values = [
            ACTIVATIONS[activation](
                biases[j] + sum(value * line[j] for value, line in zip(values, matrix, strict=True))
            )
            for j in range(outputs)
        ]
    assert not rest
    return values[0]


def value(form: Form, position: Any, weights: Sequence[float]) -> float:
    """The value; the limits of all forms with rounding are integers."""
    smooth = smooth_value(form, position, weights)
    rounding = None if isinstance(form, Own) else form.finish.rounding
    if rounding == "nearest":
        return math.floor(smooth + 0.5)
    return math.trunc(smooth) if rounding == "zero" else smooth
