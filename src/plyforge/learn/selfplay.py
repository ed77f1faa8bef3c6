"""Games that an engine plays against itself, as jobs: each yields a sample of data."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.engine import Engine
from plyforge.engine.drivers import DEFAULT, find_driver
from plyforge.engine.presets import preset_for
from plyforge.engine.result import Info
from plyforge.evaluate import with_evaluation
from plyforge.game.game import Game, History
from plyforge.game.history import BaseHistory
from plyforge.games import load
from plyforge.jobs.executor import Executor, Report, run_jobs
from plyforge.jobs.user_files import UserFile, file_names, files_fingerprint, read_available
from plyforge.search.options import EXACT, PLAY

EXPLORED: Final = 10
"""On average one move in this many is random, so that games differ."""
_TABLE_ENTRIES: Final = 1 << 18


@dataclass(frozen=True)
class SelfPlay:
    """How games are played: all that a worker needs to know, with the user's files."""

    game: str
    """The name of the game or its file, with the variant."""
    evaluation: str
    """The evaluation, or empty for the game's own."""
    depth: int
    seed: int
    opening: int = 8
    """The number of random moves at the start."""
    max_plies: int = 200

    def files(self) -> list[UserFile]:
        """Read the files of the user that it names."""
        return read_available([*file_names(self.game), *file_names(self.evaluation)])

    def load_game(self) -> Game:
        """Load the game with its evaluation."""
        game = load(self.game)
        return with_evaluation(game, self.evaluation) if self.evaluation else game


Observe = Callable[[Game, BaseHistory, Sequence[Info]], Any]
"""Takes a position with all iterations of its search; returns what to keep of it, or None."""


@dataclass(frozen=True)
class GameJob:
    """One game to play."""

    plan: SelfPlay
    observe: Observe
    number: int


_engines: dict[tuple[SelfPlay, str], Engine] = {}


def make_engine(game: Game) -> Engine:
    """Return an engine that prunes nothing, but evaluates leaves as the game's `play` does."""
    play = preset_for(game, PLAY, find_driver(DEFAULT))
    steps = [s for s in play.steps if "at_horizon" in s.functions and play.has(s.name)]
    settings = {p.name: play.get(p.name) for step in steps for p in step.parameters}
    return Engine(
        game,
        preset=EXACT,
        on=[step.name for step in steps],
        settings={**settings, "depth-step": 1},
        entries=_TABLE_ENTRIES,
    )


def play_game(job: GameJob, report: Report) -> list[Any]:
    """Play a game, search every position after the opening, and return what was observed."""
    plan, key = job.plan, (job.plan, files_fingerprint())
    if key not in _engines:
        _engines.clear()
        _engines[key] = make_engine(plan.load_game())
    engine = _engines[key]
    engine.clear()  # so that a game does not depend on those before it
    game, stream = engine.game, Stream(plan.seed).split(str(job.number))
    found: list[Any] = []

    def choose(history: History) -> int:
        iterations: list[Info] = []
        result = engine.analyse(history, depth=plan.depth, report=iterations.append)
        sample = job.observe(game, history, iterations)
        if sample is not None:
            found.append(sample)
        return result.move

    play_out(game.history(), stream, plan.opening, EXPLORED, plan.max_plies, choose)
    return found


def play_out(
    history: History,
    stream: Stream,
    opening: int,
    explored: int,
    max_plies: int,
    choose: Callable[[History], int],
) -> None:
    """Play a game until it is over or has `max_plies` moves.

    The first `opening` moves are random, and later one move in `explored` on average, none if that
    is 0; `choose` returns the others.
    """
    for ply in range(max_plies):
        moves = history.playable()
        if history.verdict().over or not moves:
            break
        if ply < opening:
            history.play(stream.choice(moves))
            continue
        move = choose(history)
        if explored:
            random_move, explores = stream.choice(moves), stream.below(explored) == 0
            move = random_move if explores else move
        history.play(move)


def play_games(
    plan: SelfPlay, observe: Observe, numbers: Sequence[int], executor: Executor
) -> Iterator[tuple[int, list[Any]]]:
    """Play the games with these numbers; yield each number with what was observed."""
    jobs = [GameJob(plan, observe, number) for number in numbers]
    for result in run_jobs(executor, play_game, jobs, plan.files()):
        if result.failure is not None:
            raise PlyforgeError(
                f"game {result.job.number + 1}: the job {result.failure}: {result.detail.strip()};"
                " run the same command again to resume"
            )
        yield result.job.number, result.result
