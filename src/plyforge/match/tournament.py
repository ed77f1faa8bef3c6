"""Play a match and store its games.

A game depends on its players, its opening and its seed alone, not on the games before it: the same
seed gives the same games with every number of processes, and a match can be resumed.
"""

import json
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.game.game import Game
from plyforge.games import load
from plyforge.jobs.executor import Executor, JobResult, Report, run_jobs
from plyforge.jobs.local import local_executor
from plyforge.jobs.user_files import UserFile, files_fingerprint, use_files
from plyforge.match.openings import Opening
from plyforge.match.plan import Plan, changed_files, identify
from plyforge.match.players import MoveLimits, Player, player
from plyforge.match.ratings import Score
from plyforge.match.referee import GameResult, MatchRules, Referee, describe_failure, forfeit
from plyforge.match.results import SprtWatch, pair_score
from plyforge.match.schedule import Pairing
from plyforge.match.store import Store, StoredGame

_MAX_PLAYERS_KEPT: Final = 8
"""Players that a process keeps for the next game."""
_TERMINATED: Final = (-signal.SIGTERM, -signal.SIGHUP)
"""Exit codes of a process that was ended from outside: not a fault of a player."""
_LATENCY: Final = 1.0
"""Seconds beyond a player's time after which it counts as hanging: the referee, which runs in the
player's process, should be the first to notice that it is late."""


@dataclass(frozen=True)
class Job:
    """A game to play; with the files of the match, this is all that a worker needs."""

    game: str
    players: tuple[str, str]
    opening: Opening
    limits: MoveLimits
    rules: MatchRules
    seed: int
    pairing: Pairing
    chance_seed: int = 0
    """What the outcomes of chance are drawn from: the same for both games of a pair."""


