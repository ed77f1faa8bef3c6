"""Curves of a run: loss, points against the start and weights by games.

Long runs have more rounds than a chart can show, so neighbouring rounds are merged.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from plyforge.evaluate import weight_name
from plyforge.game.forms import Form
from plyforge.learn.inputs import Reals
from plyforge.learn.store import LearningStore, Round, RunRow
from plyforge.match.ratings.wilson import Interval, wilson

Point = tuple[float, float]


@dataclass(frozen=True)
class ScorePoint:
    """The share of points against the start after a number of games."""

    games: int
    score: float
    test_games: int

    @property
    def interval(self) -> Interval:
        """Wilson's 95 % interval; with draws, it is wider than needed."""
        return wilson(min(max(self.score, 0.0), 1.0), self.test_games)


def merge_points(points: Sequence[Point], max_points: int) -> tuple[list[Point], int]:
    """Merge neighbouring points until there are at most `max_points`; return how many make one.

    A merged point has the mean value, and the place of its last part.

    >>> merge_points([(1, 2.0), (2, 4.0), (3, 5.0)], 2)
    ([(2, 3.0), (3, 5.0)], 2)
    """
    size = _group_size(len(points), max_points)
    groups = [points[begin : begin + size] for begin in range(0, len(points), size)]
    return [(group[-1][0], sum(y for _, y in group) / len(group)) for group in groups], size


def _group_size(count: int, max_groups: int | None) -> int:
    return 1 if max_groups is None else max(1, -(-count // max_groups))


def loss_points(rounds: Sequence[Round], held_out: bool = False) -> list[Point]:
    """Return the losses of rounds, where they are known, by games."""
    values = [(one.games, one.held_out_loss if held_out else one.loss) for one in rounds]
    return [(games, value) for games, value in values if value is not None and math.isfinite(value)]


def score_points(
    rounds: Sequence[Round], max_points: int | None = None
) -> tuple[list[ScorePoint], int]:
    """Return the tests against the start, merged to at most `max_points`; and how many make one."""
    tested = [one for one in rounds if one.score is not None and one.score_games > 0]
    size = _group_size(len(tested), max_points)
    points = []
    for begin in range(0, len(tested), size):
        group = tested[begin : begin + size]
        games = sum(one.score_games for one in group)
        won = sum((one.score or 0.0) * one.score_games for one in group)
        points.append(ScorePoint(group[-1].games, won / games, games))
    return points, size


def most_changed(curves: Sequence[Reals], count: int) -> list[int]:
    """Return the places of the weights that changed most, in the order of the vector.

    Each curve has a line of weights for each of its rounds.  The change of a weight is the
    difference between its largest and its smallest value, in the curve where that is largest.

    >>> most_changed([np.array([[0.0, 5.0, 1.0], [3.0, 5.0, -1.0]])], 2)
    [0, 2]
    """
    spans = [curve.max(axis=0) - curve.min(axis=0) for curve in curves if len(curve)]
    if not spans:
        return []
    order = np.argsort(-np.max(spans, axis=0), kind="stable")
    return sorted(int(place) for place in order[:count])


@dataclass(frozen=True)
class WeightCurves:
    """The weights of a run after some of its rounds."""

    fingerprint: str
    """The fingerprint of the form."""
    games: list[int]
    """The games after which there are weights."""
    weights: Reals
    """A line of weights for each."""
    form: Form | None
    """The form of the evaluation, if it is known."""

    @classmethod
    def read(
        cls, store: LearningStore, run: RunRow, form: Form | None, max_rounds: int
    ) -> "WeightCurves":
        """Read the weights that are kept of a run, of at most so many rounds."""
        kept = store.weights(run.id, max_rounds)
        weights = np.array([vector for _, vector in kept]) if kept else np.zeros((0, 0))
        return cls(str(run.plan["form"]), [games for games, _ in kept], weights, form)

    @property
    def count(self) -> int:
        """The number of weights."""
        return int(self.weights.shape[1])

    def weight_name(self, place: int) -> str:
        """Return the name of a weight, or its number if the form is not known."""
        if self.form is None or self.form.size != self.count:
            return f"weight {place + 1}"
        return weight_name(self.form, place)


def shown_weights(
    runs: Sequence[WeightCurves], max_weights: int, shown: int
) -> Iterator[tuple[WeightCurves, list[int]]]:
    """Yield runs with the places of the weights to show, the same for runs of one form.

    Up to `max_weights` are all shown; of more, the `shown` ones that changed most.
    """
    for run in runs:
        alike = [
            one.weights
            for one in runs
            if one.fingerprint == run.fingerprint and one.count == run.count
        ]
        yield run, most_changed(alike, run.count if run.count <= max_weights else shown)
