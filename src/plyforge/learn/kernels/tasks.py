"""The kernel of learning: values, gradients, mini-batches and episodes, over one context.

One kernel has all tasks, since they share the network's code, and is compiled once for all games.
"""

import math
from typing import Any, Final

from plyforge.compilation.hooks_api import context_at
from plyforge.compilation.kernel import Kernel
from plyforge.compilation.records import Fixed, Reals, Record, Words
from plyforge.learn.kernels.functions import sigmoid, tanh
from plyforge.learn.kernels.network import backward, forward

# Tasks.
PREDICT: Final = 0
GRADIENT: Final = 1
TRAIN: Final = 2
EPISODE: Final = 3

# Squashings of values.
IDENTITY: Final = 0
BY_SIGMOID: Final = 1
BY_TANH: Final = 2

# Losses.
SQUARED: Final = 0
CROSS_ENTROPY: Final = 1

# Updates.
PLAIN: Final = 0
ADAM: Final = 1

_MIN_PROBABILITY: Final = 1e-12
_MEAN_DECAY: Final = 0.9
_SQUARE_DECAY: Final = 0.999
_ADAM_EPSILON: Final = 1e-8


class Learning(Record):
    """What a task reads and writes."""

    task: Fixed[int]
    count: Fixed[int]
    """The number of rows of `order`."""
    size: Fixed[int]
    """The number of weights."""
    units: Fixed[int]
    batch: Fixed[int]
    squash: Fixed[int]
    loss: Fixed[int]
    update: Fixed[int]
    online: Fixed[int]
    steps: int
    """The number of updates by Adam so far."""
    unit: Fixed[float]
    low: Fixed[float]
    high: Fixed[float]
    scale: Fixed[float]
    minimum: Fixed[float]
    maximum: Fixed[float]
    rate: Fixed[float]
    decay: Fixed[float]
    """The factor of traces: discount times lambda."""
    discount: Fixed[float]
    final: Fixed[float]
    """The prediction for the end of an episode."""
    penalty: Fixed[float]
    shape: Words
    starts: Words
    columns: Words
    order: Words
    sides: Words
    factors: Reals
    weights: Reals
    gradient: Reals
    work: Reals
    outputs: Reals
    targets: Reals
    means: Reals
    squares: Reals


def output_of(run: Learning, row: int) -> float:
    """Return the network's output for a row."""
    return forward(
        run.shape,
        run.weights,
        run.columns,
        run.factors,
        run.starts[row],
        run.starts[row + 1],
        run.work,
        run.units,
    )


def add_gradient(run: Learning, row: int, outer: float) -> None:
    """Add the gradient of the row whose output was computed last."""
    backward(
        run.shape,
        run.weights,
        run.columns,
        run.factors,
        run.starts[row],
        run.starts[row + 1],
        run.work,
        run.units,
        outer,
        run.gradient,
    )


def predict(run: Learning, output: float) -> Any:
    """Return the prediction for an output, and its derivative."""
    value = output / run.unit
    slope = 1.0 / run.unit
    if value < run.low or value > run.high:
        value = min(max(value, run.low), run.high)
        slope = 0.0
    if run.squash == BY_SIGMOID:
        y = sigmoid(value / run.scale)
        return y, slope * y * (1.0 - y) / run.scale
    if run.squash == BY_TANH:
        y = tanh(value / run.scale)
        return y, slope * (1.0 - y * y) / run.scale
    return value, slope


def loss_of(run: Learning, output: float, target: float) -> Any:
    """Return the loss of one position, and its derivative by the output."""
    value, slope = predict(run, output)
    if run.loss == SQUARED:
        error = value - target
        return error * error, 2.0 * error * slope
    p = min(max(value, _MIN_PROBABILITY), 1.0 - _MIN_PROBABILITY)
    entropy = -(target * math.log(p) + (1.0 - target) * math.log(1.0 - p))
    if run.squash == BY_SIGMOID:
        # The factor p (1 - p) of the slope cancels.
        inside = run.low <= output / run.unit <= run.high
        return entropy, (value - target) / (run.scale * run.unit) if inside else 0.0
    return entropy, slope * (p - target) / (p * (1.0 - p))


def clear(numbers: Any, count: int) -> None:
    """Set numbers to 0."""
    for i in range(count):
        numbers[i] = 0.0


