"""Playing many games, so that an interrupt keeps those that are finished."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.executor import Executor, run_jobs
from plyforge.jobs.local import local_executor
from plyforge.match.statistics.figures import Tally
from plyforge.match.statistics.self_play import SelfPlayJob, SelfPlaySettings, play_job
from plyforge.match.statistics.sources import Batch, GameSource
from plyforge.match.user_files import read_user_files

MAX_GAMES: Final = 10**9
MAX_SECONDS: Final = 7 * 24 * 3600
DEFAULT_GAMES: Final = 10_000
DEFAULT_SECONDS: Final = 60.0
_BATCH_SECONDS: Final = 0.1
"""Long compared with the overhead of a batch, short for someone who pressed Ctrl-C."""
_MAX_BATCH: Final = 16_384

ReportGames = Callable[[int], object]
"""Called with the number of games finished so far."""


@dataclass(frozen=True)
class Budget:
    """A limit on games, on seconds, or on both; the first one reached counts.

    With neither, it is 10,000 games and a minute; with one, the other is unlimited.
    """

    games: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.games is not None and not 1 <= self.games <= MAX_GAMES:
            raise PlyforgeError(f"games must be between 1 and {MAX_GAMES:,}, not {self.games}")
        if self.seconds is not None and not 0 < self.seconds <= MAX_SECONDS:
            raise PlyforgeError(
                f"time must be more than 0 and at most {MAX_SECONDS:,} s, not {self.seconds:g}"
            )

    @property
    def max_games(self) -> int:
        if self.games is not None:
            return self.games
        return DEFAULT_GAMES if self.seconds is None else MAX_GAMES

    @property
    def max_seconds(self) -> float:
        if self.seconds is not None:
            return self.seconds
        return DEFAULT_SECONDS if self.games is None else float(MAX_SECONDS)


class Survey:
    """Games of a source, played in this process; the tally holds the finished ones."""

    def __init__(self, source: GameSource, tally: Tally) -> None:
        self._source = source
        self.tally = tally
        self.seconds = 0.0
        """The time spent on the games in the tally."""

    def run(self, budget: Budget, report: ReportGames = lambda games: None) -> None:
        """Play until the budget is used up, but at least one game; report after each batch.

        An interrupt loses the current batch, about a tenth of a second.
        """
        size = 1
        while self.tally.games < budget.max_games:
            if self.tally.games and self.seconds >= budget.max_seconds:
                return
            size = min(size, budget.max_games - self.tally.games)
            started = time.perf_counter()
            batch = self._source.play(self.tally.games, size)
            spent = time.perf_counter() - started
            self.tally.add(batch)
            self.seconds += spent
            report(self.tally.games)
            left = max(0.0, min(_BATCH_SECONDS, budget.max_seconds - self.seconds))
            size = max(1, min(_MAX_BATCH, 8 * size, int(size * left / max(spent, 1e-6))))


class ParallelSurvey:
    """Games of a player against itself, played by an executor.

    Games enter the tally in the order of their numbers, so that it does not depend on the number of
    workers, and a limit on seconds does not favour short games.
    """

    def __init__(
        self, settings: SelfPlaySettings, tally: Tally, executor: Executor | None = None
    ) -> None:
        self._settings = settings
        self._executor = local_executor() if executor is None else executor
        self._files = read_user_files(settings.game, [settings.player])
        self.tally = tally
        self.seconds = 0.0
        """The time since the first game began."""

    def run(self, budget: Budget, report: ReportGames = lambda games: None) -> None:
        """Play until the budget is used up, but at least one game; report after each game.

        When the time is over, the games that have begun are finished.
        """
        started: float | None = None
        waiting: dict[int, Batch] = {}
        jobs = self._jobs(budget)
        for done in run_jobs(self._executor, play_job, jobs, self._files):
            if done.failure is not None:
                raise PlyforgeError(
                    f"game {done.job.number + 1} could not be played: its process"
                    f" {done.failure} ({done.detail})"
                )
            waiting[done.job.number], seconds = done.result
            # Processes take seconds to start, which is not time spent playing.
            started = time.perf_counter() - seconds if started is None else started
            while self.tally.games in waiting:
                self.tally.add(waiting.pop(self.tally.games))
            self.seconds = time.perf_counter() - started
            report(self.tally.games)

    def _jobs(self, budget: Budget) -> Iterator[SelfPlayJob]:
        for number in range(budget.max_games):
            if number and self.seconds >= budget.max_seconds:
                return
            yield SelfPlayJob(self._settings, number)
