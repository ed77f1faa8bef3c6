"""Ratings of many players at once: the model of Bradley and Terry (1952), on Elo's scale.

A player's expected score is logistic in the difference of two ratings, a draw being half a win.
The likelihood has one maximum, which Newton's method finds.

The prior is virtual games: every player drew `prior` games with one and the same virtual player.
So whoever won all games, or met none of the others, keeps a finite rating; in hundreds of games
it does not show.  With `prior=0` there is a maximum only if no group of players won all points
against the rest (Ford 1957).

The errors come from the Fisher information, as if games were independent and never drawn; draws
and balanced pairs make the true errors smaller.
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
"""Virtual draws of every player, unless told otherwise."""
_ITERATIONS: Final = 100
_CLOSE: Final = 1e-7
"""In nats: the last step is smaller, and squared what is left of the error."""
_LONGEST_STEP: Final = 2.0
"""In nats: Newton's method may not leap from where the likelihood is nearly flat."""
_MAX_ADVANTAGE: Final = 25.0
"""In nats, over 4000 Elo: an advantage beyond that has no finite maximum."""


class PairResult(NamedTuple):
    """Points of a player in games with an opponent; the player moved first, if that matters."""

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
    """What moving first is worth, if it was asked for."""

    def rating(self, player: str, confidence: float = CONFIDENCE) -> Estimate:
        """A player's rating, against the mean of all."""
        place = self._place(player)
        variance = self.covariance[place, place]
        return _estimate(self.elo[place], variance, confidence)

    def difference(self, player: str, opponent: str, confidence: float = CONFIDENCE) -> Estimate:
        """How much better a player is than another."""
        one, two = self._place(player), self._place(opponent)
        covariance = self.covariance
        variance = covariance[one, one] + covariance[two, two] - 2 * covariance[one, two]
        return _estimate(self.elo[one] - self.elo[two], variance, confidence)

    def ranking(self) -> list[str]:
        """The players, the best first."""
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
    """Rate all players; with `advantage` also what it is worth to be the one named first.

    >>> ratings = fit([("ann", "bob", 7, 10), ("bob", "cid", 6, 10), ("cid", "ann", 2, 10)])
    >>> ratings.ranking()
    ['ann', 'bob', 'cid']
    """
    rows = [_checked(row) for row in results]
    players = tuple(dict.fromkeys(name for row in rows for name in (row.player, row.opponent)))
    if len(players) < 2:
        raise PlyforgeError(f"results of {len(players)} players: give those of two or more")
    if not 0 <= prior < np.inf:
        raise PlyforgeError(f"prior = {prior!r}: give a number of virtual draws, 0 for none")
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
    """The direction in which all ratings rise and nothing changes."""

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
        """Fisher's, made regular in the direction of the shift, where it is 0."""
        scores = self.scores(parameters)
        weights = self.games * scores * (1 - scores)
        regular = np.outer(self.shift, self.shift)
        return np.asarray(self.design.T @ (weights[:, None] * self.design) + regular)


def _checked(row: tuple[str, str, float, float]) -> PairResult:
    try:
        result = PairResult(*row)
        sound = 0 <= result.points <= result.games < np.inf and result.games > 0
    except TypeError:
        sound = False
    if not sound:
        told = clip(f"{row!r}")
        raise PlyforgeError(
            f"result {told}: give player, opponent, points and games, 0 <= points <= games"
        )
    if result.player == result.opponent:
        raise PlyforgeError(f"'{result.player}' against itself: leave that result out")
    return result


def _check_connection(players: Sequence[str], rows: Sequence[PairResult]) -> None:
    """Whether from every player a chain of scored points leads to every other."""
    took = [(row.player, row.opponent) for row in rows if row.points > 0]
    took += [(row.opponent, row.player) for row in rows if row.points < row.games]
    for edges in (took, [(loser, winner) for winner, loser in took]):
        reached = _reached(players[0], edges)
        if len(reached) < len(players):
            apart = next(name for name in players if name not in reached)
            raise PlyforgeError(
                f"'{players[0]}' and '{apart}' cannot be compared: no chain of points leads from"
                " one to the other; give prior > 0, or more games"
            )


def _reached(start: str, edges: Sequence[tuple[str, str]]) -> set[str]:
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
    """Real games, then virtual ones: each player's draws, and draws between two equal sides."""
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
    """Whether the rows that count tell it from the ratings; these have their shift, too."""
    columns = model.design.shape[1]
    if np.linalg.matrix_rank(model.design[model.games > 0]) < columns - 1:
        raise PlyforgeError(
            "the advantage of the first player cannot be told from the ratings;"
            " let players change sides, or give prior > 0"
        )


def _maximum(model: _Model, advantage: bool) -> Floats:
    """Where the likelihood is greatest: Newton's steps, halved while they lead down."""
    parameters = np.zeros(model.design.shape[1])
    for _ in range(_ITERATIONS):
        step = np.linalg.solve(model.information(parameters), model.gradient(parameters))
        step /= max(1.0, np.abs(step).max() / _LONGEST_STEP)
        here = model.likelihood(parameters)
        while model.likelihood(parameters + step) < here and np.abs(step).max() > _CLOSE:
            step /= 2
        parameters = parameters + step
        if np.abs(step).max() <= _CLOSE:
            return parameters
        if advantage and abs(parameters[-1]) > _MAX_ADVANTAGE:
            break
    raise PlyforgeError(
        "the results have no likeliest ratings, as one side won nearly all points;"
        " give a larger prior, or leave the advantage out"
    )


def _ratings(
    players: tuple[str, ...], model: _Model, parameters: Floats, advantage: bool
) -> Ratings:
    """Parameters in nats as ratings about their mean."""
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
