"""A match from its plan to its stored games.

A game depends on its players, its opening and its seed alone, never on the games before it: so the
same seed gives the same games whatever the number of processes, and a match can be taken up again
where it stopped.
"""

import hashlib
import json
import signal
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from itertools import islice
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.game.game import Game
from plyforge.games import load
from plyforge.jobs.pool import JobResult, ProcessPool, Report
from plyforge.match.openings import Opening, OpeningSource
from plyforge.match.players import Description, MoveLimits, Player, player
from plyforge.match.ratings import Score, Sprt
from plyforge.match.referee import GameResult, MatchRules, Referee, describe_failure, forfeit
from plyforge.match.results import SprtWatch, pair_score
from plyforge.match.schedule import Format, Pairing, meetings, pairings
from plyforge.match.store import Store, StoredGame

_MAX_PLAYERS_KEPT: Final = 8
"""Players that a process keeps for the next game."""
_ASKED_TO_END: Final = (-signal.SIGTERM, -signal.SIGHUP)
"""Exit codes of a process that somebody ended, maybe with all others: no fault of a player."""
_LATENCY: Final = 1.0
"""Seconds beyond a player's time until it is taken to hang: the referee, who sees the player from
near, should be the one to tell that it is late."""


@dataclass(frozen=True)
class Plan:
    """All that decides a match."""

    game: str
    players: tuple[str, ...]
    games: int = 100
    """Per pairing; an even number, for every opening is played with both sides."""
    form: Format = Format.ROUND_ROBIN
    openings: OpeningSource = OpeningSource()
    seed: int = 0
    limits: MoveLimits = MoveLimits()
    rules: MatchRules = MatchRules()
    sprt: Sprt | None = None

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise PlyforgeError("a match needs at least two players, as engine:depth=6 random")
        names = [Description.read(text).name for text in self.players]
        for name in names:
            if names.count(name) > 1:
                raise PlyforgeError(
                    f"two players are called '{name}'; give one of them another name, as"
                    " engine:depth=6,name=other"
                )
        if isinstance(self.games, bool) or not isinstance(self.games, int) or self.games < 1:
            raise PlyforgeError(f"{self.games!r} games: give a whole number, at least 2")
        if self.games % 2:
            raise PlyforgeError(
                f"{self.games} games: give an even number, for each opening is played with both"
                " sides"
            )
        if self.rules.most_plies < 1:
            raise PlyforgeError(f"a limit of {self.rules.most_plies} moves: give at least 1")
        if self.sprt is not None and len(self.players) != 2:
            raise PlyforgeError("a sequential test compares two players; name two")

    @property
    def names(self) -> list[str]:
        return [Description.read(text).name for text in self.players]

    @property
    def settings(self) -> dict[str, Any]:
        """What decides each single game, as plain data."""
        told = asdict(self)
        del told["games"], told["sprt"]
        told["openings"] = str(self.openings)
        return told

    @property
    def identity(self) -> str:
        """The same for the same games, however many of them are played."""
        text = json.dumps(self.settings, sort_keys=True)
        return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()

    def pairings(self) -> Iterator[Pairing]:
        return pairings(len(self.players), self.form, self.games // 2)

    @property
    def total(self) -> int:
        return self.games * len(meetings(len(self.players), self.form))


@dataclass(frozen=True)
class Job:
    """A game to be played, with all that another process needs to know."""

    game: str
    players: tuple[str, str]
    opening: Opening
    limits: MoveLimits
    rules: MatchRules
    seed: int
    pairing: Pairing


@dataclass
class Tournament:
    """A match under way."""

    plan: Plan
    store: Store
    processes: int = 1
    number: int = field(init=False)
    games: list[StoredGame] = field(init=False)
    """All games of the plan that are stored, in no order once new ones come."""
    _test: SprtWatch | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.store.claim()
        self.number = self.store.match(self.plan.identity, self.plan.settings)
        stored = self.store.games(self.number)  # maybe of a longer match
        self.games = [game for game in stored if game.pairing.number < self.plan.total]
        if self.plan.sprt is not None:
            self._test = SprtWatch(self.plan.sprt)
            for game in self.games:
                self._test.add(game)

    def prepare(self, told: Callable[[str], None] = lambda text: None) -> None:
        """Make every player once: wrong descriptions show, and kernels are compiled one by one."""
        game = load(self.plan.game)
        for text in dict.fromkeys(self.plan.players):
            told(text)
            player(game, text, self.plan.limits).close()
        self._find_openings(game, told)

    def _find_openings(self, game: Game, told: Callable[[str], None]) -> None:
        wanted = self.plan.games // 2
        stored = self.store.openings(self.number)
        if len(stored) >= wanted:
            return
        source = self.plan.openings
        found = 0
        for opening in islice(source.openings(game, self.plan.seed), wanted):
            if found >= len(stored):
                self.store.add_opening(self.number, found, opening)
            elif opening != stored[found]:
                raise PlyforgeError(
                    f"openings '{source}': number {found + 1} is not the one that this match began"
                    " with; give another seed, or another file for the games"
                )
            found += 1
            told(f"opening {found} of {wanted}")
        if found < wanted:
            raise PlyforgeError(
                f"openings '{source}': there are only {found} different ones, and {wanted} are"
                f" needed for {self.plan.games} games; play fewer games, or take longer openings"
            )

    def run(self) -> Iterator[StoredGame]:
        """Play what has not been played; every game is stored before it is told."""
        openings = self.store.openings(self.number)
        played = {game.pairing.number for game in self.games}
        remaining = (f for f in self.plan.pairings() if f.number not in played)
        jobs = (self._job(pairing, openings) for pairing in remaining if not self.ended)
        pool = ProcessPool(play, self.processes)
        for done in pool.run(jobs):
            game = StoredGame(done.job.pairing, _played(done))
            if self.ended:
                return
            self.store.add(self.number, game.pairing, game.played)
            self.games.append(game)
            if self._test is not None:
                self._test.add(game)
            yield game

    @property
    def ended(self) -> bool:
        """Whether a sequential test has come to its end.

        It looks at the pairs in the order of the schedule, so that the number of processes does not
        matter.
        """
        return self._test is not None and self._test.decided

    @property
    def score(self) -> Score:
        """The first player's score against the second."""
        return pair_score(self.games, 0, 1)

    def _job(self, pairing: Pairing, openings: list[Opening]) -> Job:
        plan = self.plan
        return Job(
            plan.game,
            (plan.players[pairing.first], plan.players[pairing.second]),
            openings[pairing.opening],
            plan.limits,
            plan.rules,
            Stream(plan.seed).split(f"game {pairing.number}").next_word(),
            pairing,
        )


# In the processes that play

_players: dict[tuple[Any, ...], Player] = {}
_games: dict[str, Game] = {}


def play(job: Job, report: Report) -> GameResult:
    """Play one game; the report tells whose turn it is, so that a hanging player can be named."""
    if job.game not in _games:
        _games[job.game] = load(job.game)
    game = _games[job.game]
    opening = job.opening.history(game)
    stream = Stream(job.seed)

    def watch(turn: int, moves: list[int], seconds: float) -> None:
        report(json.dumps([turn, moves]), seconds + _LATENCY)

    for seat in (0, 1):
        watch(seat, opening.moves, job.rules.patience)
        side = _seated(job, seat)
        try:
            side.begin(stream.next_word())
        except (Exception, SystemExit) as error:
            return forfeit(game, opening.moves, seat, describe_failure(error))
    return Referee(game, job.rules).play(
        (_seated(job, 0), _seated(job, 1)),
        opening,
        lambda history, seconds: watch(history.turn, history.moves, seconds),
    )


def _seated(job: Job, seat: int) -> Player:
    """A player of an earlier game, or a new one; each seat has its own."""
    key = (job.game, job.players[seat], seat, job.limits)
    found = _players.pop(key, None)
    if found is None:
        while len(_players) >= _MAX_PLAYERS_KEPT:
            _players.pop(next(iter(_players))).close()
        found = player(_games[job.game], job.players[seat], job.limits)
    # Behind all others: the one to go is never the opponent of the one that comes.
    _players[key] = found
    return found


def _played(done: JobResult) -> GameResult:
    """The game, or the forfeit of the player whose turn it was when its process came to grief."""
    if done.failure is None:
        return done.result  # type: ignore[no-any-return]
    if done.failure == "raised" or not done.stage or done.code in _ASKED_TO_END:
        raise PlyforgeError(f"a game could not be played ({done.failure}): {done.detail}")
    turn, moves = json.loads(done.stage)
    fault = {"hung": "it did not answer in time", "died": f"it crashed ({done.detail})"}
    return forfeit(load(done.job.game), moves, turn, fault[done.failure])
