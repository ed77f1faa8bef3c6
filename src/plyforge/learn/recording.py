"""Games that an engine plays against itself, recorded for fits of any evaluation.

Searches have about the same number of nodes, not the same depth: a fixed depth is slow with many
pieces and shallow with few.  A search begins one ply below the depth of the last one, and deepens
while the next iteration is likely to stay within the nodes.  A side with a single move makes it
without a search.  A game ends by the rules, by its length, when a search knows its result (it sees
a win, or proves a draw, perhaps by an endgame database), or when one side is so far ahead that the
rest says nothing about the evaluation.
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

import numpy as np

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.core.scores import SCORE_LIMIT
from plyforge.database.files import database_files
from plyforge.engine.engine import Engine
from plyforge.evaluate import with_evaluation
from plyforge.game.game import Game, History
from plyforge.games import load
from plyforge.jobs.executor import Executor, Report, run_jobs
from plyforge.jobs.user_files import UserFile, files_fingerprint, read_available
from plyforge.learn.game_file import DECIDED, KNOWN, GameFile, RecordedGame
from plyforge.learn.games import GamePlan, result_of
from plyforge.search.fits import fingerprint_of
from plyforge.search.options import PLAY
from plyforge.search.request import WindowResult

MAX_GAMES: Final = 10_000_000
BATCH: Final = 20
"""The games of a job."""
_TABLE_ENTRIES: Final = 1 << 14
_GROWTH: Final = 3
"""How many times as many nodes the next iteration is expected to take as all before it."""
_PATIENCE: Final = 5
"""An iteration with this many times the nodes that are allowed is stopped."""
_MAX_DEPTH: Final = 60
_DECIDED_PLIES: Final = 6
"""For how many plies in a row a side must be far ahead."""


@dataclass(frozen=True)
class RecordingPlan(GamePlan):
    """How recorded games are played."""

    nodes: int = 1000
    """About how many nodes each search takes, if `depth` does not end it earlier."""
    decided_at: float = 0.0
    """A side that is ahead by this much for several plies has won; 0 for never."""
    database: str = ""
    """The folder of an endgame database, for the searches."""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not 1 <= self.nodes <= 10**12:
            raise PlyforgeError(f"nodes must be between 1 and {10**12:,}, not {self.nodes}")
        if not self.decided_at >= 0.0:
            raise PlyforgeError(
                f"the value at which games are decided must be at least 0, not {self.decided_at:g}"
            )

    def load_game(self, untrained: bool = False) -> Game:
        """Load the game with the evaluation that plays."""
        game = load(self.game, self.backend)
        return with_evaluation(game, self.evaluation) if self.evaluation else game

    def files(self) -> list[UserFile]:
        """Read the files of the user that it names, those of the database among them."""
        return [*super().files(), *read_available(database_files(self.database))]

    def make_engine(self) -> Engine:
        """Return the engine that plays both sides."""
        return Engine(
            self.load_game(), preset=PLAY, entries=_TABLE_ENTRIES, database=self.database or None
        )

    def describe(self) -> dict[str, Any]:
        """Return all that the games depend on, except their number, as plain data."""
        plain = asdict(self)
        for name in ("backend", "lines", "solve_from"):
            del plain[name]
        files = {name: digest for one in self.files() for name, digest in one.digests().items()}
        return {**plain, "files": files, "fingerprint": fingerprint_of(self.load_game())}


@dataclass(frozen=True)
class RecordingJob:
    """Some games to play: the job of a worker."""

    plan: RecordingPlan
    numbers: tuple[int, ...]


_engines: dict[tuple[Any, ...], Engine] = {}
"""The engine of this process, kept from job to job."""


def play_job(job: RecordingJob, report: Report) -> list[RecordedGame]:
    """Play the games of a job."""
    plan = job.plan
    key = (plan.game, plan.evaluation, plan.database, plan.backend, files_fingerprint())
    if key not in _engines:
        _engines.clear()
        _engines[key] = plan.make_engine()
    return [play_game(plan, number, _engines[key]) for number in job.numbers]


def play_game(plan: RecordingPlan, number: int, engine: Engine) -> RecordedGame:
    """Play one game; the engine plays both sides."""
    engine.clear()  # so that a game does not depend on those before it
    stream = Stream(plan.seed).split(f"game {number}")
    history, opening = engine.game.history(), plan.draw_opening(stream)
    search = DeepeningSearch(engine, plan.nodes, plan.depth)
    lead = Lead(plan.decided_at)
    values: list[float | None] = []
    result, ending = 0.0, ""
    while len(history.moves) < plan.max_plies and (moves := history.legal_moves()):
        value, move = None, moves[0]
        if len(history.moves) < opening:
            move = stream.choice(moves)
        elif len(moves) > 1:
            found = search.run(history)
            assert found.move is not None
            value, move = found.value, found.move
            known = known_result(found)
            if known is not None:
                result, ending = -known if history.turn else known, KNOWN
                break
            if lead.decides(history.turn, value):
                break
            if plan.explored and stream.below(plan.explored) == 0:
                move = stream.choice(moves)
        values.append(value)
        history.play(move)
    if lead.winner is not None:
        result, ending = 1.0 - 2.0 * lead.winner, DECIDED
    if not ending:
        result, _, ending = result_of(history)
    return RecordedGame(number, tuple(history.moves), tuple(values), result, ending)


def known_result(found: WindowResult) -> float | None:
    """Return the result for the side to move if a search knows it: -1, 0 or 1, else None."""
    if abs(found.value) > SCORE_LIMIT or found.proven:
        return float(np.sign(found.value))
    return None


class DeepeningSearch:
    """Searches with about the same number of nodes."""

    def __init__(self, engine: Engine, nodes: int, max_depth: int) -> None:
        self._engine, self._nodes = engine, nodes
        self._max_depth = min(max_depth, _MAX_DEPTH)
        self._depth = 1
        """The depth of the last search."""

    def run(self, history: History) -> WindowResult:
        """Search a position from near the depth of the last one on.

        A position may be much harder than the last one: an iteration with many more nodes than
        allowed is stopped, and if it was the first one, a shallower one takes its place.
        """
        depth = max(1, min(self._depth, self._max_depth) - 1)
        found, used = None, 0
        while True:
            before = self._count()
            limit = _PATIENCE * self._nodes if depth > 1 else None
            result = self._engine.search(history, depth=depth, nodes=limit)
            used += self._count() - before
            if result.stopped:
                if found is not None:
                    break
                depth //= 2
                continue
            found, self._depth = result, depth
            if result.proven or used * _GROWTH > self._nodes or depth >= self._max_depth:
                break
            depth += 1
        return found

    def _count(self) -> int:
        context = self._engine.searcher.context
        return int(context.leaves) + int(context.interior)


class Lead:
    """Watches whether one side stays far ahead."""

    def __init__(self, decided_at: float) -> None:
        self._decided_at = decided_at
        self._leader, self._plies = -1, 0
        self.winner: int | None = None
        """The side that is so far ahead that the game is decided."""

    def decides(self, side: int, value: float) -> bool:
        """Take note of a search's value for the side to move; return whether it decides a game."""
        if not self._decided_at or abs(value) < self._decided_at:
            self._leader, self._plies = -1, 0
            return False
        leader = side if value > 0 else 1 - side
        self._plies = self._plies + 1 if leader == self._leader else 1
        self._leader = leader
        if self._plies >= _DECIDED_PLIES:
            self.winner = leader
        return self.winner is not None


