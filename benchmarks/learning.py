"""Positions trained a second, against NumPy and against torch on one thread.

A net with one hidden layer of tanh units is trained with Adam on the squared error of random
targets. 28 inputs are features, none of them 0. Of 768 inputs, as many as a board has cells with
pieces, 32 are on: Plyforge reads those alone, the others multiply with the whole matrix, which is
what they are best at. All numbers of Plyforge are float64; the others use float32, which is their
faster type. Each side has its inputs in the order in which it takes them.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from benchmarks.clock import MeasurementError, Settings, in_process, interleave
from benchmarks.table import Row
from benchmarks.targets import RATIOS
from plyforge.game.forms.layers import Layer
from plyforge.learn.inputs import Inputs
from plyforge.learn.methods.supervised import SupervisedParameters, Trainer
from plyforge.learn.model import Model
from plyforge.learn.network import Network, initial_weights
from plyforge.learn.prediction import Prediction
from plyforge.learn.samples import Samples

HIDDEN = 32
CASES = ((28, 28), (768, 32))
"""Inputs, and how many of them are not 0."""
BATCHES = (256, 1)
POSITIONS, FEW_POSITIONS = 8192, 1024
"""The second number is for quick runs; batches of 1 train a quarter of it."""
RATE = 0.001
_MEAN_DECAY, _SQUARE_DECAY, _EPSILON = 0.9, 0.999, 1e-8

Epoch = Callable[[], Any]


def rows(settings: Settings) -> Iterator[Row]:
    for inputs, active in CASES:
        for batch in BATCHES:
            count = FEW_POSITIONS if settings.quick else POSITIONS
            count = count if batch > 1 else FEW_POSITIONS // 4
            matrix, targets = _data(inputs, active, count)
            ours = _plyforge(matrix, targets, batch)
            for name, make in (("NumPy", _numpy), ("torch", _torch)):
                yield _compare(settings, (inputs, batch, name), ours, matrix, targets, make)


def _compare(
    settings: Settings,
    case: tuple[int, int, str],
    ours: Epoch,
    matrix: Any,
    targets: Any,
    make: Callable[[Any, Any, int], Epoch],
) -> Row:
    inputs, batch, name = case
    title = f"{inputs}-{HIDDEN}-1, batch {batch}, against {name}"
    target = RATIOS.get(("learning", name)) if batch > 1 else None
    count = len(targets)
    try:
        theirs = make(matrix, targets, batch)
    except MeasurementError as error:
        return Row("learning", "net", title, count, unit="positions/s", note=str(error))
    contenders = [
        in_process(lambda epoch=epoch: _count(epoch, count), settings.min_seconds)
        for epoch in (ours, theirs)
    ]
    mine, other = interleave(contenders, settings.rounds)
    rates = {"ours": mine.rate, "theirs": other.rate, "ratio": mine.rate / other.rate}
    return Row("learning", "net", title, count, unit="positions/s", target=target, **rates)


def _count(epoch: Epoch, count: int) -> int:
    epoch()
    return count


def _data(inputs: int, active: int, count: int) -> tuple[Any, Any]:
    stream = np.random.default_rng(1)
    matrix = stream.normal(size=(count, inputs))
    if active < inputs:
        order = np.argsort(stream.random((count, inputs)), axis=1)
        matrix = (order < active).astype(np.float64)
    return matrix, 0.3 * stream.normal(size=count)


def _plyforge(matrix: Any, targets: Any, batch: int) -> Epoch:
    layers = (
        Layer(matrix.shape[1], HIDDEN, 0, "tanh"),
        Layer(HIDDEN, 1, (matrix.shape[1] + 1) * HIDDEN, "linear"),
    )
    model = Model(Network(layers, biased=True), Prediction("tanh"))
    samples = Samples(Inputs.from_rows(matrix), targets, np.arange(len(targets)))
    weights = initial_weights(model.network, 1)  # type: ignore[arg-type]
    trainer = Trainer(model, weights, samples, SupervisedParameters(RATE, batch))
    order = np.arange(len(targets))
    return lambda: trainer.epoch(order)


def _limit_numpy() -> None:
    """Let NumPy multiply with one thread: the CPU time of all threads counts."""
    try:
        from threadpoolctl import threadpool_limits
    except ImportError as error:
        if os.environ.get("OPENBLAS_NUM_THREADS") != "1":
            raise MeasurementError("set OPENBLAS_NUM_THREADS=1 or install threadpoolctl") from error
    else:
        threadpool_limits(limits=1)


def _numpy(matrix: Any, targets: Any, batch: int) -> Epoch:
    _limit_numpy()
    stream = np.random.default_rng(2)
    inputs, goals = matrix.astype(np.float32), targets.astype(np.float32)[:, np.newaxis]
    shapes = ((matrix.shape[1], HIDDEN), (HIDDEN,), (HIDDEN, 1), (1,))
    weights = [(0.1 * stream.normal(size=shape)).astype(np.float32) for shape in shapes]
    means, squares = ([np.zeros_like(one) for one in weights] for _ in range(2))
    steps = 0

    def epoch() -> None:
        nonlocal steps
        for first in range(0, len(goals), batch):
            x, goal = inputs[first : first + batch], goals[first : first + batch]
            hidden = np.tanh(x @ weights[0] + weights[1])
            output = np.tanh(hidden @ weights[2] + weights[3])
            outer = 2 * (output - goal) * (1 - output * output) / len(x)
            inner = (outer @ weights[2].T) * (1 - hidden * hidden)
            slopes = [x.T @ inner, inner.sum(axis=0), hidden.T @ outer, outer.sum(axis=0)]
            steps += 1
            step = np.float32(RATE / (1 - _MEAN_DECAY**steps))
            root = np.float32(np.sqrt(1 - _SQUARE_DECAY**steps))
            for one, mean, square, slope in zip(weights, means, squares, slopes, strict=True):
                mean *= _MEAN_DECAY
                mean += (1 - _MEAN_DECAY) * slope
                square *= _SQUARE_DECAY
                square += (1 - _SQUARE_DECAY) * (slope * slope)
                one -= step * mean / (np.sqrt(square) / root + _EPSILON)

    return epoch


def _torch(matrix: Any, targets: Any, batch: int) -> Epoch:
    try:
        import torch
    except ImportError as error:
        raise MeasurementError("torch is not installed") from error
    torch.set_num_threads(1)
    torch.manual_seed(1)
    model = torch.nn.Sequential(
        torch.nn.Linear(matrix.shape[1], HIDDEN),
        torch.nn.Tanh(),
        torch.nn.Linear(HIDDEN, 1),
        torch.nn.Tanh(),
    )
    optimizer = torch.optim.Adam(model.parameters(), lr=RATE, foreach=True)
    inputs = torch.tensor(matrix, dtype=torch.float32)
    goals = torch.tensor(targets, dtype=torch.float32)[:, None]

    def epoch() -> None:
        for first in range(0, len(goals), batch):
            optimizer.zero_grad()
            outputs = model(inputs[first : first + batch])
            torch.nn.functional.mse_loss(outputs, goals[first : first + batch]).backward()
            optimizer.step()

    return epoch
