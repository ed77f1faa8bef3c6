"""Play the games of a tuning and store them.

The games of an iteration depend on those of earlier iterations and on the seed alone.  With limits
of depth or nodes, the same seed gives the same values with every number of processes, and a tuning
that was interrupted gives the same values as an uninterrupted one.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.game.game import Game
from plyforge.games import load
from plyforge.jobs.executor import Executor, JobQueue
from plyforge.jobs.local import local_executor
from plyforge.jobs.user_files import UserFile, use_files
from plyforge.match.openings import Opening
from plyforge.match.players import player
from plyforge.match.schedule import Pairing
from plyforge.match.tournament import Job, play, result_of
from plyforge.match.tuning.plan import TuningPlan
from plyforge.match.tuning.spsa import Comparison, Spsa
from plyforge.match.tuning.store import TuningStore

MAX_OPENINGS: Final = 1000
"""Different openings that are looked for; pairs beyond that use them again."""


@dataclass
class Tuner:
    """A tuning that is being played."""

    plan: TuningPlan
    store: TuningStore
    executor: Executor = field(default_factory=local_executor)
    game: Game = field(init=False)
    state: Spsa = field(init=False)
    _results: dict[int, tuple[float, str]] = field(init=False)
    """Points of the first side and the kind of ending, by the number of the game."""
    _files: list[UserFile] = field(init=False)
    """The files of the user as they were when the work began: later changes do not matter."""

    def __post_init__(self) -> None:
        self.store.claim()
        self._files = self.plan.read_files()
        with use_files(self._files):
            self.game = load(self.plan.game)
        self.store.begin(self.plan.settings(self._files))
        self._results = self.store.results()
        self.state = self.plan.spsa()
        while not self.ended and not self._missing():
            self._finish_iteration()

    @property
    def ended(self) -> bool:
        """Whether all iterations are done."""
        return self.state.done == self.plan.iterations

    @property
    def games(self) -> int:
        """The number of games that have been played."""
        return len(self._results)

    @property
    def forfeits(self) -> int:
        """The number of games that a player lost by a crash, by time or by an illegal move."""
        return sum(ending == "forfeit" for _, ending in self._results.values())

    def prepare(self, report: Callable[[str], None] = lambda text: None) -> None:
        """Compile what the players need, and find the openings."""
        with use_files(self._files):
            text = self.plan.describe_player(self.state.values)
            report(text)
            one = player(self.game, text, self.plan.limits)
            one.warm_up()
            one.close()
            if not self.store.openings():
                self._find_openings(report)

    def _find_openings(self, report: Callable[[str], None]) -> None:
        needed = min(self.plan.total_pairs, MAX_OPENINGS)
        source = self.plan.openings
        found: list[Opening] = []
        for opening in islice(source.openings(self.game, self.plan.seed), needed):
            found.append(opening)
            report(f"opening {len(found)} of {needed}")
        if not found:
            raise PlyforgeError(f"openings '{source}': there are none; use shorter openings")
        self.store.add_openings(found)

    def run(self) -> Iterator[int]:
        """Play the games that are not stored; yield the number of finished iterations after each.

        The loop may be left at any time: games that have ended are stored.
        """
        openings = self.store.openings()
        with self.executor.open(play, self._files) as queue:
            while not self.ended:
                self._play_iteration(queue, openings)
                self._finish_iteration()
                yield self.state.done

    def _play_iteration(self, queue: JobQueue, openings: list[Opening]) -> None:
        comparisons = self.state.compare()
        for number in self._missing():
            queue.submit(self._job(number, comparisons, openings))
        for done in queue.results():
            result = result_of(self.game, done)
            number = done.job.pairing.number
            self.store.add(number, done.job.players, result)
            self._results[number] = (result.points, result.ending)

    def _numbers(self) -> range:
        """Return the numbers of the games of the present iteration: two for each pair."""
        first = 2 * self.state.done * self.plan.pairs
        return range(first, first + 2 * self.plan.pairs)

    def _missing(self) -> list[int]:
        return [number for number in self._numbers() if number not in self._results]

    def _finish_iteration(self) -> None:
        numbers = self._numbers()
        points = [self._results[number][0] for number in numbers]
        # The point `plus` has the first side in even games; a result is its points minus those of
        # `minus`.
        self.state.update(
            [
                2.0 * (first + (1.0 - second)) - 2.0
                for first, second in zip(points[::2], points[1::2], strict=True)
            ]
        )

    def _job(self, number: int, comparisons: list[Comparison], openings: list[Opening]) -> Job:
        plan = self.plan
        pair, second_game = divmod(number, 2)
        comparison = comparisons[pair % plan.pairs]
        players = (plan.describe_player(comparison.plus), plan.describe_player(comparison.minus))
        opening = pair % len(openings)
        return Job(
            plan.game,
            (players[second_game], players[1 - second_game]),
            openings[opening],
            plan.limits,
            plan.rules,
            Stream(plan.seed).split(f"game {number}").next_word(),
            Pairing(number, opening, second_game, 1 - second_game),
        )
