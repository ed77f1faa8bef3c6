"""Records what the workers of a parallel search do, as a trace that can be drawn.

The search is that of `ParallelSearcher` itself: uncompiled, all workers in one thread.  Some of its
functions are wrapped, so that they report what happens; compiled kernels know nothing of this.  A
turn ends after each node that is entered, so that workers take turns as often as they can.
"""

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

from plyforge.compilation.kernel import Kernel
from plyforge.game.game import History
from plyforge.search.hashtable import MIN_ENTRIES, HashTable
from plyforge.search.kernels.alpha_beta import search
from plyforge.search.kernels.context import NO_VALUE, ONE_PLY
from plyforge.search.kernels.counting import count_leaf
from plyforge.search.kernels.ends import list_moves
from plyforge.search.kernels.node import expand_node
from plyforge.search.kernels.splits import (
    cut_split,
    drop_subtree,
    join_split,
    leave_cut_splits,
    leave_split,
    offer_split,
)
from plyforge.search.kernels.workers import (
    end_split,
    is_over,
    open_frame,
    return_value,
    take_turn,
)
from plyforge.search.options import Options
from plyforge.search.parallel.abdada import defers_move
from plyforge.search.parallel.methods import Method
from plyforge.search.parallel.searcher import ParallelSearcher, TeamSettings
from plyforge.search.request import SearchRequest, SearchRoot
from plyforge.search.textbook.trace import Event, EventKind, Trace, Visit
from plyforge.search.textbook.view import Node

MIN_WORKERS: Final = 2
MAX_WORKERS: Final = 4
_ENTRIES: Final = 1 << 15
"""The size of the table, if the method needs one."""

Order = dict[tuple[int, ...], int]
"""The move to try first, by the moves that lead from the root to a node."""


def record_search(
    history: History,
    depth: int,
    method: Method,
    *,
    workers: int,
    seed: int,
    trace: Trace,
    order: Order | None = None,
) -> float:
    """Search a position, and add visits and events to a trace; return the value.

    All enhancements are off; there is a table only if the method needs one.  An exception in the
    trace's `watch` stops the search, and is raised.
    """
    recorder = _Recorder(history, workers, trace, order or {})
    searcher = _RecordedSearcher(history, method, workers, seed, recorder)
    value = searcher.record(history, depth)
    if recorder.error is not None:
        raise recorder.error
    recorder.stop_rest()
    return value


class _RecordedSearcher(ParallelSearcher):
    """A parallel searcher that reports to a recorder."""

    def __init__(
        self, history: History, method: Method, workers: int, seed: int, recorder: "_Recorder"
    ) -> None:
        self._recorder = recorder
        switches = ["table", "table-move"] if method.needs_table else []
        options = Options.preset("exact").changed(switches, ["all", "cycles"], {"split-depth": 1})
        table = HashTable.sized(entries=_ENTRIES if method.needs_table else MIN_ENTRIES)
        settings = TeamSettings(method, workers, seed=seed)
        super().__init__(history.game, options, table, settings=settings, backend="python")

    def _find_kernel(self) -> Kernel:
        return replace(super()._find_kernel(), wrappers=self._recorder.wrappers())

    def record(self, history: History, depth: int) -> float:
        """Search a position; it may be the end of a game."""
        self._recorder.stop = self.stop
        # Earlier positions do not count, as in the textbooks.
        root = SearchRoot(history.position, history.turn)
        request = SearchRequest.of(root, -math.inf, math.inf, depth)
        self._prepare(request)
        return self._run(request)


