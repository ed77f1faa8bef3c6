"""From the bare figures of many games to what an author reads."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from plyforge.core.scores import WIN
from plyforge.match.statistics import playout
from plyforge.match.statistics.sources import PLY_LIMIT, Batch

ENDS: Final = {
    "rules": playout.BY_RULES,
    "no_move": playout.NO_MOVE,
    "drawn": playout.DRAWN,
    "repetition": playout.REPEATED,
    "no_progress": playout.NO_PROGRESS,
    "ply_limit": playout.TOO_LONG,
}
"""How a game ended, by the names that `Statistics.ends` uses."""
QUANTILES: Final = (0.05, 0.25, 0.75, 0.95)
_Z: Final = 1.959963984540054
"""The normal distribution holds 95 % within this many standard deviations."""

Interval = tuple[float, float]


@dataclass(frozen=True)
class FinalScore:
    """The first player's final scores, over the games that ended with one."""

    games: int
    mean: float
    interval: Interval
    """95 %, by the normal distribution of means."""


@dataclass(frozen=True)
class Lengths:
    """Lengths of games in plies; a quantile is the least length that its share does not exceed."""

    mean: float
    median: int
    shortest: int
    longest: int
    quantiles: dict[float, int]
    histogram: dict[int, int]


@dataclass(frozen=True)
class Ply:
    """The legal moves at one ply, over the games that made a move there."""

    games: int
    mean: float
    least: int
    most: int
    forced: float
    """The share of games with exactly one legal move there."""


@dataclass(frozen=True)
class Statistics:
    """Figures of a number of games; shares are between 0 and 1."""

    games: int
    wins: int
    """Of the first player."""
    draws: int
    """Games broken off at the limit of plies are counted as draws."""
    losses: int
    ends: dict[str, int]
    final_score: FinalScore | None
    """None for games that are only won, lost or drawn."""
    length: Lengths
    plies: list[Ply]

    @property
    def first_player_score(self) -> float:
        """The mean of 1 for a win, 1/2 for a draw and 0 for a loss."""
        return (self.wins + self.draws / 2) / self.games

    @property
    def interval(self) -> Interval:
        """Wilson's 95 % interval of the score; draws only make the true one narrower."""
        return wilson(self.first_player_score, self.games)

    @property
    def moves_made(self) -> int:
        return sum(ply.games for ply in self.plies)

    @property
    def branching(self) -> float:
        """Legal moves per move made, over all games."""
        return sum(ply.games * ply.mean for ply in self.plies) / max(1, self.moves_made)

    @property
    def forced(self) -> float:
        """The share of moves that were the only one."""
        return sum(ply.games * ply.forced for ply in self.plies) / max(1, self.moves_made)


def wilson(share: float, trials: int) -> Interval:
    """Wilson's score interval, 95 % (E. B. Wilson, J. Am. Stat. Assoc. 22, 1927).

    >>> [round(end, 4) for end in wilson(0.5, 100)]
    [0.4038, 0.5962]
    """
    weight = _Z * _Z / trials
    centre = (share + weight / 2) / (1 + weight)
    half = _Z / (1 + weight) * math.sqrt(share * (1 - share) / trials + weight / (4 * trials))
    return max(0.0, centre - half), min(1.0, centre + half)


class Tally:
    """Adds up batches; what it holds does not depend on how games were split into them."""

    def __init__(self, ply_limit: int = PLY_LIMIT) -> None:
        self.games = 0
        self._wins = self._losses = 0
        self._ends = np.zeros(len(ENDS), np.int64)
        self._lengths = np.zeros(ply_limit + 1, np.int64)
        self._plies = np.zeros((ply_limit, playout.PLY_WORDS), np.int64)
        self._points = False
        self._scored = 0
        self._score_sum = self._score_squares = 0.0

    def add(self, batch: Batch) -> None:
        lengths, ends, words = batch.games.T
        values = np.ascontiguousarray(words).view(np.float64)
        self.games += len(lengths)
        self._wins += int(np.count_nonzero(values > 0))
        self._losses += int(np.count_nonzero(values < 0))
        self._ends += np.bincount(ends, minlength=len(ENDS))
        self._lengths += np.bincount(lengths, minlength=len(self._lengths))
        self._add_plies(batch.plies)
        self._add_scores(values[(np.abs(values) != WIN) & (ends != playout.TOO_LONG)])

    def _add_plies(self, plies: NDArray[np.int64]) -> None:
        mine = self._plies
        count, total, least, most, forced = range(playout.PLY_WORDS)
        empty, filled = mine[:, count] == 0, plies[:, count] > 0
        smaller = filled & (empty | (plies[:, least] < mine[:, least]))
        mine[smaller, least] = plies[smaller, least]
        mine[:, most] = np.maximum(mine[:, most], plies[:, most])
        for column in (count, total, forced):
            mine[:, column] += plies[:, column]

    def _add_scores(self, scores: NDArray[np.float64]) -> None:
        self._points = self._points or bool(np.any(scores != 0))
        self._scored += len(scores)
        self._score_sum = _sum_from(self._score_sum, scores)
        self._score_squares = _sum_from(self._score_squares, scores * scores)

    def statistics(self) -> Statistics:
        """The figures of all games so far; there must be at least one."""
        return Statistics(
            games=self.games,
            wins=self._wins,
            draws=self.games - self._wins - self._losses,
            losses=self._losses,
            ends={name: int(self._ends[index]) for name, index in ENDS.items()},
            final_score=self._final_score(),
            length=_length_figures(self._lengths),
            plies=[_ply_figures(*map(int, row)) for row in self._plies if row[0]],
        )

    def _final_score(self) -> FinalScore | None:
        if not self._points:
            return None
        games, mean = self._scored, self._score_sum / self._scored
        variance = max(0.0, self._score_squares / games - mean * mean) * games / max(1, games - 1)
        half = _Z * math.sqrt(variance / games)
        return FinalScore(games, mean, (mean - half, mean + half))


def _sum_from(start: float, values: NDArray[np.float64]) -> float:
    """Added from left to right, as cumsum does and sum does not: the batches leave no trace."""
    return float(np.cumsum(np.concatenate(([start], values)))[-1])


def _length_figures(histogram: NDArray[np.int64]) -> Lengths:
    found = np.flatnonzero(histogram)
    counts = histogram[found]
    upto, games = np.cumsum(counts), int(counts.sum())

    def quantile(share: float) -> int:
        return int(found[np.searchsorted(upto, math.ceil(share * games))])

    return Lengths(
        mean=int(found @ counts) / games,
        median=quantile(0.5),
        shortest=int(found[0]),
        longest=int(found[-1]),
        quantiles={share: quantile(share) for share in QUANTILES},
        histogram={int(n): int(count) for n, count in zip(found, counts, strict=True)},
    )


def _ply_figures(games: int, total: int, least: int, most: int, forced: int) -> Ply:
    return Ply(games, total / games, least, most, forced / games)
