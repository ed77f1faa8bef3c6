"""One analysis: iterations of a driver, and what they have found so far."""

import time
from collections.abc import Callable

from plyforge.core.history import History
from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine import deepening
from plyforge.engine.drivers import Driver, Inquiry, Step, Stopped
from plyforge.engine.limits import Limits
from plyforge.engine.line import completed
from plyforge.engine.result import Info, Result
from plyforge.search.counts import Counts
from plyforge.search.searcher import Answer, Searcher


class Analysis:
    """Runs in a thread that may be stopped at any time; `result` then tells what is known."""

    def __init__(
        self,
        searcher: Searcher,
        driver: Driver,
        root: History,
        limits: Limits,
        chosen: list[int] | None = None,
        report: Callable[[Info], None] | None = None,
    ) -> None:
        self._searcher = searcher
        self._driver = driver
        self._root = root
        self._limits = limits
        self._chosen = chosen
        self._report = report
        self._values: list[float] = []
        self._steps: list[Step] = []
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
        for depth in deepening.depths(self._searcher.options, self._limits.depth):
            if not self._iterate(depth) or self._known().proved:
                break
            self._searcher.age()
        self._complete_line()

    def _iterate(self, depth: int) -> bool:
        """One iteration; False if it was stopped."""
        options = self._searcher.options
        rules = self._searcher.game.rules
        inquiry = Inquiry(lambda low, high: self._ask(depth, low, high), *rules.constant("EVALUATION_RANGE"))
        guess = deepening.guess(options, self._values)
        try:
            score = self._driver.find(inquiry, guess, options)
        except Stopped:
            self._stopped = True
            self._take_partial(inquiry)
            return False
        self._values.append(score)
        best = inquiry.best or inquiry.last
        assert best is not None
        line = best.line if best.bound == "exact" and best.value == score else ()
        decided = abs(score) > SCORE_LIMIT
        proved = options.is_exact and (decided or inquiry.solid)
        self._tell(depth, score, "exact", best, line, proved)
        return True

    def _ask(self, depth: int, low: float, high: float) -> Answer:
        before = self._searcher.counts.nodes
        answer = self._searcher.search(low, high, depth)
        self._counts = self._searcher.counts
        nodes = self._counts.nodes - before
        self._steps.append(
            Step(depth, answer.alpha, answer.beta, answer.value, answer.bound, nodes)
        )
        return answer

    def _take_partial(self, inquiry: Inquiry) -> None:
        """Of an iteration that was stopped, take the move that beat all those before it."""
        best = inquiry.best
        if best is None or best.move is None:
            return
        depth = self._info.depth if self._info else 0
        self._tell(depth, best.value, "lower", best, best.line, False)

    def _tell(
        self,
        depth: int,
        score: float,
        bound: str,
        answer: Answer,
        line: tuple[int, ...],
        proved: bool,
    ) -> None:
        move = answer.move
        if not line and move is not None:
            line = (move,)
        self._info = Info(
            depth,
            score,
            bound,
            move,
            line,
            proved,
            self._counts,
            tuple(self._steps),
            time.perf_counter() - self._started,
        )
        if self._report is not None:
            self._report(self._info)

    def _known(self) -> Info:
        assert self._info is not None
        return self._info

    def _complete_line(self) -> None:
        """Make the principal variation reach the horizon; its first move is the best one."""
        info = self._info
        if info is None or self._stopped or info.move is None:
            return
        before = self._searcher.counts.nodes
        line = completed(self._searcher, self._root, self._first(info), info.depth, info.score)
        self._line_nodes = self._searcher.counts.nodes - before
        if line:
            self._info = Info(**{**vars(info), "pv": line, "move": line[0]})

    def _first(self, info: Info) -> tuple[int, ...]:
        """The part of the line that the search itself has found exact."""
        return info.pv if len(info.pv) > 1 or info.depth == 1 else ()

    def result(self) -> Result:
        """What is known now."""
        info = self._info
        seconds = time.perf_counter() - self._started
        if info is None:
            move = (self._chosen or self._root.legal_moves())[0]
            info = Info(0, 0.0, "lower", move, (move,), False, self._counts, (), seconds)
        fields = {**vars(info), "counts": self._counts, "steps": tuple(self._steps)}
        return Result(
            **{**fields, "seconds": seconds},
            driver=self._driver.name,
            stopped=self._stopped,
            line_nodes=self._line_nodes,
        )
