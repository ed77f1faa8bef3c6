"""Results as independent samples: game pairs, or single games where there are no pairs.

The two games of an opening played with both sides are not independent: an unbalanced opening wins
one and loses the other for any player.  Their sum is one sample with five results (pentanomial); a
single game has three (trinomial).  All estimates use the counts of such results.
"""

import math
import operator
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from plyforge.core.errors import PlyforgeError, clip

GAME_RESULTS: Final = 3
"""A game gives 0, 1/2 or 1 point."""
PAIR_RESULTS: Final = 5
"""A pair gives 0, 1/2, 1, 3/2 or 2 points."""
NO_PAIRS: Final = (0,) * PAIR_RESULTS


def check_counts(counts: Iterable[int]) -> tuple[int, ...]:
    """Return counts as plain integers; reject negative ones."""
    values = tuple(counts)
    try:
        numbers = tuple(operator.index(count) for count in values)
    except TypeError:
        numbers = (-1,)
    if min(numbers, default=0) < 0:
        raise PlyforgeError(f"counts must be non-negative integers, not {clip(str(values))}")
    return numbers


@dataclass(frozen=True)
class Sample:
    """The counts of each result, from all points lost to all points won.

    Three counts are games (lost, drawn, won); five are pairs.  Scores are per game, from 0 to 1.

    >>> pairs = Sample((0, 2, 3, 4, 1))
    >>> pairs.size, pairs.games, pairs.mean
    (10, 20, 0.6)
    """

    counts: tuple[int, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "counts", check_counts(self.counts))
        if len(self.counts) not in (GAME_RESULTS, PAIR_RESULTS):
            raise PlyforgeError(
                f"there must be {GAME_RESULTS} counts for games (lost, drawn, won) or"
                f" {PAIR_RESULTS} for pairs (0, 1/2, 1, 3/2, 2 points), not {len(self.counts)}"
            )

    @property
    def size(self) -> int:
        """The number of independent results."""
        return sum(self.counts)

    @property
    def games_each(self) -> int:
        """The number of games in one result."""
        return 2 if len(self.counts) == PAIR_RESULTS else 1

    @property
    def games(self) -> int:
        """The number of games."""
        return self.games_each * self.size

    @property
    def mean(self) -> float:
        """The score per game, from 0 to 1."""
        steps = sum(place * count for place, count in enumerate(self.counts))
        return steps / (self._any_size() * (len(self.counts) - 1))

    @property
    def variance(self) -> float:
        """The variance of one result's score per game, about the mean."""
        return self.squares(self.mean) / self._any_size()

    @property
    def standard_error(self) -> float:
        """The standard error of the mean; infinite for fewer than two results."""
        if self.size < 2:
            return math.inf
        return math.sqrt(self.variance / (self.size - 1))

    def squares(self, score: float) -> float:
        """Return the sum of the squared distances from a score."""
        last = len(self.counts) - 1
        return sum(n * (place / last - score) ** 2 for place, n in enumerate(self.counts))

    def mirror(self) -> "Sample":
        """Return the same results from the opponent's perspective."""
        return Sample(self.counts[::-1])

    def _any_size(self) -> int:
        if not self.size:
            raise PlyforgeError("there are no results; play a game first")
        return self.size


@dataclass(frozen=True)
class Score:
    """One player's results against another: all games, and the pairs among them.

    Single games are among the wins, draws and losses only.

    >>> score = Score.of([(1, 0), (1, 0.5), (0.5, 0.5)], singles=[1])
    >>> score.wins, score.draws, score.losses, score.pairs
    (3, 3, 1, (0, 0, 2, 1, 0))
    """

    wins: int = 0
    draws: int = 0
    losses: int = 0
    pairs: tuple[int, ...] = NO_PAIRS

    def __post_init__(self) -> None:
        check_counts((self.wins, self.draws, self.losses))
        object.__setattr__(self, "pairs", check_counts(self.pairs))
        if len(self.pairs) != PAIR_RESULTS:
            raise PlyforgeError(
                f"there must be {PAIR_RESULTS} counts of pairs, not {len(self.pairs)}"
            )
        if not self._holds_its_pairs():
            raise PlyforgeError(
                f"pairs {self.pairs} do not fit into +{self.wins} ={self.draws} -{self.losses};"
                " count the games of every pair as well"
            )

    @classmethod
    def of(
        cls, pairs: Iterable[tuple[float, float]] = (), singles: Iterable[float] = ()
    ) -> "Score":
        """Return the score of games, each given by its points: 0, 1/2 or 1."""
        games = [0] * GAME_RESULTS
        counts = [0] * PAIR_RESULTS
        for pair in pairs:
            steps = [_steps(points) for points in pair]
            if len(steps) != 2:
                raise PlyforgeError(f"pair {pair}: give the points of two games")
            counts[sum(steps)] += 1
            for step in steps:
                games[step] += 1
        for points in singles:
            games[_steps(points)] += 1
        losses, draws, wins = games
        return cls(wins, draws, losses, tuple(counts))

    @property
    def gamewise(self) -> Sample:
        """Each game as a sample (trinomial)."""
        return Sample((self.losses, self.draws, self.wins))

    @property
    def pairwise(self) -> Sample:
        """Each pair as a sample (pentanomial), without single games."""
        return Sample(self.pairs)

    @property
    def sample(self) -> Sample:
        """The pairs if there are any, else the games."""
        return self.pairwise if any(self.pairs) else self.gamewise

    def mirror(self) -> "Score":
        """Return the opponent's score."""
        return Score(self.losses, self.draws, self.wins, self.pairs[::-1])

    def __add__(self, other: "Score") -> "Score":
        pairs = tuple(map(operator.add, self.pairs, other.pairs))
        wins, draws, losses = (
            self.wins + other.wins,
            self.draws + other.draws,
            self.losses + other.losses,
        )
        return Score(wins, draws, losses, pairs)

    def _holds_its_pairs(self) -> bool:
        """Whether the pairs' games are among all games; a pair of 1 is two draws or one win."""
        none, half, one, three_halves, two = self.pairs
        wins = self.wins - 2 * two - three_halves
        draws = self.draws - three_halves - half
        losses = self.losses - 2 * none - half
        return min(wins, draws, losses) >= 0 and one <= min(wins, losses) + draws // 2


def _steps(points: float) -> int:
    """Return a game's points in halves."""
    if points not in (0, 0.5, 1):
        raise PlyforgeError(f"points of a game must be 0, 0.5 or 1, not {clip(repr(points))}")
    return int(2 * points)