def record_games(
    plan: RecordingPlan, games: int, file: GameFile, executor: Executor
) -> Generator[int, None, None]:
    """Play the games that a file lacks; yield the number of stored games, at first and as it grows.

    The loop may be left at any time: games are stored as they come.
    """
    if not 1 <= games <= MAX_GAMES:
        raise PlyforgeError(
            f"the number of games must be between 1 and {MAX_GAMES:,}, not {games:,}"
        )
    file.claim()
    file.begin(plan.describe())
    known = file.numbers()
    missing = [number for number in range(games) if number not in known]
    yield games - len(missing)
    done = games - len(missing)
    for found in _play_batches(plan, missing, executor):
        file.add(found)
        done += len(found)
        yield done


def _play_batches(
    plan: RecordingPlan, numbers: Sequence[int], executor: Executor
) -> Iterator[list[RecordedGame]]:
    jobs = [
        RecordingJob(plan, tuple(numbers[first : first + BATCH]))
        for first in range(0, len(numbers), BATCH)
    ]
    for result in run_jobs(executor, play_job, jobs, plan.files()):
        if result.failure is not None:
            raise PlyforgeError(
                f"game {result.job.numbers[0] + 1} or one of the next {BATCH}: the job"
                f" {result.failure}: {result.detail.strip()}; run the same command again to resume"
            )
        yield result.result
