"""One analysis: iterations of a driver, and what they have found so far."""

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from plyforge.core.errors import GameFileError
from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine import clock, deepening
from plyforge.engine.drivers import Driver, Step, Stopped, WindowSearch
from plyforge.engine.helper_threads import HelperThreads
from plyforge.engine.limits import Limits
from plyforge.engine.line import completed
from plyforge.engine.result import Info, Line, Progress, SearchResult
from plyforge.game.game import History
from plyforge.search.counts import Counts
from plyforge.search.searcher import Searcher, WindowResult

LINE_NODES: Final = 500
"""What completing a line may cost once the time is over: well below a millisecond."""
PATIENT_LINES: Final = 200_000
"""The same for somebody who reads the lines: a tenth of a second."""


class Analysis:
    """Runs in a thread that may be stopped at any time; `result` then tells what is known."""

    def __init__(
        self,
        searcher: Searcher,
        driver: Driver,
        root: History,
        limits: Limits,
        *,
        team: HelperThreads | None = None,
        chosen: list[int] | None = None,
        lines: int = 1,
        guess: float = 0.0,
        line_budget: int = LINE_NODES,
        report: Callable[[Info], None] | None = None,
    ) -> None:
        self._searcher = searcher
        self._driver = driver
        self._root = root
        self._told_root = root.copy()
        """The root for whoever looks at the result later, when more moves may have been made."""
        self._limits = limits
        self._team = team
        self._legal = chosen or root.legal_moves()
        if chosen is None and not searcher.options.has("cycles"):
            chosen = self._unless_all_are_legal()
        self._chosen = chosen
        self._lines = lines
        self._guess = guess
        self._line_budget = line_budget
        self._report = report
        self._values: list[float] = []
        self._steps: list[Step] = []
        self._moves: list[int] = []
        """The best move of every iteration."""
        self._took: list[float] = []
        """The seconds of every iteration."""
        self._under_way: tuple[int, WindowSearch | None] | None = None
        """The depth of the current iteration, and its window search while on the first line."""
        self._stopped = False
        self._line_nodes = 0
        self._counts = Counts()
        self._started = time.perf_counter()
        self._info: Info | None = None
        searcher.set_root(root)
        searcher.choose(chosen)
        searcher.ready(limits.nodes)
        searcher.reset_counts()
        searcher.new_generation()

    def run(self) -> None:
        """Iterate until the depth is reached, the result is proved, or a limit stops it."""
        try:
            if self._team is not None:
                self._team.start(self._root, self._limits.depth, self._chosen)
            for depth in deepening.depths(
                self._searcher.options, self._limits.depth, self._root.turn
            ):
                started = time.perf_counter()
                if not self._iterate(depth):
                    break
                self._took.append(time.perf_counter() - started)
                if self._enough():
                    break
                self._searcher.age(int(self._searcher.options.get("history-ageing")))
        finally:
            self._under_way = None
            if self._team is not None:
                self._team.stop()
        self._complete_lines()

    def _unless_all_are_legal(self) -> list[int] | None:
        """The root's legal moves, if some others are not, for that they repeat a position.

        A search that does not watch for cycles would not tell them apart.
        """
        every = self._searcher.game.moves(self._root.position)
        return self._legal if len(self._legal) < len(every) else None

    # Iterations

    def _iterate(self, depth: int) -> bool:
        """One iteration; False if it was stopped."""
        found: list[Line] = []
        remaining = list(self._legal)
        for _ in range(min(self._lines, len(remaining))):
            line = self._best_line(depth, not found)
            if line is None:
                return False
            found.append(line)
            if line.pv[0] not in remaining:
                raise self._unlike(line.pv[0])
            remaining.remove(line.pv[0])
            if remaining and len(found) < self._lines:
                self._searcher.choose(remaining)
        if self._lines > 1:
            self._searcher.choose(self._chosen)
        self._values.append(found[0].score)
        self._moves.append(found[0].pv[0])
        self._tell(depth, "exact", found)
        return True

    def _unlike(self, move: int) -> GameFileError:
        game, position = self._searcher.game, self._root.position
        return GameFileError(
            f"{game.rules.file}: the search found the move {move} in position"
            f" {game.text(position)}, which 'moves' does not list when it is asked once more;"
            " 'plyforge check' looks for the cause"
        )

    def _best_line(self, depth: int, first: bool) -> Line | None:
        """What the driver finds among the allowed root moves; None if it was stopped."""
        options = self._searcher.options
        least, greatest = self._searcher.game.rules.constant("EVALUATION_RANGE")
        window_search = WindowSearch(lambda low, high: self._ask(depth, low, high), least, greatest)
        self._under_way = depth, window_search if first else None
        guess = deepening.guess(options, self._values, self._guess)
        try:
            score = self._driver.find(window_search, guess, options)
        except Stopped:
            self._stopped = True
            if first:
                self._take_partial(depth, window_search)
            return None
        best = window_search.best or window_search.last
        assert best is not None
        assert best.move is not None
        line = best.line if best.bound == "exact" and best.value == score else ()
        decided = abs(score) > SCORE_LIMIT
        proved = options.is_exact and (decided or window_search.proven)
        return Line(score, line or (best.move,), proved, depth)

    def _ask(self, depth: int, low: float, high: float) -> WindowResult:
        before = self._searcher.counts.nodes
        answer = self._searcher.search(low, high, depth)
        self._counts = self._searcher.counts
        nodes = self._counts.nodes - before
        self._steps.append(
            Step(depth, answer.alpha, answer.beta, answer.value, answer.bound, nodes)
        )
        return answer

    def _take_partial(self, depth: int, window_search: WindowSearch) -> None:
        """Of an iteration that was stopped, take the move that beat all those before it.

        There is one only if the first move was completed, which mostly is the best one so far.
        The other lines are still those of the last completed iteration.
        """
        best = window_search.best
        if best is None or best.move is None:
            return
        line = Line(best.value, best.line or (best.move,), False, depth)
        if self._info is None:
            self._tell(0, "lower", [line])
            return
        others = [other for other in self._info.lines if other.pv[0] != best.move]
        kept = len(self._info.lines)
        self._tell(self._info.depth, "lower", [line, *others][:kept])

    def _tell(self, depth: int, bound: str, lines: list[Line]) -> None:
        seconds = time.perf_counter() - self._started
        counts, steps = self._all_counts(), tuple(self._steps)
        root = self._told_root
        self._info = Info(depth, bound, tuple(lines), counts, steps, seconds, root=root)
        if self._report is not None:
            self._report(self._info)

    def _all_counts(self) -> Counts:
        return self._counts.plus(self._team.counts) if self._team else self._counts

    # When to end

    def _enough(self) -> bool:
        """Whether another iteration would be of no use, or would not fit the clock."""
        assert self._info is not None
        if self._info.proved:
            return True
        budget = self._limits.clock
        if budget is None:
            return False
        if len(self._legal) == 1:
            return True
        soft = budget.soft(len(self._root.moves))
        spent = time.perf_counter() - self._started
        recent = self._moves[-clock.STABLE_ITERATIONS :]
        if len(recent) == clock.STABLE_ITERATIONS and len(set(recent)) == 1:
            soft *= clock.STABLE_SHARE
        return spent + self._predicted() > soft

    def _predicted(self) -> float:
        """How long the next iteration is likely to take, from how the last ones grew."""
        took = self._took
        growth = took[-1] / took[-2] if len(took) > 1 and took[-2] > 0 else clock.GROWTH
        return took[-1] * min(max(growth, 1.0), clock.MAX_GROWTH)

    # The end

    def _complete_lines(self) -> None:
        """Make the principal variations reach the horizon, as far as that is quick after a stop."""
        info = self._info
        if info is None or info.bound != "exact":
            return
        before = self._searcher.counts.nodes
        self._searcher.lift_limit()
        lines = []
        for line in info.lines:
            if self._stopped:
                self._searcher.ready(self._line_budget)
            # A single move is no more than the best one; a full search of it may find another.
            known = line.pv if len(line.pv) > 1 or len(info.lines) > 1 else ()
            found = completed(self._searcher, self._root, known, info.depth, line.score)
            lines.append(replace(line, pv=found or line.pv))
        self._line_nodes = self._searcher.counts.nodes - before
        self._info = replace(info, lines=tuple(lines))

    def progress(self) -> Progress | None:
        """How far the iteration under way has got; any thread may ask.  None between searches.

        The counters are read while they are written, so a node more or less may be missing.
        """
        under_way = self._under_way
        if under_way is None:
            return None
        depth, window_search = under_way
        lower, upper = -math.inf, math.inf
        if window_search is not None:
            lower, upper = max(window_search.lower, self._searcher.lower), window_search.upper
        nodes = self._searcher.counts.nodes + (self._team.counts.nodes if self._team else 0)
        return Progress(depth, lower, upper, nodes, time.perf_counter() - self._started)

    def result(self) -> SearchResult:
        """What is known now."""
        info = self._info
        seconds = time.perf_counter() - self._started
        if info is None:
            lines: tuple[Line, ...] = (Line(0.0, (self._legal[0],), False, 0),)
            info = Info(0, "none", lines, self._counts, (), seconds)
        return SearchResult(
            info.depth,
            info.bound,
            info.lines,
            self._all_counts(),
            tuple(self._steps),
            seconds,
            self._driver.name,
            self._stopped,
            self._line_nodes,
            root=self._told_root,
        )
