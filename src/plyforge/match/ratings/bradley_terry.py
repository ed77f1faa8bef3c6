"""Ratings of many players: the model of Bradley and Terry (1952), on the Elo scale.

A player's expected score is logistic in the difference of two ratings; a draw is half a win.  The
likelihood has one maximum, which Newton's method finds.

The prior consists of virtual games: each player has drawn `prior` games with the same virtual
player.  So a player who won all games, or met none of the others, has a finite rating; over
hundreds of games the effect is negligible.  With `prior=0` there is a maximum only if no group of
players won all points against the rest (Ford 1957).

The errors come from the Fisher information, which assumes independent games without draws; with
draws and balanced pairs the true errors are smaller.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from plyforge.core.errors import PlyforgeError, UnknownName, clip
from plyforge.match.ratings.elo import POINTS_PER_NAT, Estimate
from plyforge.match.ratings.wilson import CONFIDENCE, quantile

Floats = npt.NDArray[np.float64]

PRIOR: Final = 1.0
"""The default number of virtual draws per player."""
_ITERATIONS: Final = 100
_TOLERANCE: Final = 1e-7
"""In nats: the last step is smaller, and the remaining error about its square."""
_MAX_STEP: Final = 2.0
"""In nats: limits the steps where the likelihood is nearly flat."""
_MAX_ADVANTAGE: Final = 25.0
"""In nats, over 4000 Elo: an advantage beyond that has no finite maximum."""


class PairResult(NamedTuple):
    """Points of a player against an opponent; for an advantage, the player moved first."""

    player: str
    opponent: str
    points: float
    games: float


@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings in Elo with a mean of 0, and their covariances."""

    players: tuple[str, ...]
    elo: Floats
    covariance: Floats
    advantage: Estimate | None = None
    """The value of moving first, if requested."""

    def rating(self, player: str, confidence: float = CONFIDENCE) -> Estimate:
        """Return a player's rating relative to the mean."""
        place = self._place(player)
        variance = self.covariance[place, place]
        return _estimate(self.elo[place], variance, confidence)

    def difference(self, player: str, opponent: str, confidence: float = CONFIDENCE) -> Estimate:
        """Return by how much a player is better than another."""
        one, two = self._place(player), self._place(opponent)
        covariance = self.covariance
        variance = covariance[one, one] + covariance[two, two] - 2 * covariance[one, two]
        return _estimate(self.elo[one] - self.elo[two], variance, confidence)

    def ranking(self) -> list[str]:
        """Return the players, best first."""
        return [self.players[place] for place in np.argsort(-self.elo, kind="stable")]

    def _place(self, player: str) -> int:
        if player not in self.players:
            raise UnknownName("player", player, self.players)
        return self.players.index(player)


def fit(
    results: Iterable[tuple[str, str, float, float]],
    prior: float = PRIOR,
    advantage: bool = False,
) -> Ratings:
    """Rate all players; with `advantage`, estimate the value of being named first.

    >>> ratings = fit([("ann", "bob", 7, 10), ("bob", "cid", 6, 10), ("cid", "ann", 2, 10)])
    >>> ratings.ranking()
    ['ann', 'bob', 'cid']
    """
    rows = [_check(row) for row in results]
    players = tuple(dict.fromkeys(name for row in rows for name in (row.player, row.opponent)))
    if len(players) < 2:
        raise PlyforgeError(f"there must be results of two or more players, not of {len(players)}")
    if not 0 <= prior < np.inf:
        raise PlyforgeError(f"prior must be a number of virtual draws, at least 0, not {prior!r}")
    if prior == 0:
        _check_connection(players, rows)
    model = _model(players, rows, prior, advantage)
    if advantage:
        _check_advantage(model)
    return _ratings(players, model, _maximum(model, advantage), advantage)


@dataclass(frozen=True, eq=False)
class _Model:
    """A logistic regression: a column for each player, the virtual player and the advantage."""

    design: Floats
    points: Floats
    games: Floats
    shift: Floats
    """The direction in which all ratings rise by the same amount."""

    def scores(self, parameters: Floats) -> Floats:
        return np.asarray(1 / (1 + np.exp(-self.design @ parameters)))

    def likelihood(self, parameters: Floats) -> float:
        """The log-likelihood, without overflow."""
        lead = self.design @ parameters
        won = self.points @ np.logaddexp(0, -lead)
        lost = (self.games - self.points) @ np.logaddexp(0, lead)
        return -float(won + lost)

    def gradient(self, parameters: Floats) -> Floats:
        return np.asarray((self.points - self.games * self.scores(parameters)) @ self.design)

    def information(self, parameters: Floats) -> Floats:
        """Return the Fisher information, made regular in the direction of the shift."""
        scores = self.scores(parameters)
        weights = self.games * scores * (1 - scores)
        regular = np.outer(self.shift, self.shift)
        return np.asarray(self.design.T @ (weights[:, None] * self.design) + regular)


