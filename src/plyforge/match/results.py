"""Results of a match: scores, standings, ratings."""

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from plyforge.game.display import render
from plyforge.match.ratings import (
    Estimate,
    PairResult,
    Progress,
    Ratings,
    Sample,
    Score,
    Sprt,
    elo,
    fit,
    superiority,
)
from plyforge.match.ratings.pentanomial import PAIR_RESULTS
from plyforge.match.store import StoredGame

_Z95: Final = 1.959963984540054


def points_of(game: StoredGame, player: int) -> float:
    """Return a player's points in one of its games."""
    points = game.result.points
    return points if game.pairing.first == player else 1.0 - points


def game_pairs(games: Iterable[StoredGame], one: int, other: int) -> list[list[StoredGame]]:
    """Return the games of two players by pairs, in the order of the schedule."""
    pairs: dict[tuple[int, int, int], list[StoredGame]] = {}
    for game in sorted(games, key=lambda game: game.pairing.number):
        if {game.pairing.first, game.pairing.second} == {one, other}:
            pairs.setdefault(game.pairing.pair, []).append(game)
    return list(pairs.values())


def pair_score(games: Iterable[StoredGame], one: int, other: int) -> Score:
    """Return a player's score against another; an incomplete pair counts as a single game."""
    pairs, singles = [], []
    for pair in game_pairs(games, one, other):
        points = [points_of(game, one) for game in pair]
        if len(points) == 2:
            pairs.append((points[0], points[1]))
        else:
            singles += points
    return Score.of(pairs, singles)


def mean_final_score(games: Iterable[StoredGame], one: int, other: int) -> Estimate | None:
    """Return a player's mean final score against another, such as points in backgammon.

    None if a game has no score, or if there are fewer than two pairs.  The interval of 95 % is from
    the pairs; the last pair does not count if it is incomplete.
    """
    means = []
    for pair in game_pairs(games, one, other):
        scores = [_score_of(game, one) for game in pair]
        if len(scores) == 2:
            if scores[0] is None or scores[1] is None:
                return None
            means.append((scores[0] + scores[1]) / 2)
    if len(means) < 2:
        return None
    mean = statistics.fmean(means)
    margin = _Z95 * statistics.stdev(means) / math.sqrt(len(means))
    return Estimate(mean, mean - margin, mean + margin)


def _score_of(game: StoredGame, player: int) -> float | None:
    score = game.result.score
    return score if score is None or game.pairing.first == player else 0.0 - score


class SprtWatch:
    """A sequential test of the first player against the second while games are played.

    It takes the pairs in the order of the schedule and stops at the first that decides it or is
    incomplete: so it ends at the same pair in whatever order the games end.
    """

    def __init__(self, sprt: Sprt) -> None:
        self._sprt = sprt
        self._counts = [0] * PAIR_RESULTS
        self._waiting: dict[int, list[StoredGame]] = {}
        self.taken: list[StoredGame] = []
        """The games that count for the test."""
        self.progress = sprt.progress(Sample(tuple(self._counts)))

    @property
    def decided(self) -> bool:
        return self.progress.verdict != "continue"

    def add(self, game: StoredGame) -> None:
        """Add a finished game."""
        self._waiting.setdefault(game.pairing.opening, []).append(game)
        following = len(self.taken) // 2
        while not self.decided and len(self._waiting.get(following, ())) == 2:
            pair = sorted(self._waiting.pop(following), key=lambda game: game.pairing.number)
            self.taken += pair
            self._counts[int(2 * sum(points_of(game, 0) for game in pair))] += 1
            self.progress = self._sprt.progress(Sample(tuple(self._counts)))
            following += 1


def apply_sprt(sprt: Sprt, games: Iterable[StoredGame]) -> tuple[list[StoredGame], Progress]:
    """Return the games that count for a test, and its state after them."""
    watch = SprtWatch(sprt)
    for game in games:
        watch.add(game)
    return watch.taken, watch.progress


@dataclass(frozen=True)
class Standing:
    """A player's results against all others."""

    player: int
    name: str
    score: Score
    rating: Estimate
    loops: int
    forfeits: int
    """Games lost by a crash, by time or by an illegal move."""
    seconds: float
    nodes: int

    @property
    def games(self) -> int:
        return self.score.wins + self.score.draws + self.score.losses

    @property
    def points(self) -> float:
        return self.score.wins + self.score.draws / 2


@dataclass(frozen=True)
class Standings:
    """All players of a match, best first."""

    rows: tuple[Standing, ...]
    games: int
    draws: int
    loops: int
    adjudicated: int
    first: Score
    """The score of the first side."""
    against: dict[tuple[int, int], Score]
    """Each player's score against each opponent."""
    difference: Estimate | None
    """With two players, by how much the first of the plan is better."""
    superiority: float | None
    """With two players, the probability that the first is better."""
    final_score: Estimate | None = None
    """With two players, the mean final score of the first, if all games have one."""

    def _repr_html_(self) -> str:
        """The tables, for a notebook."""
        return render(self)


def standings(names: Sequence[str], games: Sequence[StoredGame]) -> Standings:
    """Compute the standings of a match."""
    against = {
        (one, other): pair_score(games, one, other)
        for one in range(len(names))
        for other in range(len(names))
        if one != other and game_pairs(games, one, other)
    }
    ratings = _ratings(names, against)
    rows = [_standing(number, name, games, against, ratings) for number, name in enumerate(names)]
    rows.sort(key=lambda row: (-row.rating.value, row.player))
    two = against.get((0, 1)) if len(names) == 2 else None
    return Standings(
        tuple(rows),
        len(games),
        sum(game.result.points == 0.5 for game in games),
        sum(game.result.loop for game in games),
        sum(game.result.ending == "adjudicated" for game in games),
        Score.of((), [game.result.points for game in games]),
        against,
        elo(two.sample) if two is not None else None,
        superiority(two.sample) if two is not None else None,
        mean_final_score(games, 0, 1) if two is not None else None,
    )


def _ratings(names: Sequence[str], against: dict[tuple[int, int], Score]) -> Ratings | None:
    results = [
        PairResult(
            names[one],
            names[other],
            score.wins + score.draws / 2,
            score.wins + score.draws + score.losses,
        )
        for (one, other), score in against.items()
        if one < other
    ]
    return fit(results) if results else None


def _standing(
    number: int,
    name: str,
    games: Sequence[StoredGame],
    against: dict[tuple[int, int], Score],
    ratings: Ratings | None,
) -> Standing:
    own = [game for game in games if number in (game.pairing.first, game.pairing.second)]
    score = sum((part for (one, _), part in against.items() if one == number), Score())
    known = ratings is not None and name in ratings.players
    return Standing(
        number,
        name,
        score,
        ratings.rating(name) if ratings is not None and known else Estimate(0.0, 0.0, 0.0),
        sum(game.result.loop for game in own),
        sum(game.result.ending == "forfeit" and points_of(game, number) == 0 for game in own),
        sum(game.result.seconds[game.pairing.second == number] for game in own),
        sum(game.result.nodes[game.pairing.second == number] for game in own),
    )