def predictions(run: Learning) -> float:
    """Write the prediction for every row."""
    for k in range(run.count):
        run.outputs[k] = predict(run, output_of(run, run.order[k]))[0]
    return 0.0


def gradient(run: Learning) -> float:
    """Write the predictions, and the sum of their gradients times `targets`."""
    clear(run.gradient, run.size)
    for k in range(run.count):
        row = run.order[k]
        value, slope = predict(run, output_of(run, row))
        run.outputs[k] = value
        if slope != 0.0:
            add_gradient(run, row, slope * run.targets[k])
    return 0.0


def move_by_adam(
    weights: Any, slopes: Any, means: Any, squares: Any, count: int, step: float, root: float
) -> None:
    """Move the weights against the gradient.

    `step` is the rate divided by 1 - 0.9^t, `root` the square root of 1 - 0.999^t.
    """
    for i in range(count):
        g = slopes[i]
        m = _MEAN_DECAY * means[i] + (1.0 - _MEAN_DECAY) * g
        v = _SQUARE_DECAY * squares[i] + (1.0 - _SQUARE_DECAY) * (g * g)
        means[i] = m
        squares[i] = v
        weights[i] -= step * m / (math.sqrt(v) / root + _ADAM_EPSILON)


def move(weights: Any, slopes: Any, count: int, step: float) -> None:
    """Add the slopes times a step to the weights."""
    for i in range(count):
        weights[i] += step * slopes[i]


def train(run: Learning) -> float:
    """Train with mini-batches of the rows in `order`; return the sum of the losses."""
    total = 0.0
    for first in range(0, run.count, run.batch):
        last = min(first + run.batch, run.count)
        clear(run.gradient, run.size)
        share = 1.0 / (last - first)
        for k in range(first, last):
            row = run.order[k]
            loss, outer = loss_of(run, output_of(run, row), run.targets[row])
            total += loss
            add_gradient(run, row, outer * share)
        if run.penalty != 0.0:
            move(run.gradient, run.weights, run.size, run.penalty)
        run.steps += 1
        if run.update == ADAM:
            step = run.rate / (1.0 - _MEAN_DECAY**run.steps)
            root = math.sqrt(1.0 - _SQUARE_DECAY**run.steps)
            move_by_adam(run.weights, run.gradient, run.means, run.squares, run.size, step, root)
        else:
            move(run.weights, run.gradient, run.size, -run.rate)
    return total


def prediction_for_first(run: Learning, row: int) -> Any:
    """Return the prediction for a row from the perspective of the first side, and its derivative.

    A row whose value is known has it in `targets`, which is NaN elsewhere.
    """
    known = run.targets[row]
    if known == known:
        return known, 0.0
    value, slope = predict(run, output_of(run, row))
    if run.sides[row] == 0:
        return value, slope
    return run.minimum + run.maximum - value, -slope


def episode(run: Learning) -> float:
    """Learn from one episode by TD(lambda) with traces; return the sum of squared errors.

    `gradient` holds the trace.  With `online`, the weights move at every step; otherwise the sum of
    error times trace goes to `means`, and the weights stay.  A discount moves predictions towards
    the middle of their range, so that it favours no side.
    """
    clear(run.gradient, run.size)
    centre = 0.5 * (run.minimum + run.maximum)
    total = 0.0
    for row in range(run.count):
        if row + 1 < run.count:
            after = centre + run.discount * (prediction_for_first(run, row + 1)[0] - centre)
        else:
            after = run.final
        value, slope = prediction_for_first(run, row)
        trace = run.gradient
        for i in range(run.size):
            trace[i] *= run.decay
        if slope != 0.0:
            add_gradient(run, row, slope)
        error = after - value
        total += error * error
        if run.online:
            move(run.weights, run.gradient, run.size, run.rate * error)
        else:
            move(run.means, run.gradient, run.size, error)
    return total


def learn(nothing: Any, context: Any) -> float:
    """Do the task of a context."""
    run = context_at(context)
    if run.task == PREDICT:
        return predictions(run)
    if run.task == GRADIENT:
        return gradient(run)
    if run.task == TRAIN:
        return train(run)
    return episode(run)


LEARN = Kernel("learn", learn, "float64(position, address)", context=Learning)