class _Recorder:
    """Adds what workers do to a trace."""

    def __init__(self, history: History, workers: int, trace: Trace, order: Order) -> None:
        self._game, self._trace, self._order = history.game, trace, order
        self._nodes: list[dict[int, Visit]] = [{} for _ in range(workers)]
        """For each worker, the visits at the levels of its path: its own, and the nodes of others
        that it has joined."""
        self._latest: list[Visit | None] = [None] * workers
        """The visit that each worker has started last."""
        self._splits: dict[int, Visit] = {}
        """The visits whose moves are shared, by the number of the split."""
        self._cut: set[int] = set()
        self._waited: set[int] = set()
        self._entered = False
        """Whether a node was entered in this turn."""
        self.error: Exception | None = None
        """Why the search was stopped, if it was."""
        self.stop: Callable[[], None] = lambda: None

    def wrappers(self) -> dict[Callable[..., Any], Callable[..., Any]]:
        """Return the functions of the kernel that are wrapped, and how."""
        return {
            take_turn: self._on_take_turn,
            is_over: self._on_is_over,
            search: self._on_search,
            open_frame: self._on_open_frame,
            return_value: self._on_return_value,
            list_moves: self._on_list_moves,
            expand_node: self._on_expand_node,
            count_leaf: self._on_count_leaf,
            offer_split: self._on_offer_split,
            join_split: self._on_join_split,
            leave_split: self._on_leave_split,
            leave_cut_splits: self._on_leave_cut_splits,
            drop_subtree: self._on_drop_subtree,
            cut_split: self._on_cut_split,
            end_split: self._on_end_split,
            defers_move: self._on_defers_move,
        }

    def stop_rest(self) -> None:
        """Stop the visits that workers had not ended when another one found the result."""
        for worker in range(len(self._nodes)):
            self._stop_below(worker, -1)

    # Visits and events

    def _add(
        self, kind: EventKind, worker: int, visit: Visit, move: str = "", cut: int | None = None
    ) -> None:
        if self.error is None:
            self._trace.events.append(Event(kind, worker, visit.number, move, cut))

    def _enter(
        self, position: Any, level: int, depth: int, alpha: float, beta: float, context: Any
    ) -> None:
        worker, node = context.worker, context.nodes[level]
        if self.error is not None:
            return
        parent = self._nodes[worker][level - 1] if level else None
        move = int(context.nodes[level - 1].move) if level else None
        place = Node(position, int(node.ply), int(node.side), move)
        try:
            visit = self._trace.add(
                self._game, parent, place, int(depth) // ONE_PLY, float(alpha), float(beta)
            )
        except Exception as error:
            self.error = error
            self.stop()
            return
        visit.worker = worker
        self._nodes[worker][level] = self._latest[worker] = visit
        self._entered = True
        self._add("enter", worker, visit)

    def _leave(self, level: int, value: float, worker: int) -> None:
        if self.error is not None:
            return
        visit = self._nodes[worker].pop(level)
        visit.value = float(value) + 0.0
        visit.open = False
        visit.table_hit = not visit.leaf and not visit.moves
        if visit.leaf:
            visit.own = visit.value
        self._add("leave", worker, visit)

    def _stop_below(self, worker: int, level: int) -> None:
        """Stop the visits of a worker below a level."""
        path = self._nodes[worker]
        for deeper in sorted((one for one in path if one > level), reverse=True):
            visit = path.pop(deeper)
            if visit.worker == worker and self.error is None:
                visit.stopped = True
                visit.stopped_by = self._cut_at(visit.parent)
                self._add("stop", worker, visit)

    def _cut_at(self, number: int | None) -> int | None:
        """Return the first visit on the way from this one to the root that was cut."""
        while number is not None and number not in self._cut:
            number = self._trace.visits[number].parent
        return number

    # Turns

    def _on_take_turn(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def take_turn(root: Any, subtrees: int, context: Any) -> Any:
            self._entered = False
            return original(root, subtrees, context)

        return take_turn

    def _on_is_over(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def is_over(worker: Any, context: Any) -> bool:
            return self._entered or bool(original(worker, context))

        return is_over

    # Nodes

    def _on_search(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def search(
            position: Any, level: int, depth: int, alpha: float, beta: float, context: Any
        ) -> float:
            self._enter(position, level, depth, alpha, beta, context)
            value: float = original(position, level, depth, alpha, beta, context)
            if level > context.team[0].workers[context.worker].level:
                self._leave(level, value, context.worker)
            return value  # that of the subtree's root is taken, or dropped, in the next turn

        return search

    def _on_open_frame(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def open_frame(
            position: Any, level: int, frame: Any, node: Any, worker: Any, context: Any
        ) -> None:
            self._enter(position, level, frame.depth, frame.alpha, frame.beta, context)
            original(position, level, frame, node, worker, context)

        return open_frame

    def _on_return_value(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def return_value(value: float, worker: Any, context: Any) -> None:
            self._leave(worker.level, value, context.worker)
            original(value, worker, context)

        return return_value

    def _on_list_moves(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def list_moves(position: Any, level: int, node: Any, context: Any) -> int:
            count: int = original(position, level, node, context)
            visit, start = self._latest[context.worker], node.moves_start
            moves = [context.moves[start + index] for index in range(count)]
            first = None if visit is None else self._order.get(visit.path)
            if first in moves:
                moves.insert(0, moves.pop(moves.index(first)))
                for index, move in enumerate(moves):
                    context.moves[start + index] = move
            return count

        return list_moves

    def _on_expand_node(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def expand_node(position: Any, level: int, node: Any, context: Any) -> float:
            value: float = original(position, level, node, context)
            visit = self._latest[context.worker]
            if value == NO_VALUE and visit is not None:
                places = list(range(node.moves_start, node.moves_start + node.move_count))
                if context.sorts_moves != 0:
                    places.sort(key=lambda place: -context.move_scores[place])
                moves = [int(context.moves[place]) for place in places]
                visit.moves = [self._game.move_text(visit.position, move) for move in moves]
            return value

        return expand_node

    def _on_count_leaf(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def count_leaf(context: Any) -> None:
            visit = self._latest[context.worker]
            if visit is not None:
                visit.leaf = True
            original(context)

        return count_leaf

    # Splits

    def _on_offer_split(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def offer_split(level: int, worker: Any, context: Any) -> None:
            before = worker.splits
            original(level, worker, context)
            if worker.splits > before:
                visit = self._nodes[context.worker][level]
                visit.split = True
                self._splits[worker.split] = visit
                self._add("offer", context.worker, visit)

        return offer_split

    def _on_join_split(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def join_split(number: int, worker: Any, context: Any) -> None:
            original(number, worker, context)
            visit = self._splits[number]
            self._nodes[context.worker][worker.level] = visit
            self._add("join", context.worker, visit)

        return join_split

    def _on_leave_split(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def leave_split(worker: Any, context: Any) -> None:
            number, team = worker.split, context.team[0]
            level = team.splits[number].level
            joined = team.frames[context.worker * team.levels + level].joined != 0
            self._stop_below(context.worker, level)
            if joined:
                visit = self._nodes[context.worker].pop(level)
                self._add("quit", context.worker, visit, cut=self._cut_at(visit.number))
            original(worker, context)

        return leave_split

    def _on_leave_cut_splits(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def leave_cut_splits(worker: Any, context: Any) -> None:
            original(worker, context)
            self._stop_below(context.worker, worker.level)

        return leave_cut_splits

    def _on_drop_subtree(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def drop_subtree(worker: Any, context: Any) -> None:
            if worker.searched != 0:
                self._stop_below(context.worker, worker.level - 1)
            original(worker, context)

        return drop_subtree

    def _on_cut_split(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def cut_split(number: int, context: Any) -> None:
            visit = self._splits[number]
            move = int(context.team[0].shared_nodes[number].move)
            visit.cut_move = self._game.move_text(visit.position, move)
            self._cut.add(visit.number)
            self._add("cut", context.worker, visit, visit.cut_move)
            original(number, context)

        return cut_split

    def _on_end_split(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def end_split(root: Any, frame: Any, worker: Any, context: Any) -> bool:
            visit = self._nodes[context.worker][worker.level]
            ended = bool(original(root, frame, worker, context))
            if not ended and visit.number not in self._waited:
                self._waited.add(visit.number)
                self._add("wait", context.worker, visit)
            return ended

        return end_split

    def _on_defers_move(self, original: Callable[..., Any]) -> Callable[..., Any]:
        def defers_move(level: int, frame: Any, node: Any, worker: Any, context: Any) -> bool:
            deferred = bool(original(level, frame, node, worker, context))
            if deferred:
                visit = self._nodes[context.worker][level]
                move = self._game.move_text(visit.position, int(node.move))
                self._add("defer", context.worker, visit, move)
            return deferred

        return defers_move
