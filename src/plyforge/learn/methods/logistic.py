"""Logistic regression: the weights under which results are most likely.

    D. Cox, The regression analysis of binary sequences, Journal of the Royal Statistical Society B
    20, 1958; for evaluations: M. Buro, Statistical feature combination for the evaluation of game
    positions, Journal of Artificial Intelligence Research 3, 1995.

The value v of a position becomes a probability p = 1 / (1 + e^(-v / s)).  With targets t, which are
results (1, ½, 0), values of deep searches as probabilities, or a mixture of both, the loss is

    L(w) = -mean(t log p + (1 - t) log(1 - p)) + ½ρ|w - c|²

The centre c is 0, or the weights of the start: then few positions change weights by hand only where
they say much.  It is minimised by L-BFGS.  For a weighted sum there is one minimum; a net has
several.
"""

from dataclasses import dataclass

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.learn.inputs import Reals
from plyforge.learn.lbfgs import minimise
from plyforge.learn.losses import QUIETLY, check_finite, loss_slopes, mean_loss
from plyforge.learn.methods.outcome import Learned
from plyforge.learn.methods.parameters import Parameters, choice, integer, real
from plyforge.learn.model import Model
from plyforge.learn.samples import Samples

_LOSS = "cross-entropy"
ZERO, START = "zero", "start"


@dataclass(frozen=True)
class LogisticParameters(Parameters):
    """The parameters of logistic regression."""

    penalty: float = real(0.0, "ρ: how much large weights cost", 0.0, 1e12)
    iterations: int = integer(1000, "the maximum number of steps", 1, 1_000_000)
    tolerance: float = real(
        1e-8, "stop when no derivative of the loss by a weight is larger", 0.0, 1.0
    )
    held_out: float = real(0.0, "the share of games that are not trained on", 0.0, 0.9)
    seed: int = integer(0, "the seed that chooses held-out games", 0, 2**63 - 1)
    towards: str = choice(ZERO, "the weights that cost nothing: zero or the start", (ZERO, START))


@QUIETLY
def learn_logistic(
    model: Model, weights: Reals, samples: Samples, parameters: LogisticParameters
) -> Learned:
    """Fit the weights to results, from the given ones."""
    check_probabilities(model, samples)
    train, held = samples.split(parameters.held_out, parameters.seed)

    centre = weights if parameters.towards == START else np.zeros(len(weights))

    def objective(vector: Reals) -> tuple[float, Reals]:
        predictions = model.predictions(vector, train.inputs)
        loss = mean_loss(_LOSS, predictions, train.targets)
        slopes = loss_slopes(_LOSS, predictions, train.targets) / train.inputs.count
        gradient = model.gradient(vector, train.inputs, slopes)
        change = vector - centre
        loss += 0.5 * parameters.penalty * float(change @ change)
        return loss, gradient + parameters.penalty * change

    history: list[tuple[float, float | None]] = []
    vector, loss = minimise(
        objective,
        weights,
        parameters.iterations,
        parameters.tolerance,
        lambda _, value: history.append((value, None)),
    )
    check_finite(loss, vector, "logistic regression", "at the end", "set a penalty")
    held_loss = None
    if held is not None:
        held_loss = mean_loss(_LOSS, model.predictions(vector, held.inputs), held.targets)
    return Learned(vector, loss, held_loss, tuple(history))


def check_probabilities(model: Model, samples: Samples) -> None:
    """Refuse predictions or targets that are not probabilities."""
    prediction = model.prediction
    if (prediction.minimum, prediction.maximum) != (0.0, 1.0):
        raise PlyforgeError(
            "cross-entropy needs predictions from 0 to 1, as by 'sigmoid', not from"
            f" {prediction.minimum:g} to {prediction.maximum:g}"
        )
    wrong = (samples.targets < 0.0) | (samples.targets > 1.0)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise PlyforgeError(
            f"the target of position {row + 1} must be between 0 and 1, not {samples.targets[row]}"
        )