@dataclass
class Tournament:
    """A match that is being played."""

    plan: Plan
    store: Store
    executor: Executor = field(default_factory=local_executor)
    game: Game = field(init=False)
    number: int = field(init=False)
    games: list[StoredGame] = field(init=False)
    """All stored games of the plan; new ones are added in the order in which they end."""
    earlier: str | None = field(init=False)
    """A remark on a stored match that is not resumed because a file has changed since."""
    _files: list[UserFile] = field(init=False)
    """The files of the user as they were when the match began: later changes do not matter."""
    _test: SprtWatch | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        self.store.claim()
        self._files = self.plan.read_files()
        with use_files(self._files):
            self.game = load(self.plan.game)
        settings = self.plan.settings(self._files)
        self.earlier = self._find_earlier(settings)
        self.number = self.store.match(identify(settings), settings)
        stored = self.store.games(self.number)  # maybe of a longer match
        self.games = [game for game in stored if game.pairing.number < self.plan.total]
        if self.plan.sprt is not None:
            self._test = SprtWatch(self.plan.sprt)
            for game in self.games:
                self._test.add(game)

    def _find_earlier(self, settings: dict[str, Any]) -> str | None:
        """Describe the newest stored match that differs from these settings only in its files."""
        identity = identify(settings)
        for match in self.store.list_matches():
            files = changed_files(match.plan, settings)
            if identify(match.plan) == identity:
                return None
            if files is not None and match.games:
                count = "1 game" if match.games == 1 else f"{match.games} games"
                other = (
                    f"another version of {', '.join(files)}"
                    if files
                    else "an earlier version of Plyforge"
                )
                return (
                    f"{self.store.file} holds {count} of this match, played with {other}; they are"
                    " kept, and a new match begins"
                )
        return None

    def prepare(self, report: Callable[[str], None] = lambda text: None) -> None:
        """Make every player once: errors show early, and each kernel is compiled only once."""
        with use_files(self._files):
            self._warm_up_players(report)
            self._find_openings(report)

    def _warm_up_players(self, report: Callable[[str], None]) -> None:
        texts, limits = dict.fromkeys(self.plan.players), self.plan.limits
        # All of them first: a wrong description shows before anything is compiled.
        for text, one in {text: player(self.game, text, limits) for text in texts}.items():
            report(text)
            one.warm_up()
            one.close()

    def _find_openings(self, report: Callable[[str], None]) -> None:
        needed = self.plan.games // 2
        stored = self.store.openings(self.number)
        if len(stored) >= needed:
            return
        source = self.plan.openings
        count = 0
        for opening in islice(source.openings(self.game, self.plan.seed), needed):
            if count >= len(stored):
                self.store.add_opening(self.number, count, opening)
            elif opening != stored[count]:
                raise PlyforgeError(
                    f"openings '{source}': number {count + 1} differs from the stored one; use"
                    " another seed, or another file for the games"
                )
            count += 1
            report(f"opening {count} of {needed}")
        if count < needed:
            raise PlyforgeError(
                f"openings '{source}': there are only {count} different ones, but"
                f" {self.plan.games} games need {needed}; play fewer games or use longer openings"
            )

    def run(self) -> Iterator[StoredGame]:
        """Play the games that are not stored; yield each one after it is stored."""
        openings = self.store.openings(self.number)
        played = {game.pairing.number for game in self.games}
        remaining = (one for one in self.plan.pairings() if one.number not in played)
        jobs = (self._job(pairing, openings) for pairing in remaining if not self.ended)
        for done in run_jobs(self.executor, play, jobs, self._files):
            game = StoredGame(done.job.pairing, result_of(self.game, done))
            if self.ended:
                return
            self.store.add(self.number, game.pairing, game.result)
            self.games.append(game)
            if self._test is not None:
                self._test.add(game)
            yield game

    @property
    def ended(self) -> bool:
        """Whether a sequential test is decided.

        It takes the pairs in the order of the schedule, so that the number of processes does not
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
            Stream(plan.seed).split(f"chance {pairing.pair}").next_word(),
        )


def result_of(game: Game, done: JobResult) -> GameResult:
    """Return the game that a job played, or a forfeit by the player whose process crashed."""
    if done.failure is None:
        return done.result  # type: ignore[no-any-return]
    if done.failure == "raised" or not done.stage or done.code in _TERMINATED:
        raise PlyforgeError(f"a game could not be played ({done.failure}): {done.detail}")
    turn, moves = json.loads(done.stage)
    fault = {"hung": "it did not answer in time", "died": f"it crashed ({done.detail})"}
    return forfeit(game, moves, turn, fault[done.failure])


# In the processes that play

_players: dict[tuple[Any, ...], Player] = {}
_games: dict[tuple[str, str], Game] = {}


def play(job: Job, report: Report) -> GameResult:
    """Play one game; report whose turn it is, so that a hanging player can be named."""
    game = _game_of(job)
    opening = job.opening.history(game)
    stream = Stream(job.seed)

    def watch(turn: int, moves: list[int], seconds: float) -> None:
        report(json.dumps([turn, moves]), seconds + _LATENCY)

    for seat in (0, 1):
        watch(seat, opening.moves, job.rules.hang_timeout)
        side = _player_of(job, seat)
        try:
            side.begin(stream.next_word())
        except (Exception, SystemExit) as error:
            return forfeit(game, opening.moves, seat, describe_failure(error))
    return Referee(game, job.rules).play(
        (_player_of(job, 0), _player_of(job, 1)),
        opening,
        lambda history, seconds: watch(history.turn, history.moves, seconds),
        job.chance_seed,
    )


def _game_of(job: Job) -> Game:
    """Return the game, which is loaded once in a process."""
    key = (job.game, files_fingerprint())
    if key not in _games:
        _games[key] = load(job.game)
    return _games[key]


def _player_of(job: Job, seat: int) -> Player:
    """Return the player of an earlier game, or a new one; each seat has its own."""
    key = (job.game, job.players[seat], seat, job.limits, files_fingerprint())
    seated = _players.pop(key, None)
    if seated is None:
        while len(_players) >= _MAX_PLAYERS_KEPT:
            _players.pop(next(iter(_players))).close()
        seated = player(_game_of(job), job.players[seat], job.limits)
    # Last in the order: the opponent, which was used just before, is never the one to be closed.
    _players[key] = seated
    return seated
