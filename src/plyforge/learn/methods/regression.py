"""Linear regression: the weights of a sum with the smallest squared error.

    A. Legendre, Nouvelles méthodes pour la détermination des orbites des comètes, 1805; ridge:
    A. Hoerl, R. Kennard, Ridge regression, Technometrics 12, 1970.

For inputs X (a row for each position), targets t and n positions, the loss is

    L(w) = |Xw - t|² / n + ρ|w|²

By normal equations, w solves (XᵀX / n + ρI) w = Xᵀt / n.  By gradient, w moves by -α ∇L(w) with

    ∇L(w) = 2 Xᵀ(Xw - t) / n + 2ρw

until the gradient is small.  Without a rate, α = 1 / L where L is the largest eigenvalue of 2(XᵀX /
n + ρI), found by power iteration; steps of this size never overshoot.
"""

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.learn.inputs import Inputs, Reals
from plyforge.learn.losses import QUIETLY, check_finite
from plyforge.learn.methods.outcome import Learned
from plyforge.learn.methods.parameters import MAX_RATE, Parameters, integer, real
from plyforge.learn.model import Model
from plyforge.learn.samples import Samples

MAX_WEIGHTS: Final = 8192
"""The normal equations are a matrix of this size at most: 512 MiB."""
_CHUNK: Final = 4096
_POWER_STEPS: Final = 50


@dataclass(frozen=True)
class NormalParameters(Parameters):
    """The parameters of regression by normal equations."""

    ridge: float = real(0.0, "ρ: how much large weights cost", 0.0, 1e12)


@dataclass(frozen=True)
class GradientParameters(Parameters):
    """The parameters of regression by gradient."""

    rate: float = real(0.0, "the step size; 0 finds one", 0.0, MAX_RATE)
    ridge: float = real(0.0, "ρ: how much large weights cost", 0.0, 1e12)
    iterations: int = integer(10_000, "the maximum number of steps", 1, 10_000_000)
    tolerance: float = real(
        1e-9, "stop when the gradient is this small compared with the first one", 0.0, 1.0
    )


def learn_normal(
    model: Model, weights: Reals, samples: Samples, parameters: NormalParameters
) -> Learned:
    """Solve the normal equations; `weights` count for nothing.

    If several solutions are equally good, the shortest one is returned.
    """
    inputs, unit = linear_inputs(model, samples)
    if model.size > MAX_WEIGHTS:
        raise PlyforgeError(
            f"normal equations are for at most {MAX_WEIGHTS} weights, not {model.size}; use the"
            " method 'regression-gradient'"
        )
    matrix, right = np.zeros((model.size, model.size)), np.zeros(model.size)
    for first in range(0, inputs.count, _CHUNK):
        rows = np.arange(first, min(first + _CHUNK, inputs.count))
        part = inputs.take(rows).dense(model.size) / unit
        matrix += part.T @ part
        right += part.T @ samples.targets[rows]
    matrix = matrix / inputs.count + parameters.ridge * np.eye(model.size)
    solution = np.linalg.lstsq(matrix, right / inputs.count, rcond=None)[0]
    vector = solution.astype(np.float64)
    loss = squared_loss(model, vector, samples, parameters.ridge)
    check_finite(loss, vector, "regression", "in the solution", "set a ridge")
    return Learned(vector, loss)


@QUIETLY
def learn_gradient(
    model: Model, weights: Reals, samples: Samples, parameters: GradientParameters
) -> Learned:
    """Descend along the gradient, from the given weights."""
    inputs, _ = linear_inputs(model, samples)
    vector = np.array(weights, np.float64)
    rate = parameters.rate or _safe_rate(model, inputs, parameters.ridge)
    remedy = f"use a rate less than {rate:g}, or 0 to find one"
    first = None
    for iteration in range(parameters.iterations):
        errors = model.predictions(vector, inputs) - samples.targets
        loss = float(np.mean(errors**2)) + parameters.ridge * float(vector @ vector)
        check_finite(loss, vector, "regression", f"after {iteration} steps", remedy)
        gradient = _gradient(model, vector, inputs, errors, parameters.ridge)
        length = float(np.linalg.norm(gradient))
        first = length if first is None else first
        if length <= parameters.tolerance * first:
            break
        vector -= rate * gradient
    return Learned(vector, squared_loss(model, vector, samples, parameters.ridge))


def squared_loss(model: Model, weights: Reals, samples: Samples, ridge: float) -> float:
    """Return the loss that regression minimises."""
    errors = model.predictions(weights, samples.inputs) - samples.targets
    return float(np.mean(errors**2)) + ridge * float(weights @ weights)


def linear_inputs(model: Model, samples: Samples) -> tuple[Inputs, float]:
    """Return the inputs and the unit of a model that is linear in its weights; refuse others."""
    network: Any = model.network
    linear = network is not None and len(network.layers) == 1
    linear = linear and network.layers[0].activation == "linear" and network.finish.limit is None
    if not linear or model.prediction.squash != "identity" or network.biased:
        raise PlyforgeError(
            "linear regression needs a weighted sum without a limit, and predictions by 'identity';"
            " use the method 'supervised' or 'logistic' for others"
        )
    if not isinstance(samples.inputs, Inputs):
        raise PlyforgeError("the samples were read for another model")
    return samples.inputs, float(network.finish.unit)


def _gradient(model: Model, weights: Reals, inputs: Inputs, errors: Reals, ridge: float) -> Reals:
    slopes: Reals = model.gradient(weights, inputs, 2.0 * errors / inputs.count)
    return slopes + 2.0 * ridge * weights


def _safe_rate(model: Model, inputs: Inputs, ridge: float) -> float:
    """Return 1 / L, slightly reduced, since power iteration finds L from below."""
    vector = np.full(model.size, 1.0 / np.sqrt(model.size))
    vector += np.linspace(0.0, 1e-3, model.size)  # not at a right angle to what is sought
    length = 0.0
    for _ in range(_POWER_STEPS):
        vector = _gradient(model, vector, inputs, model.predictions(vector, inputs), ridge)
        length = float(np.linalg.norm(vector))
        if length == 0.0:
            return 1.0
        vector /= length
    return 0.9 / length
