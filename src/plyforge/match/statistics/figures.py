"""Statistics from the raw figures of many games."""

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from plyforge.core.scores import WIN
from plyforge.match.ratings.wilson import Interval, quantile, wilson
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


@dataclass(frozen=True)
class FinalScore:
    """The first player's final scores, over the games that ended with one."""

    games: int
    mean: float
    interval: Interval
    """95 %, from the normal distribution of means."""


@dataclass(frozen=True)
class Lengths:
    """Lengths of games in plies.

    `quantiles[share]` is the smallest length that this share of the games does not exceed.
    """

    mean: float
    median: int
    shortest: int
    longest: int
    quantiles: dict[float, int]
    histogram: dict[int, int]


@dataclass(frozen=True)
class Ply:
    """Numbers of legal moves at one ply, over the games that made a move there."""

    games: int
    mean: float
    minimum: int
    maximum: int
    forced: float
    """The share of games with exactly one legal move there."""


@dataclass(frozen=True)
class Statistics:
    """Figures of a number of games; shares are between 0 and 1."""

    games: int
    different: int | None
    """Games that differ in their moves; None where the source does not keep them."""
    wins: int
    """Wins of the first player."""
    draws: int
    """Games stopped at the limit of plies count as draws."""
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
        """Wilson's 95 % interval of the score; with draws, it is wider than needed."""
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


class Tally:
    """Sums up batches; the result does not depend on how games were split into them."""

    def __init__(self, ply_limit: int = PLY_LIMIT) -> None:
        self.games = 0
        self._wins = self._losses = 0
        self._ends = np.zeros(len(ENDS), np.int64)
        self._lengths = np.zeros(ply_limit + 1, np.int64)
        self._plies = np.zeros((ply_limit, playout.PLY_WORDS), np.int64)
        self._lines: set[int] | None = set()
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
        self._add_lines(batch.lines)
        self._add_scores(values[(np.abs(values) != WIN) & (ends != playout.TOO_LONG)])

    def _add_plies(self, plies: NDArray[np.int64]) -> None:
        mine = self._plies[: len(plies)]
        count, total, minimum, maximum, forced = range(playout.PLY_WORDS)
        empty, filled = mine[:, count] == 0, plies[:, count] > 0
        smaller = filled & (empty | (plies[:, minimum] < mine[:, minimum]))
        mine[smaller, minimum] = plies[smaller, minimum]
        mine[:, maximum] = np.maximum(mine[:, maximum], plies[:, maximum])
        for column in (count, total, forced):
            mine[:, column] += plies[:, column]

    def _add_lines(self, lines: NDArray[np.uint64] | None) -> None:
        if lines is None:
            self._lines = None
        elif self._lines is not None:
            self._lines.update(lines.tolist())

    def _add_scores(self, scores: NDArray[np.float64]) -> None:
        self._points = self._points or bool(np.any(scores != 0))
        self._scored += len(scores)
        self._score_sum = _sum_from(self._score_sum, scores)
        self._score_squares = _sum_from(self._score_squares, scores * scores)

    def statistics(self) -> Statistics:
        """Return the figures of all games so far; there must be at least one."""
        return Statistics(
            games=self.games,
            different=None if self._lines is None else len(self._lines),
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
        half = quantile() * math.sqrt(variance / games)
        return FinalScore(games, mean, (mean - half, mean + half))


def _sum_from(start: float, values: NDArray[np.float64]) -> float:
    """Add from left to right, as cumsum does and sum does not: batches make no difference."""
    return float(np.cumsum(np.concatenate(([start], values)))[-1])


def _length_figures(histogram: NDArray[np.int64]) -> Lengths:
    lengths = np.flatnonzero(histogram)
    counts = histogram[lengths]
    cumulative, games = np.cumsum(counts), int(counts.sum())

    def quantile(share: float) -> int:
        return int(lengths[np.searchsorted(cumulative, math.ceil(share * games))])

    return Lengths(
        mean=int(lengths @ counts) / games,
        median=quantile(0.5),
        shortest=int(lengths[0]),
        longest=int(lengths[-1]),
        quantiles={share: quantile(share) for share in QUANTILES},
        histogram={int(n): int(count) for n, count in zip(lengths, counts, strict=True)},
    )


def _ply_figures(games: int, total: int, minimum: int, maximum: int, forced: int) -> Ply:
    return Ply(games, total / games, minimum, maximum, forced / games)
