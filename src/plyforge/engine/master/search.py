"""The master: shares a search out to workers, and keeps a tree of what they report.

The method is that of GPSShogi (Kaneko and Tanaka 2012, 2013; Himstedt 2012 for the tree that is
kept): workers search independently, and the master needs nothing from them but scores.
"""

import threading
import time
from collections.abc import Callable
from typing import Final

from plyforge.compilation.interruptible import run
from plyforge.core.errors import PlyforgeError
from plyforge.engine import deepening
from plyforge.engine.clock import Clock
from plyforge.engine.engine import Engine, Root
from plyforge.engine.limits import Limits
from plyforge.engine.master.assignment import arrange, place
from plyforge.engine.master.estimate import EXACT, Estimate, estimate_of
from plyforge.engine.master.result import MasterResult, WorkerSummary
from plyforge.engine.master.schedule import Schedule, WorkerState
from plyforge.engine.master.settings import MasterSettings, check_engine
from plyforge.engine.master.tree import Node
from plyforge.engine.master.worker import Event, Report, Task, WorkerId, Workers
from plyforge.game.game import Game, History
from plyforge.search.parameters import MAX_PLIES
from plyforge.search.request import validate_root

_POLL: Final = 0.2
"""Seconds between two looks at the clock while workers search."""


class Master:
    """Searches positions of one game with workers; keeps its tree from move to move."""

    def __init__(
        self, engine: Engine, workers: Workers, settings: MasterSettings | None = None
    ) -> None:
        """Use `engine` for quick searches; `workers` belong to the master, which closes them."""
        self._engine = check_engine(engine)
        self._group = workers
        self._settings = settings or MasterSettings()
        self._root: Node | None = None
        self._schedule = self._plan(Limits(), None, 0)
        self._workers: dict[WorkerId, WorkerState] = {}
        self._gone: list[WorkerState] = []
        self._reported: set[WorkerId] = set()
        """Workers that have reported since they were last moved around."""
        self._changed = False
        """Whether a worker has joined, is lost or has nothing left to do at its node."""
        self._quick_nodes = 0
        self._on_report: Callable[[MasterResult], None] | None = None
        self._started = 0.0
        self._kept = 0
        self._stopped = threading.Event()
        self._busy = threading.RLock()
        """Held while a search runs, and while the workers are ended."""

    @property
    def game(self) -> Game:
        """The game with the evaluation that is searched."""
        return self._engine.game

    def search(
        self,
        position: Root = None,
        *,
        depth: int | None = None,
        time: float | None = None,
        nodes: int | None = None,
        clock: Clock | None = None,
        report: Callable[[MasterResult], None] | None = None,
        catch_interrupt: bool = False,
    ) -> MasterResult:
        """Search until a limit is reached or the result is proved.

        `nodes` is the limit of each worker.  `report` is called whenever the best move or its score
        changes.  Ctrl-C ends the search and raises `KeyboardInterrupt`; with `catch_interrupt` the
        result so far is returned instead.
        """
        history = self._engine.root(position)
        validate_root(history, ())
        limits = Limits(depth, time, nodes, clock)
        if depth is None and time is None and nodes is None and clock is None:
            raise PlyforgeError("a master needs a limit: depth, time, nodes or a clock")
        interrupted = False
        with self._busy:
            self._begin(history, limits, report)
            try:
                run(self._run, self.stop)
            except KeyboardInterrupt:
                if not catch_interrupt:
                    raise
                interrupted = True
            return self._result(interrupted)

    def stop(self) -> None:
        """Make a running search return soon; safe to call from any thread."""
        self._stopped.set()
        self._engine.stop()
        self._group.stop()

    def clear(self) -> None:
        """Forget the tree and empty the tables, for a new game."""
        self._root = None
        self._workers = {}
        self._engine.clear()
        self._group.clear()

    def prepare(self) -> None:
        """Compile what searches need."""
        self._engine.prepare()

    def close(self) -> None:
        """End the workers; a search in another thread returns first."""
        self.stop()
        with self._busy:
            self._group.close()

    # A search

    def _begin(
        self, history: History, limits: Limits, report: Callable[[MasterResult], None] | None
    ) -> None:
        """Take over what the last search has left, and set the limits of this one."""
        self._started = time.perf_counter()
        self._root = self._next_root(history)
        self._kept = sum(1 for _ in self._root.walk()) - 1
        self._root.forget_limits()
        seconds = limits.time
        if limits.clock is not None:
            seconds = limits.clock.soft(len(history.moves))
            if len(self._root.moves) == 1:
                seconds = 0.0
        deadline = None if seconds is None else self._started + seconds
        horizon = self._schedule.horizon
        if not self._kept or limits.depth is not None:
            first = next(deepening.depths(self._engine.options, limits.depth, history.turn))
            horizon = len(history.moves) + first
        self._schedule = self._plan(limits, deadline, len(history.moves), horizon)
        self._on_report = report
        self._quick_nodes = 0
        self._gone = []
        self._stopped.clear()
        self._group.begin(history)
        present = {id(node) for node in self._root.walk()}
        before = self._workers
        self._workers = {}
        for number in self._group.ready():
            worker = self._workers[number] = WorkerState(number, self._group.place_of(number))
            last = before.get(number)
            if last is not None and last.node is not None:
                worker.node, worker.next_depth = last.node, last.next_depth
                if id(last.node) not in present:
                    worker.next_depth = None

    def _plan(
        self, limits: Limits, deadline: float | None, plies: int, horizon: int = 0
    ) -> Schedule:
        """Return the schedule of a search from a root after so many plies of the game."""
        alone = self._group.size == 1
        options, settings = self._engine.options, self._settings
        return Schedule(options, settings, limits, deadline, plies, horizon, alone)

    def _next_root(self, history: History) -> Node:
        """Return the node of a position in the last tree if it is there, else a new one."""
        last = self._root
        if last is None or self._group.size == 1:
            return Node(history.copy())
        moves, before = history.moves, last.history.moves
        same_start = history.keys[0] == last.history.keys[0]
        if not same_start or moves[: len(before)] != before:
            return Node(history.copy())
        try:
            return last.follow(moves[len(before) :])
        except PlyforgeError:  # a game that goes on where the master's tree has ended
            return Node(history.copy())

    def _run(self) -> None:
        assert self._root is not None
        shown: Estimate | None = None
        try:
            self._start_at_root()
            self._rearrange()
            while not self._ended():
                self._start_tasks()
                running = any(worker.task for worker in self._workers.values())
                if not running and (self._workers or not self._group.starting):
                    break
                for event in self._group.wait(self._seconds_to_wait()):
                    self._take(event)
                if self._needs_rearranging():
                    self._rearrange()
                shown = self._show(shown)
        finally:
            for event in self._group.finish():
                self._take(event)

    def _start_at_root(self) -> None:
        """Let a worker search the root while the master chooses children for the others."""
        assert self._root is not None
        if not self._workers or self._ended():
            return
        current = {number: worker.node for number, worker in self._workers.items()}
        for number, node in place(current, [self._root]).items():
            if node is not None:
                self._assign(self._workers[number], node, 0)
        self._start_tasks(self._root)

    def _ended(self) -> bool:
        assert self._root is not None
        return self._stopped.is_set() or self._schedule.is_late() or self._root.is_finished()

    def _seconds_to_wait(self) -> float:
        left = self._schedule.seconds_left()
        return _POLL if left is None else min(_POLL, left)

    def _show(self, shown: Estimate | None) -> Estimate | None:
        """Report a new best move or score."""
        assert self._root is not None
        if self._on_report is None:
            return None
        value = self._root.estimate()
        if value is None or value == shown:
            return shown
        self._on_report(self._result(False))
        return value

    # Workers

    def _start_tasks(self, only: Node | None = None) -> None:
        """Give tasks to workers that have none; with `only`, to those at that node."""
        for worker in self._workers.values():
            if only is not None and worker.node is not only:
                continue
            task = self._next_task(worker) if worker.task is None else None
            if task is not None:
                assert worker.node is not None
                worker.task = worker.node, task.first_depth
                self._group.start(worker.number, task)

    def _next_task(self, worker: WorkerState) -> Task | None:
        """Return what a worker does next; None if it has nothing to do."""
        assert self._root is not None
        node = worker.node
        if node is None or node.is_finished():
            return None
        nodes, seconds = self._schedule.task_limits(worker)
        if nodes == 0 or seconds == 0:
            return None
        path = tuple(node.history.moves[len(self._root.history.moves) :])
        known = node.own
        return Task(
            path,
            worker.next_depth,
            self._schedule.max_depth(node),
            nodes,
            seconds,
            0.0 if known is None else known.score,
        )

    def _take(self, event: Event) -> None:
        """Take a report, or notice that a worker has joined or is lost."""
        worker = self._workers.get(event.worker)
        if event.lost:
            self._changed = True
            if worker is not None:
                worker.lost = event.lost
                self._gone.append(self._workers.pop(event.worker))
        elif worker is None or event.report is None:
            self._changed = True
            place = self._group.place_of(event.worker)
            self._workers[event.worker] = WorkerState(event.worker, place)
        else:
            self._take_report(worker, event.report)

    def _take_report(self, worker: WorkerState, report: Report) -> None:
        assert worker.task is not None
        node, first_depth = worker.task
        worker.task = None
        worker.nodes += report.nodes
        worker.spent += report.nodes
        if report.nodes:
            worker.reports += 1
            self._reported.add(worker.number)
        if report.estimate is not None:
            self._update(node, report.estimate)
        if worker.node is node and report.nodes:
            if report.completed >= (first_depth or 1):
                deeper = report.completed + self._schedule.depth_step(node)
                worker.next_depth = min(deeper, self._schedule.max_depth(node) or MAX_PLIES)
                worker.length = 0
            else:
                worker.length += 1
            if node.is_finished():
                self._changed = True

    def _update(self, node: Node, estimate: Estimate) -> None:
        """Take the estimate of a node's own search, unless a better one is known.

        An iteration that was stopped has searched some moves only, so its score is a lower bound.
        Compared with a completed one, it counts only if it is higher.  A lower one would make the
        move that leads here look better than it is, before the other replies were searched.
        """
        own = node.own
        if own is not None and own.bound == EXACT and self._group.size > 1:
            if not estimate.finished and estimate.depth < own.depth:
                return
            if estimate.bound != EXACT and estimate.score <= own.score:
                return
        node.own = estimate

    # The tree

    def _needs_rearranging(self) -> bool:
        """Whether something has changed, or all workers have reported since the last time."""
        if self._changed:
            return True
        running = {worker.number for worker in self._workers.values() if worker.task is not None}
        return self._group.size > 1 and bool(self._reported) and running <= self._reported

    def _rearrange(self) -> None:
        """Choose the nodes to search by the scores now known, and move workers there."""
        assert self._root is not None
        self._changed = False
        self._reported = set()
        if not self._workers or self._ended():
            return
        before = self._quick_nodes
        limit = self._schedule.limits.depth
        wanted = arrange(
            self._root, len(self._workers), self._settings.children, self._search_quickly, limit
        )
        waited = self._quick_nodes - before
        current = {number: worker.node for number, worker in self._workers.items()}
        for number, node in place(current, wanted).items():
            self._assign(self._workers[number], node, waited)

    def _assign(self, worker: WorkerState, node: Node | None, waited: int) -> None:
        """Let a worker search a node."""
        if worker.node is node:
            return
        worker.next_depth = None if node is None else self._schedule.first_depth(node)
        worker.moved += worker.node is not None and worker.node is not node
        worker.node, worker.length = node, 0
        worker.spent += waited
        if worker.task is not None:
            self._group.interrupt(worker.number)

    def _search_quickly(self, node: Node, count: int) -> list[Estimate]:
        """Return the estimates of a node's best moves among those without a child."""
        seconds = self._schedule.seconds_left()
        result = self._engine.analyse(
            node.history,
            depth=self._schedule.max_depth(node),
            nodes=self._schedule.quick_nodes,
            time=None if seconds is None else max(0.001, seconds),
            multipv=count,
            moves=node.other_moves,
            first_depth=self._schedule.first_depth(node),
            line_budget=0,
            catch_interrupt=True,
        )
        self._quick_nodes += result.nodes
        found = [estimate_of(line) for line in result.lines]
        return [estimate for estimate in found if estimate is not None]

    # The result

    def _result(self, interrupted: bool) -> MasterResult:
        assert self._root is not None
        root = self._root
        value = root.estimate()
        everyone = [*self._workers.values(), *self._gone]
        return MasterResult(
            Estimate(0.0, root.moves[:1], bound="open") if value is None else value,
            sum(worker.nodes for worker in everyone),
            self._quick_nodes,
            time.perf_counter() - self._started,
            tuple(self._summary(worker) for worker in sorted(everyone, key=lambda w: w.number)),
            root,
            self._kept,
            interrupted,
            value is not None,
        )

    def _summary(self, worker: WorkerState) -> WorkerSummary:
        assert self._root is not None
        node = worker.node
        path = None
        if node is not None:
            path = tuple(node.history.moves[len(self._root.history.moves) :])
        return WorkerSummary(
            worker.number + 1,
            worker.place,
            path,
            None if node is None else node.own,
            worker.nodes,
            worker.reports,
            worker.moved,
            worker.lost,
        )
