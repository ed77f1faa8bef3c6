"""One analysis: the iterations of a driver, and the result reached so far."""

import math
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from plyforge.core.errors import GameFileError
from plyforge.core.scores import SCORE_LIMIT, WIN
from plyforge.engine import clock, deepening
from plyforge.engine.driver import Driver
from plyforge.engine.helper_threads import HelperThreads
from plyforge.engine.limits import Limits
from plyforge.engine.line import complete_line
from plyforge.engine.overrun import Overrun, Overseer
from plyforge.engine.pondering import Pondering
from plyforge.engine.result import Info, Line, Progress, SearchResult
from plyforge.engine.window_search import Step, Stopped, WindowSearch
from plyforge.game.game import History
from plyforge.search.counts import Counts
from plyforge.search.parallel.account import Account
from plyforge.search.parameters import MAX_PLIES
from plyforge.search.request import SearchRequest, WindowResult, root_of
from plyforge.search.searcher import Searcher
from plyforge.search.values import is_open

LINE_BUDGET: Final = 500
"""Nodes that completing a line may take once the time is up: well below a millisecond."""
INTERACTIVE_LINE_BUDGET: Final = 200_000
"""The same where someone reads the lines: a tenth of a second."""
LineBudget = int | Callable[[], int]
"""The same; a function is called when the time is up."""
_SEARCH_NODES: Final = 125
"""Nodes that a search for the rest of a line counts as: Python adds half a millisecond to it."""


