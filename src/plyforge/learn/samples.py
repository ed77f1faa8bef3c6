"""What methods learn from: episodes, which are games as sequences, and samples without an order."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import random_words
from plyforge.core.scores import SCORE_LIMIT
from plyforge.learn.inputs import AnyInputs, Indices, Inputs, Reals
from plyforge.learn.prediction import Prediction


@dataclass(frozen=True, eq=False)
class Episode:
    """The positions of a game in order, and its result."""

    inputs: AnyInputs
    sides: Indices
    """Who is to move in each position: 0 or 1."""
    result: float
    """The result for side 0: 1 won, 0 drawn, -1 lost, or between."""
    known: Reals | None = None
    """The result for side 0 where the rules decide a position, NaN elsewhere."""
    searched: Reals | None = None
    """What a search found in each position, for the side to move, in units of the evaluation.

    NaN where nothing was searched; wins and losses are scores beyond the range of evaluations.
    """

    def __post_init__(self) -> None:
        if not -1.0 <= self.result <= 1.0:
            raise PlyforgeError(f"the result of a game must be between -1 and 1, not {self.result}")
        if self.inputs.count == 0:
            raise PlyforgeError("an episode has no positions")
        for name in ("sides", "known", "searched"):
            array = getattr(self, name)
            if array is not None and len(array) != self.inputs.count:
                raise PlyforgeError(
                    f"an episode has {self.inputs.count} positions, but {len(array)} entries in"
                    f" '{name}'"
                )


@dataclass(frozen=True, eq=False)
class Samples:
    """Positions and what should be predicted for them, for the side to move."""

    inputs: AnyInputs
    targets: Reals
    games: Indices
    """The number of the game that a position comes from."""
    held: NDArray[np.bool_] | None = None
    """Which positions are held out, if that is decided; otherwise `split` chooses games."""

    def __post_init__(self) -> None:
        count = self.inputs.count
        if count == 0:
            raise PlyforgeError("the data set is empty; there is nothing to learn from")
        if len(self.targets) != count or len(self.games) != count:
            raise PlyforgeError(
                f"there are {count} positions, {len(self.targets)} targets and {len(self.games)}"
                " numbers of games"
            )
        if not np.isfinite(self.targets).all():
            row = int(np.argmin(np.isfinite(self.targets)))
            raise PlyforgeError(f"the target of position {row + 1} is {self.targets[row]}")

    def take(self, rows: Sequence[int] | Indices) -> "Samples":
        """Return some of the samples."""
        chosen = np.asarray(rows, np.int64)
        held = None if self.held is None else self.held[chosen]
        return Samples(self.inputs.take(chosen), self.targets[chosen], self.games[chosen], held)

    def split(self, share: float, seed: int) -> tuple["Samples", "Samples | None"]:
        """Return samples for training, and those of a share of the games, which are held out.

        All positions of a game are on one side: neighbours in a game are too similar to tell
        whether a model has learned anything general.  None are held out if the share is 0.
        """
        if self.held is not None:
            return self._split_by(self.held)
        numbers = np.unique(self.games)
        count = round(share * len(numbers))
        if share > 0:
            count = min(max(count, 1), len(numbers) - 1)
        if count <= 0:
            if share > 0:
                raise PlyforgeError(
                    "the positions are from one game; held-out games need at least two"
                )
            return self, None
        held = numbers[random_order(len(numbers), seed)[:count]]
        return self._split_by(np.isin(self.games, held))

    def _split_by(self, outside: NDArray[np.bool_]) -> tuple["Samples", "Samples | None"]:
        if not outside.any():
            return self, None
        if outside.all():
            raise PlyforgeError("all games are held out; give more games, or hold out fewer")
        return self.take(np.flatnonzero(~outside)), self.take(np.flatnonzero(outside))


def random_order(count: int, seed: int) -> Indices:
    """Return the numbers below `count` in a random order."""
    return np.argsort(random_words(count, seed), kind="stable").astype(np.int64)


def used_weights(inputs: AnyInputs, size: int) -> int:
    """Return how many weights the positions depend on: entries of tables may never occur."""
    if not isinstance(inputs, Inputs):
        return size
    return int(np.count_nonzero(np.bincount(inputs.columns, minlength=1)))


def search_targets(prediction: Prediction, searched: Any) -> Reals:
    """Return predictions for what searches found; wins and losses count as results."""
    scores = np.asarray(searched, np.float64)
    decided = np.abs(scores) > SCORE_LIMIT
    values = prediction.of(np.where(decided, 0.0, scores))
    return np.where(decided, prediction.reward(np.sign(scores)), values)


def mixed_targets(
    prediction: Prediction, results: Any, searched: Any = None, weight: float = 0.0
) -> Reals:
    """Return targets from results for the side to move, and from searches.

    A target is (1 - weight) * result + weight * search, both as predictions.  Where nothing was
    searched (NaN), the result counts alone.
    """
    if not 0.0 <= weight <= 1.0:
        raise PlyforgeError(f"the weight of searches must be between 0 and 1, not {weight}")
    rewards: Reals = np.asarray(prediction.reward(np.asarray(results, np.float64)))
    if searched is None:
        if weight > 0:
            raise PlyforgeError("there are no values of searches to mix with the results")
        return rewards
    found = search_targets(prediction, searched)
    return np.where(np.isnan(found), rewards, (1.0 - weight) * rewards + weight * found)