def _check(row: tuple[str, str, float, float]) -> PairResult:
    try:
        result = PairResult(*row)
        sound = 0 <= result.points <= result.games < np.inf and result.games > 0
    except TypeError:
        sound = False
    if not sound:
        raise PlyforgeError(
            "a result must be player, opponent, points and games, with 0 <= points <= games,"
            f" not {clip(repr(row))}"
        )
    if result.player == result.opponent:
        raise PlyforgeError(f"'{result.player}' plays against itself; leave that result out")
    return result


def _check_connection(players: Sequence[str], rows: Sequence[PairResult]) -> None:
    """Reject results without a chain of scored points from each player to each other."""
    scored = [(row.player, row.opponent) for row in rows if row.points > 0]
    scored += [(row.opponent, row.player) for row in rows if row.points < row.games]
    for edges in (scored, [(loser, winner) for winner, loser in scored]):
        reached = _reachable(players[0], edges)
        if len(reached) < len(players):
            apart = next(name for name in players if name not in reached)
            raise PlyforgeError(
                f"'{players[0]}' and '{apart}' cannot be compared: no chain of points leads from"
                " one to the other; give prior > 0, or more games"
            )


def _reachable(start: str, edges: Sequence[tuple[str, str]]) -> set[str]:
    following: dict[str, list[str]] = {}
    for source, target in edges:
        following.setdefault(source, []).append(target)
    reached, waiting = {start}, [start]
    while waiting:
        for name in following.get(waiting.pop(), ()):
            if name not in reached:
                reached.add(name)
                waiting.append(name)
    return reached


def _model(
    players: Sequence[str], rows: Sequence[PairResult], prior: float, advantage: bool
) -> _Model:
    """Make the model: real games, then each player's virtual draws, then draws of equal sides."""
    places = {name: place for place, name in enumerate(players)}
    virtual, first = len(players), len(players) + 1
    entries = [({places[r.player]: 1, places[r.opponent]: -1, first: 1}, r[2:]) for r in rows]
    drawn = (prior / 2, prior)
    entries += [({place: 1, virtual: -1}, drawn) for place in places.values()]
    entries += [({first: 1}, drawn)]
    design = np.zeros((len(entries), len(players) + 2))
    for line, (signs, _) in enumerate(entries):
        for column, sign in signs.items():
            design[line, column] = sign
    used = [*range(virtual), *([virtual] if prior else []), *([first] if advantage else [])]
    points, games = np.array([numbers for _, numbers in entries], np.float64).T
    shift = np.array([1.0] * first + [0.0])
    return _Model(design[:, used], points, games, shift[used])


def _check_advantage(model: _Model) -> None:
    """Reject results in which the advantage cannot be separated from the ratings."""
    columns = model.design.shape[1]
    if np.linalg.matrix_rank(model.design[model.games > 0]) < columns - 1:
        raise PlyforgeError(
            "the advantage of the first player cannot be separated from the ratings;"
            " let players change sides, or give prior > 0"
        )


def _maximum(model: _Model, advantage: bool) -> Floats:
    """Maximise the likelihood by Newton's method, halving steps that decrease it."""
    parameters = np.zeros(model.design.shape[1])
    for _ in range(_ITERATIONS):
        step = np.linalg.solve(model.information(parameters), model.gradient(parameters))
        step /= max(1.0, np.abs(step).max() / _MAX_STEP)
        here = model.likelihood(parameters)
        while model.likelihood(parameters + step) < here and np.abs(step).max() > _TOLERANCE:
            step /= 2
        parameters = parameters + step
        if np.abs(step).max() <= _TOLERANCE:
            return parameters
        if advantage and abs(parameters[-1]) > _MAX_ADVANTAGE:
            break
    raise PlyforgeError(
        "the results have no most likely ratings, because one side won nearly all points;"
        " give a larger prior, or leave the advantage out"
    )


def _ratings(
    players: tuple[str, ...], model: _Model, parameters: Floats, advantage: bool
) -> Ratings:
    """Convert parameters in nats to ratings with a mean of 0."""
    count, all_ = len(players), len(parameters)
    centre = np.eye(count, all_)
    centre[:, :count] -= 1 / count
    covariance = POINTS_PER_NAT**2 * np.linalg.inv(model.information(parameters))
    first = None
    if advantage:
        first = _estimate(POINTS_PER_NAT * parameters[-1], covariance[-1, -1], CONFIDENCE)
    elo = POINTS_PER_NAT * (centre @ parameters)
    return Ratings(players, elo, centre @ covariance @ centre.T, first)


def _estimate(value: float, variance: float, confidence: float) -> Estimate:
    margin = quantile(confidence) * float(np.sqrt(variance))
    return Estimate(float(value), float(value) - margin, float(value) + margin)
