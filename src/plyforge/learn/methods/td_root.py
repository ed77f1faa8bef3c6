"""TD(root): the backed-up value of a search is the target of the static value of its root.

    A. Samuel, Some studies in machine learning using the game of checkers, IBM Journal of Research
    and Development 3, 1959.

    Δw = α Σ_t (S_t - V_t) ∇V_t

V_t is the prediction in position t, and S_t the prediction from a search of it.  Nothing is learned
from results, except that searches find wins and losses.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.learn.inputs import Reals
from plyforge.learn.losses import QUIETLY
from plyforge.learn.methods.outcome import Learned
from plyforge.learn.methods.parameters import MAX_RATE, RATE, Parameters, real
from plyforge.learn.methods.td import check_divergence
from plyforge.learn.model import Model
from plyforge.learn.samples import Episode, search_targets


@dataclass(frozen=True)
class TdRootParameters(Parameters):
    """The parameters of TD(root)."""

    rate: float = real(0.01, RATE, 0.0, MAX_RATE, above=True)


@QUIETLY
def learn_td_root(
    model: Model, weights: Reals, episodes: Sequence[Episode], parameters: TdRootParameters
) -> Learned:
    """Learn from the searches of episodes; the loss is the mean squared error S - V."""
    total, count = 0.0, 0
    vector = np.array(weights, np.float64)
    for number, episode in enumerate(episodes, 1):
        if episode.searched is None:
            raise PlyforgeError(f"episode {number} has no values of searches")
        rows = np.flatnonzero(~np.isnan(episode.searched))
        if not len(rows):
            continue
        inputs = episode.inputs.take(rows)
        goals = search_targets(model.prediction, episode.searched[rows])
        errors = goals - model.predictions(vector, inputs)
        loss = float(np.sum(errors**2))
        vector = vector + parameters.rate * model.gradient(vector, inputs, errors)
        check_divergence(loss, vector, number, parameters.rate)
        total += loss
        count += len(rows)
    if not count:
        raise PlyforgeError("there are no searches to learn from")
    return Learned(vector, total / count)