class Analysis:
    """Runs in a thread that may be stopped at any time; `result` returns what was reached."""

    def __init__(
        self,
        searcher: Searcher,
        driver: Driver,
        root: History,
        limits: Limits,
        *,
        helpers: HelperThreads | None = None,
        root_moves: list[int] | None = None,
        lines: int = 1,
        guess: float = 0.0,
        line_budget: LineBudget = LINE_BUDGET,
        report: Callable[[Info], None] | None = None,
        pondering: Pondering | None = None,
        first_depth: int | None = None,
    ) -> None:
        self._searcher = searcher
        self._driver = driver
        self._root = root
        self._root_copy = root.copy()
        """The root for the result: the caller may play more moves on its own."""
        self._limits = limits
        self._helpers = helpers
        self._legal = root_moves or root.legal_moves()
        if root_moves is None and not searcher.options.has("cycles"):
            root_moves = self._restrict_to_legal()
        self._root_moves = tuple(root_moves or ())
        """The root moves to search; none for all."""
        self._search_root = root_of(root, searcher.game)
        self._is_exact = searcher.options.is_exact
        self._lines = lines
        self._guess = guess
        self._line_budget = line_budget
        self._report = report
        self._pondering = pondering
        self._first_depth = first_depth
        self._values: list[float] = []
        self._steps: list[Step] = []
        self._moves: list[int] = []
        """The best move of each iteration."""
        self._iteration_seconds: list[float] = []
        """The duration of each iteration."""
        self._current: tuple[int, WindowSearch | None] | None = None
        """The depth of the current iteration, and its window search while on the first line."""
        self._windows: WindowSearch | None = None
        """The searches of the driver that is running."""
        self._overseer = Overseer()
        self._stopped = False
        self._only_lookups = False
        """Whether the last iteration found a proven value for every root move without a search."""
        self._line_nodes = 0
        self._kernel_seconds = 0.0
        self._account: Account | None = None
        self._counts = Counts()
        self._started = time.perf_counter()
        self._info: Info | None = None
        searcher.reset_stop(limits.nodes)
        searcher.reset_counts()
        searcher.new_generation()

    def run(self) -> None:
        """Iterate until the depth is reached, the result is proved or a limit stops it."""
        try:
            if self._helpers is not None:
                self._helpers.start(self._search_root, self._limits.depth, self._root_moves)
            for depth in self._depths():
                started = time.perf_counter()
                if not self._iterate(depth):
                    break
                self._iteration_seconds.append(time.perf_counter() - started)
                if self._is_done():
                    break
                self._searcher.age(int(self._searcher.options.get("history-ageing")))
        finally:
            self._current = None
            self._counts = self._searcher.counts
            if self._helpers is not None:
                self._helpers.stop()
        self._complete_lines()

    def _depths(self) -> Iterator[int]:
        """Yield the depths of the iterations."""
        options, limits = self._searcher.options, self._limits
        return deepening.depths_to_end(
            options,
            limits.depth,
            self._searcher.game.plies_left(self._root.position),
            side=self._root.turn,
            start=self._first_depth,
            limited=(limits.time, limits.nodes, limits.clock) != (None, None, None),
        )

    def _restrict_to_legal(self) -> list[int] | None:
        """Return the legal root moves if others would illegally repeat a position, else None.

        A search that does not watch for cycles would also search the illegal ones.
        """
        all_moves = self._searcher.game.moves(self._root.position)
        return self._legal if len(self._legal) < len(all_moves) else None

    def stop_driver(self) -> None:
        """End a driver that does not search any more; safe to call from any thread.

        A driver that searches ends by itself when its search is stopped.  So the first call only
        starts the time that it has; a call after that time ends it.
        """
        windows = self._windows
        if windows is not None and not windows.searching:
            self._overseer.stop()

    # Iterations

    def _iterate(self, depth: int) -> bool:
        """Run one iteration; return False if it was stopped."""
        lines: list[Line] = []
        remaining, moves = list(self._legal), self._root_moves
        searches, proven = len(self._steps), True
        _, interior_before = self._searcher.node_counts
        for _ in range(min(self._lines, len(remaining))):
            line = self._find_line(depth, moves, not lines)
            if line is None:
                self._take_finished_lines(lines)
                return False
            lines.append(line)
            proven = proven and self._windows is not None and self._windows.proven
            if line.pv[0] not in remaining:
                raise self._unlisted_move_error(line.pv[0])
            remaining.remove(line.pv[0])
            moves = tuple(remaining)
        # In a selective search a later line may turn out better.
        lines.sort(key=lambda line: line.score, reverse=True)
        self._values.append(lines[0].score)
        self._moves.append(lines[0].pv[0])
        # The root is the only interior node of a search that finds everything in the table.
        _, interior = self._searcher.node_counts
        self._only_lookups = proven and interior - interior_before <= len(self._steps) - searches
        self._set_info(depth, lines)
        return True

    def _unlisted_move_error(self, move: int) -> GameFileError:
        game, position = self._searcher.game, self._root.position
        return GameFileError(
            f"{game.rules.file}: the search found the move {move} in position"
            f" {game.text(position)}, which 'moves' does not list when it is asked once more;"
            " 'plyforge check' looks for the cause"
        )

    def _find_line(self, depth: int, moves: tuple[int, ...], first: bool) -> Line | None:
        """Return the best line among these root moves; None if the search was stopped."""
        options = self._searcher.options
        minimum, maximum = self._searcher.game.rules.constant("EVALUATION_RANGE")
        window_search = WindowSearch(
            lambda low, high: self._search(low, high, depth, moves), minimum, maximum
        )
        self._current = depth, window_search if first else None
        guess = deepening.first_guess(options, self._values, self._guess)
        self._windows = window_search
        try:
            with self._overseer.watch():
                score = self._driver.find(window_search, guess, options)
        except (Stopped, Overrun):
            self._stopped = True
            if first:
                self._take_partial(depth, window_search)
            return None
        best = window_search.best or window_search.last
        assert best is not None
        assert best.move is not None
        line = best.line if best.bound == "exact" and best.value == score else ()
        decided = abs(score) > SCORE_LIMIT
        exact = self._is_exact and window_search.settled
        proved = exact and (decided or window_search.proven)
        return Line(score, line or (best.move,), proved, depth)

    def _search(self, low: float, high: float, depth: int, moves: tuple[int, ...]) -> WindowResult:
        searcher = self._searcher
        before = sum(searcher.node_counts)
        request = SearchRequest.of(self._search_root, low, high, depth, moves)
        result = searcher.search(request)
        nodes = sum(searcher.node_counts) - before
        self._steps.append(
            Step(depth, result.alpha, result.beta, result.value, result.bound, nodes)
        )
        return result

    def _take_partial(self, depth: int, window_search: WindowSearch) -> None:
        """Take the best move of an iteration that was stopped while it searched its first line.

        There is one only if the search of the first move was completed.
        """
        best = window_search.best
        if best is None or best.move is None:
            return
        line = Line(best.value, best.line or (best.move,), False, depth, "lower")
        if self._info is None:
            self._set_info(0, [line])
        else:
            self._set_info(self._info.depth, self._merge_lines([line]))

    def _take_finished_lines(self, lines: list[Line]) -> None:
        """Take the lines that an iteration had completed when it was stopped.

        The first of them is the best move at its depth.  If its score has fallen below that of
        another move at the depth before, showing both would put the wrong move first: then the
        lines of the last completed iteration stay.
        """
        if not lines or self._info is None:
            return
        merged = self._merge_lines(lines)
        if merged[0] in lines:
            self._set_info(self._info.depth, merged)

    def _merge_lines(self, lines: list[Line]) -> list[Line]:
        """Add lines of an unfinished iteration to those of the last completed one, best first.

        A line from an unfinished iteration never stands above one with a higher score.
        """
        assert self._info is not None
        found = {line.pv[0] for line in lines}
        others = [line for line in self._info.lines if line.pv[0] not in found]
        merged = [*lines, *others][: max(len(lines), len(self._info.lines))]
        return sorted(merged, key=lambda line: line.score, reverse=True)

    def _set_info(self, depth: int, lines: list[Line]) -> None:
        seconds = time.perf_counter() - self._started
        self._counts = self._searcher.counts
        counts, thread_nodes = self._all_counts()
        steps, root = tuple(self._steps), self._root_copy
        bound = lines[0].bound
        self._info = Info(
            *(depth, bound, tuple(lines), counts, steps, seconds),
            thread_nodes=thread_nodes,
            account=self._searcher.account,
            root=root,
        )
        if self._report is not None:
            self._report(self._info)

    def _all_counts(self) -> tuple[Counts, tuple[int, ...]]:
        """Return the counts of all threads together, and the nodes of each.

        Helpers are searching meanwhile, so each is read once.
        """
        if self._helpers is None:
            return self._counts, self._searcher.thread_nodes
        each = (self._counts, *self._helpers.counts)
        total = Counts()
        for counts in each:
            total = total.plus(counts)
        return total, tuple(counts.nodes for counts in each)

    # When to end

    def _is_done(self) -> bool:
        """Whether another iteration would be useless or would not fit the clock."""
        assert self._info is not None
        # An open score is proved, too, but deeper iterations look for the way to win.
        if self._info.proved and not is_open(self._info.score):
            return True
        if self._has_seen_the_end():
            return True
        if self._only_lookups:  # deeper iterations would find the same, node by node
            return True
        budget, started = self._limits.clock, self._started
        if self._pondering is not None:
            if self._pondering.hit_at is None:
                return False
            started = self._pondering.hit_at
        if budget is None:
            return False
        if len(self._legal) == 1 or self._sees_the_end():
            return True
        spent = time.perf_counter() - started
        recent = self._moves[-clock.STABLE_ITERATIONS :]
        stable = len(recent) == clock.STABLE_ITERATIONS and len(set(recent)) == 1
        plies = len(self._root.moves)
        return not budget.allows(plies, spent, self._predict_seconds(), stable)

    def _sees_the_end(self) -> bool:
        """Whether a win or loss was found within the depth that was searched.

        Inexact options do not prove it, but deeper searches would find the same.
        """
        assert self._info is not None
        return self._info.depth >= _plies_to_end(self._info.score)

    def _has_seen_the_end(self) -> bool:
        """Whether the score is a win or loss in fewer plies than were searched.

        A selective search cannot prove it, but deeper iterations would hardly find another.
        """
        assert self._info is not None
        score = abs(self._info.score)
        return score > SCORE_LIMIT and self._info.depth > WIN - score

    def _predict_seconds(self) -> float:
        """Predict the duration of the next iteration from the growth of the last ones."""
        seconds = self._iteration_seconds
        growth = seconds[-1] / seconds[-2] if len(seconds) > 1 and seconds[-2] > 0 else clock.GROWTH
        return seconds[-1] * min(max(growth, 1.0), clock.MAX_GROWTH)

    # The end

    def _complete_lines(self) -> None:
        """Extend the principal variations to the horizon; after a stop only as far as is quick."""
        info = self._info
        self._kernel_seconds = self._searcher.kernel_seconds
        self._account = self._searcher.account
        if self._helpers is not None:
            self._account = self._helpers.account(time.perf_counter() - self._started)
        budget = self._line_budget if isinstance(self._line_budget, int) else self._line_budget()
        if info is None or info.bound != "exact" or budget == 0:
            return
        before = self._counts.nodes
        self._searcher.lift_limit()
        limited = self._limits.nodes is not None or self._limits.clock is not None
        lines = []
        searches = None
        if self._stopped or limited:
            searches = max(budget // _SEARCH_NODES // len(info.lines), 1)
        for line in info.lines:
            if line.bound != "exact":
                lines.append(line)
                continue
            if searches is not None:
                self._searcher.reset_stop(budget)
            depth = line.depth
            if not line.proved:
                # The depth may have grown far beyond the end of the game, and a line without
                # entries in the table takes a search of that depth.
                depth = min(depth, _plies_to_end(line.score))
            # A line of one move is only the best move; the search may find another as good.
            start = line.pv if len(line.pv) > 1 or len(info.lines) > 1 else ()
            pv = complete_line(
                self._searcher,
                self._root,
                start,
                depth,
                line.score,
                self._root_moves,
                max_searches=searches,
            )
            lines.append(replace(line, pv=pv or line.pv))
        self._line_nodes = self._searcher.counts.nodes - before
        self._info = replace(info, lines=tuple(lines))

    def progress(self) -> Progress | None:
        """Return the progress of the running iteration, or None; safe to call from any thread.

        The counters are read while they are written, so they may be off by a node.
        """
        current = self._current
        if current is None:
            return None
        depth, window_search = current
        lower, upper = -math.inf, math.inf
        if window_search is not None:
            lower, upper = max(window_search.lower, self._searcher.lower), window_search.upper
        each = self._searcher.thread_nodes
        nodes = self._searcher.counts.nodes
        if self._helpers is not None:
            each = (nodes, *(counts.nodes for counts in self._helpers.counts))
            nodes = sum(each)
        seconds = time.perf_counter() - self._started
        move, number = self._searcher.root_move
        if move not in self._legal:
            move = None
        return Progress(depth, lower, upper, nodes, seconds, move, number, each)

    def result(self, interrupted: bool = False, failure: str = "") -> SearchResult:
        """Return the result reached so far; `failure` is what ended a distributed search."""
        info = self._info
        seconds = time.perf_counter() - self._started
        if info is None:
            lines: tuple[Line, ...] = (Line(0.0, (self._legal[0],), False, 0, "none"),)
            info = Info(0, "none", lines, self._counts, (), seconds)
        return SearchResult(
            info.depth,
            info.bound,
            info.lines,
            self._all_counts()[0],
            tuple(self._steps),
            seconds,
            self._driver.name,
            self._stopped,
            self._line_nodes,
            interrupted,
            self._kernel_seconds,
            thread_nodes=info.thread_nodes if self._account is None else self._account.nodes,
            account=self._account,
            root=self._root_copy,
            failure=failure,
        )


def _plies_to_end(score: float) -> int:
    """Return the plies to a forced win or loss; more than any depth if the score is neither."""
    return round(WIN - abs(score)) if abs(score) > SCORE_LIMIT else MAX_PLIES + 1
