"""TD(λ): learn from the differences of successive predictions.

    R. Sutton, Learning to predict by the methods of temporal differences, Machine Learning 3, 1988.
    R. Sutton, A. Barto, Reinforcement Learning, 2nd edition, 2018, chapter 12.

V_t is the prediction in position t, seen by one side; the game ends after position T - 1 with
reward z.

Backward view, with eligibility traces e:

    e_t = γλ e_{t-1} + ∇V_t
    δ_t = γV_{t+1} - V_t,  and  δ_{T-1} = z - V_{T-1}
    Δw  = α Σ δ_t e_t

Forward view, with λ-returns:

    G_{T-1} = z,  G_t = γ ((1 - λ) V_{t+1} + λ G_{t+1})
    Δw      = α Σ (G_t - V_t) ∇V_t

Both views are equal if the changes are summed and made at the end of an episode.  With `timing =
"step"`, the backward view changes the weights after every position, so that V_{t+1} and the next
trace already depend on it.  TD(0) is λ = 0; with λ = 1 and γ = 1 it is gradient descent on the
squared error of the result.

γ moves predictions towards the middle of their range, which is 0 in the usual formulas.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.learn.inputs import Inputs, Reals
from plyforge.learn.kernels import tasks
from plyforge.learn.losses import QUIETLY, check_finite
from plyforge.learn.methods.outcome import Learned
from plyforge.learn.methods.parameters import MAX_RATE, RATE, Parameters, choice, real
from plyforge.learn.model import Model
from plyforge.learn.samples import Episode

EPISODE: Final = "episode"
STEP: Final = "step"


@dataclass(frozen=True)
class TdParameters(Parameters):
    """The parameters of TD(λ)."""

    rate: float = real(0.01, RATE, 0.0, MAX_RATE, above=True)
    trace: float = real(0.7, "λ: how far an error reaches back, from 0 to 1", 0.0, 1.0)
    discount: float = real(1.0, "γ: what a prediction counts one move earlier", 0.0, 1.0)
    timing: str = choice(
        EPISODE, "whether weights change at the end of an episode or at every step", (EPISODE, STEP)
    )


@QUIETLY
def learn_td(
    model: Model, weights: Reals, episodes: Sequence[Episode], parameters: TdParameters
) -> Learned:
    """Learn from episodes by the backward view; the loss is the mean squared error δ."""
    total, count = 0.0, 0
    vector = np.array(weights, np.float64)
    for number, episode in enumerate(_some(episodes), 1):
        if model.network is not None:
            vector, loss = _episode(model, vector, episode, parameters)
        else:
            vector, loss = episode_uncompiled(model, vector, episode, parameters)
        check_divergence(loss, vector, number, parameters.rate)
        total += loss
        count += episode.inputs.count
    return Learned(vector, total / count)


@QUIETLY
def learn_td_forward(
    model: Model, weights: Reals, episodes: Sequence[Episode], parameters: TdParameters
) -> Learned:
    """Learn from episodes by the forward view; the loss is the mean squared error G - V."""
    if parameters.timing != EPISODE:
        raise PlyforgeError("the forward view needs whole episodes: set timing to 'episode'")
    total, count = 0.0, 0
    vector = np.array(weights, np.float64)
    for number, episode in enumerate(_some(episodes), 1):
        predictions, signs = first_side_predictions(model, vector, episode)
        goals = lambda_returns(
            predictions,
            model.prediction.reward(episode.result),
            parameters.trace,
            parameters.discount,
            model.prediction.flip(0.0) / 2,
        )
        errors = goals - predictions
        loss = float(np.sum(errors**2))
        vector = vector + parameters.rate * model.gradient(vector, episode.inputs, signs * errors)
        check_divergence(loss, vector, number, parameters.rate)
        total += loss
        count += episode.inputs.count
    return Learned(vector, total / count)


def lambda_returns(
    predictions: Reals, final: float, trace: float, discount: float = 1.0, centre: float = 0.0
) -> Reals:
    """Return the λ-return of every position.

    >>> lambda_returns(np.array([0.0, 0.5]), 1.0, 0.5).tolist()
    [0.75, 1.0]
    """
    returns = np.empty_like(predictions)
    goal = final
    for t in range(len(predictions) - 1, -1, -1):
        if t + 1 < len(predictions):
            mixed = (1.0 - trace) * predictions[t + 1] + trace * goal
            goal = centre + discount * (mixed - centre)
        returns[t] = goal
    return returns


def first_side_predictions(model: Model, weights: Reals, episode: Episode) -> tuple[Reals, Reals]:
    """Return the predictions seen by side 0, and the sign of each one's gradient; 0 where known."""
    predictions = model.predictions(weights, episode.inputs)
    first = episode.sides == 0
    seen = np.where(first, predictions, model.prediction.flip(predictions))
    signs = np.where(first, 1.0, -1.0)
    if episode.known is not None:
        decided = ~np.isnan(episode.known)
        seen = np.where(decided, model.prediction.reward(episode.known), seen)
        signs[decided] = 0.0
    return seen, signs


def episode_uncompiled(
    model: Model, weights: Reals, episode: Episode, parameters: TdParameters
) -> tuple[Reals, float]:
    """Return the weights after an episode by the backward view, and the sum of squared errors.

    This is the algorithm in plain Python, for any model.
    """
    vector, changes, trace = weights.copy(), np.zeros(model.size), np.zeros(model.size)
    final, centre = model.prediction.reward(episode.result), model.prediction.flip(0.0) / 2
    total = 0.0
    for t in range(episode.inputs.count):
        seen, signs = first_side_predictions(model, vector, episode)
        here = episode.inputs.take([t])
        trace = parameters.discount * parameters.trace * trace
        trace += model.gradient(vector, here, signs[t : t + 1])
        if t + 1 < episode.inputs.count:
            error = centre + parameters.discount * (seen[t + 1] - centre) - seen[t]
        else:
            error = final - seen[t]
        total += error**2
        if parameters.timing == STEP:
            vector += parameters.rate * error * trace
        else:
            changes += error * trace
    return vector + parameters.rate * changes, float(total)


def _episode(
    model: Model, weights: Reals, episode: Episode, parameters: TdParameters
) -> tuple[Reals, float]:
    """Return the same as `episode_uncompiled`, from the kernel."""
    network, prediction = model.network, model.prediction
    assert network is not None
    if not isinstance(episode.inputs, Inputs):
        raise PlyforgeError("the episode was read for another model")
    known = np.full(episode.inputs.count, np.nan)
    if episode.known is not None:
        known[:] = prediction.reward(episode.known)
    changes, vector = np.zeros(model.size), weights.copy()
    context: Any = network.context(
        vector,
        episode.inputs,
        prediction,
        task=tasks.EPISODE,
        count=episode.inputs.count,
        rate=parameters.rate,
        discount=parameters.discount,
        decay=parameters.discount * parameters.trace,
        final=float(prediction.reward(episode.result)),
        online=int(parameters.timing == STEP),
        sides=np.ascontiguousarray(episode.sides, np.int64),
        targets=known,
        gradient=np.zeros(model.size),
        means=changes,
    )
    loss = context.run()
    return vector + parameters.rate * changes, loss


def check_divergence(loss: float, weights: Reals, number: int, rate: float) -> None:
    """Raise an error if learning has diverged."""
    remedy = f"use a rate less than {rate:g}"
    check_finite(loss, weights, "temporal differences", f"after episode {number}", remedy)


def _some(episodes: Sequence[Episode]) -> Sequence[Episode]:
    if not len(episodes):
        raise PlyforgeError("there are no episodes to learn from")
    return episodes
