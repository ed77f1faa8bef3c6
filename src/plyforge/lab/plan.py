"""How many games the comparisons of an experiment need, estimated from a pilot.

A comparison is the ratio of a figure to the baseline's, over the same positions. Positions of one
game resemble each other, so what counts is how much the ratio varies between games. The variance of
a ratio of sums is that of the residuals y - r x of the games (Cochran, Sampling Techniques, 1977,
section 6.3). A pilot of few games often shows too little of the variation. So the number of games
is that for an upper confidence limit of the standard deviation, and the interval is as narrow as
wanted in four runs out of five.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Final

import numpy as np

from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.lab import student
from plyforge.lab.data import Data
from plyforge.lab.experiment import Experiment
from plyforge.lab.statistics import sums_together

PILOT_GAMES: Final = 10
MIN_GAMES: Final = 10
"""Intervals from fewer games are unreliable, however little these differ."""
ASSURANCE: Final = 0.8
"""The probability that a run of the planned size has an interval within the margin."""
_CONFIDENCE: Final = 0.95


@dataclass(frozen=True)
class Need:
    """What one comparison needs for an interval within the margin."""

    group: str
    """The game or kind of positions; empty if the experiment has no groups."""
    depth: int
    variation: str
    ratio: float
    """The pilot's ratio to the baseline."""
    deviation: float
    """The pilot's standard deviation between games, relative to the ratio."""
    pilot_games: int
    games: int
    positions: int
    """Positions of the whole experiment, in which groups alternate."""


@dataclass(frozen=True)
class Plan:
    """What all comparisons of an experiment need, and how long a run of that size takes."""

    baseline: str
    metric: str
    margin: float
    needs: tuple[Need, ...]
    seconds: float | None
    """Seconds of all searches of the run in one process; None if the pilot has no times."""

    @property
    def positions(self) -> int:
        """The positions that suffice for every comparison."""
        return max(need.positions for need in self.needs)


def pilot_positions(experiment: Experiment) -> int:
    """Return how many positions a pilot has."""
    return min(experiment.positions, PILOT_GAMES * _positions_per_game(experiment))


def _positions_per_game(experiment: Experiment) -> int:
    """Return how many positions of the experiment add one game to each of its groups."""
    return max(experiment.together, len(experiment.groups))


def make_plan(
    experiment: Experiment, data: Data, margin: float, metric: str | None = None, repeats: int = 1
) -> Plan:
    """Plan a run from the data of a pilot, for intervals of ± `margin` times each ratio.

    By default, the metric is the experiment's first one.
    """
    if not 0 < margin < 1:
        raise PlyforgeError(f"margin must be above 0 % and below 100 %, not {100 * margin:g} %")
    metric = _find_metric(experiment, data, metric)
    needs = tuple(_find_needs(experiment, data, margin, metric))
    if not needs:
        raise PlyforgeError(
            f"{experiment.name}: the pilot has no comparison of '{metric}' over at least two games;"
            " use more --positions, or another --metric"
        )
    positions = max(need.positions for need in needs)
    seconds = _find_seconds(experiment, data, positions, repeats)
    return Plan(experiment.baseline.name, metric, margin, needs, seconds)


def games_needed(deviation: float, pilot_games: int, margin: float) -> int:
    """Return how many games give an interval of ± margin, from the deviation in a pilot.

    >>> games_needed(0.2, 1000, 0.02), games_needed(0.2, 10, 0.02), games_needed(0.0, 10, 0.02)
    (402, 644, 10)
    """
    freedom = pilot_games - 1
    limit = deviation * math.sqrt(freedom / _chi_square_quantile(1 - ASSURANCE, freedom))
    spread, tail = limit / margin, (1 + _CONFIDENCE) / 2
    games = max(MIN_GAMES, math.ceil((NormalDist().inv_cdf(tail) * spread) ** 2))
    while (student.quantile(tail, games - 1) * spread) ** 2 > games:
        games += 1
    return games


def _chi_square_quantile(probability: float, freedom: int) -> float:
    """Return a quantile of the chi-square distribution (Wilson and Hilferty 1931)."""
    part = 2 / (9 * freedom)
    return freedom * (1 - part + NormalDist().inv_cdf(probability) * math.sqrt(part)) ** 3


def _find_metric(experiment: Experiment, data: Data, metric: str | None) -> str:
    if not data.metrics:
        raise PlyforgeError(f"{experiment.name}: the pilot has no measurements")
    if metric is not None:
        if metric not in data.metrics:
            raise UnknownName("metric", metric, data.metrics)
        return metric
    declared = (name for name, _ in experiment.metrics if name in data.metrics)
    return next(declared, data.metrics[0])


def _parts(data: Data) -> Iterator[tuple[str, Data]]:
    if not data.groups:
        yield "", data
    for group in data.groups:
        yield group, data.part(group)


def _find_needs(experiment: Experiment, data: Data, margin: float, metric: str) -> Iterator[Need]:
    baseline = experiment.baseline.name
    for group, part in _parts(data):
        for depth in part.depths:
            for name in part.variations_at(depth):
                cases = part.cases(depth, (name, baseline), (metric,))
                if name == baseline or len({case // part.together for case in cases}) < 2:
                    continue
                rows = [(part.row(name, depth, c), part.row(baseline, depth, c)) for c in cases]
                spread = find_spread(
                    [row[metric] for row, _ in rows],
                    [base[metric] for _, base in rows],
                    [case // part.together for case in cases],
                )
                if spread is None:
                    continue
                ratio, deviation, pilot = spread
                games = games_needed(deviation, pilot, margin)
                positions = games * _positions_per_game(experiment)
                yield Need(group, depth, name, ratio, deviation, pilot, games, positions)


def find_spread(
    values: Sequence[float], baseline: Sequence[float], together: Sequence[int]
) -> tuple[float, float, int] | None:
    """Return a ratio, its relative standard deviation between games, and the number of games.

    None if the baseline or the ratio is 0.
    """
    top, bottom = (sums_together(np.asarray(v, np.float64), together) for v in (values, baseline))
    if not top.sum() or not bottom.sum():
        return None
    ratio = float(top.sum() / bottom.sum())
    residuals = (top - ratio * bottom) / top.mean()
    return ratio, float(np.std(residuals, ddof=1)), len(top)


def _find_seconds(experiment: Experiment, data: Data, positions: int, repeats: int) -> float | None:
    """Return the time of a run with this many positions, by the mean times of the pilot."""
    if "seconds" not in data.metrics:
        return None
    each = positions / max(1, len(data.groups))
    total = 0.0
    for _, part in _parts(data):
        for depth in part.depths:
            times = {
                name: part.values(name, depth, "seconds", (name,))
                for name in part.variations_at(depth)
            }
            # A configuration that is wanted for some positions only has fewer times.
            pilot = max(map(len, times.values()))
            total += sum(map(sum, times.values())) * repeats * each / max(1, pilot)
    return total
