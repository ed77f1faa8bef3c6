"""Losses of predictions, and the check that a loss is a number."""

import math
from typing import Final

import numpy as np

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.learn.inputs import Reals
from plyforge.learn.kernels import tasks

LOSSES: Final = {"squared": tasks.SQUARED, "cross-entropy": tasks.CROSS_ENTROPY}
QUIETLY: Final = np.errstate(over="ignore", invalid="ignore")
"""Decorates methods: a loss that is not finite is an error of its own, not a warning of NumPy."""
_MIN_PROBABILITY: Final = 1e-12


def check_loss_name(name: str) -> None:
    """Refuse a loss that is not known."""
    if name not in LOSSES:
        raise UnknownName("loss", name, LOSSES)


def mean_loss(name: str, predictions: Reals, targets: Reals) -> float:
    """Return the mean loss.

    `squared` is (p - t)^2, `cross-entropy` is -t log p - (1 - t) log(1 - p) for predictions between
    0 and 1.
    """
    if name == "squared":
        return float(np.mean((predictions - targets) ** 2))
    p = np.clip(predictions, _MIN_PROBABILITY, 1.0 - _MIN_PROBABILITY)
    return float(-np.mean(targets * np.log(p) + (1.0 - targets) * np.log(1.0 - p)))


def loss_slopes(name: str, predictions: Reals, targets: Reals) -> Reals:
    """Return the derivative of each position's loss by its prediction."""
    if name == "squared":
        return 2.0 * (predictions - targets)
    p = np.clip(predictions, _MIN_PROBABILITY, 1.0 - _MIN_PROBABILITY)
    slopes: Reals = (p - targets) / (p * (1.0 - p))
    return slopes


class Diverged(PlyforgeError):
    """A loss or a weight that is not finite."""

    def __init__(self, problem: str, remedy: str) -> None:
        super().__init__(f"{problem}; {remedy}")
        self.problem = problem


def check_finite(loss: float, weights: Reals, method: str, where: str, remedy: str) -> None:
    """Raise an error if learning has diverged."""
    if not math.isfinite(loss):
        raise Diverged(f"{method}: the loss is {loss} {where}", remedy)
    if not np.isfinite(weights).all():
        raise Diverged(f"{method}: a weight is not a finite number {where}", remedy)
