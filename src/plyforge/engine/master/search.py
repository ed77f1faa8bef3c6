"""The master: shares a search out to workers, and keeps a tree of what they report.

The method is that of GPSShogi (Kaneko and Tanaka 2012, 2013; Himstedt 2012 for the tree that is
kept): workers search independently, and the master needs nothing from them but scores.
"""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from plyforge.compilation.interruptible import run
from plyforge.core.errors import PlyforgeError
from plyforge.engine import deepening
from plyforge.engine.clock import Clock
from plyforge.engine.engine import Engine, Root
from plyforge.engine.limits import Limits
from plyforge.engine.master.assignment import DEFAULT_CHILDREN, arrange, place
from plyforge.engine.master.estimate import EXACT, Estimate, estimate_of
from plyforge.engine.master.result import MasterResult, WorkerSummary
from plyforge.engine.master.tree import Node
from plyforge.engine.master.worker import Event, Report, Task, WorkerId, Workers
from plyforge.game.chance import reject_chance
from plyforge.game.game import Game, History
from plyforge.search.parameters import MAX_PLIES
from plyforge.search.request import validate_root

MAX_WORKERS: Final = 10_000
_REPORTS: Final = 8
"""Into how many tasks the nodes of a worker are divided, unless the caller sets their size."""
_MIN_NODES: Final = 50
"""The minimum number of nodes of a task or a quick search that is derived from the limit."""
_QUICK_NODES: Final = 4000
"""Nodes of a quick search if the workers have no limit of nodes."""
_REPORT_SECONDS: Final = 0.1
"""Seconds of a worker's first task at a node if there is no limit of nodes."""
_POLL: Final = 0.2
"""Seconds between two looks at the clock while workers search."""


@dataclass(frozen=True)
class MasterSettings:
    """How a master shares out the search."""

    children: int = DEFAULT_CHILDREN
    """The number of promising children of a node that get workers of their own."""
    quick: int | None = None
    """Nodes of the quick search that chooses them; an eighth of a worker's nodes by default."""
    report: int | None = None
    """Nodes after which a worker reports; an eighth of its nodes by default."""

    def __post_init__(self) -> None:
        for name in ("children", "quick", "report"):
            value = getattr(self, name)
            whole = isinstance(value, int) and not isinstance(value, bool)
            if value is not None and (not whole or value < 1):
                raise PlyforgeError(f"{name} must be an integer of at least 1, not {value!r}")


def validate_workers(workers: int) -> int:
    """Return a number of workers if it is allowed, else raise an error."""
    whole = isinstance(workers, int) and not isinstance(workers, bool)
    if not whole or not 1 <= workers <= MAX_WORKERS:
        raise PlyforgeError(
            f"the number of workers must be an integer between 1 and {MAX_WORKERS:,}, not"
            f" {workers!r}"
        )
    return workers


def check_engine(engine: Engine) -> Engine:
    """Return an engine if a master and its workers can use one like it, else raise an error."""
    reject_chance(
        engine.game, "a master with workers", "use threads with the method shared-table or lazy"
    )
    if engine.threads != 1:
        raise PlyforgeError(
            f"each worker of a master has one thread, not {engine.threads}; use more workers"
        )
    if not engine.options.has("deepening"):
        raise PlyforgeError(
            "workers report as they deepen; they cannot search without the switch 'deepening'"
        )
    return engine


@dataclass(eq=False)
class _Worker:
    """A worker as the master sees it."""

    number: WorkerId
    place: str
    node: Node | None = None
    """Where it works; None if there is no work for it."""
    moves: tuple[int, ...] = ()
    """The moves that it searches there."""
    next_depth: int | None = None
    length: int = 0
    """How much longer than the first a task is: doubled whenever no depth was completed."""
    task: tuple[Node, tuple[int, ...], int | None] | None = None
    """The node, the moves and the first depth of the task that runs."""
    nodes: int = 0
    spent: int = 0
    """Nodes, and those of quick searches that it had to wait for."""
    reports: int = 0
    moved: int = 0
    lost: str = ""


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
        self._limits = Limits()
        self._deadline: float | None = None
        self._workers: dict[WorkerId, _Worker] = {}
        self._gone: list[_Worker] = []
        self._reported: set[WorkerId] = set()
        """Workers that have reported since they were last moved around."""
        self._changed = False
        """Whether a worker has joined, is lost or has nothing left to do at its node."""
        self._quick_nodes = 0
        self._on_report: Callable[[MasterResult], None] | None = None
        self._started = 0.0
        self._kept = 0
        self._horizon = 0
        """The ply of the game at which a search ends, up to steps of depth."""
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
        self._limits = limits
        if not self._kept or limits.depth is not None:
            first = next(deepening.depths(self._engine.options, limits.depth, history.turn))
            self._horizon = len(history.moves) + first
        seconds = limits.time
        if limits.clock is not None:
            seconds = limits.clock.soft(len(history.moves))
            if len(self._root.moves) == 1:
                seconds = 0.0
        self._deadline = None if seconds is None else self._started + seconds
        self._on_report = report
        self._quick_nodes = 0
        self._gone = []
        self._stopped.clear()
        self._group.begin(history)
        present = {id(node) for node in self._root.walk()}
        before = self._workers
        self._workers = {}
        for number in self._group.ready():
            worker = self._workers[number] = _Worker(number, self._group.place_of(number))
            last = before.get(number)
            if last is not None and last.node is not None:
                worker.node, worker.moves = last.node, last.moves
                worker.next_depth = last.next_depth
                if id(last.node) not in present:
                    worker.next_depth = None

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

    def _ended(self) -> bool:
        assert self._root is not None
        late = self._deadline is not None and time.perf_counter() >= self._deadline
        return self._stopped.is_set() or late or self._root.is_finished()

    def _seconds_to_wait(self) -> float:
        if self._deadline is None:
            return _POLL
        return max(0.0, min(_POLL, self._deadline - time.perf_counter()))

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

    def _start_tasks(self) -> None:
        for worker in self._workers.values():
            task = self._next_task(worker) if worker.task is None else None
            if task is not None:
                assert worker.node is not None
                worker.task = worker.node, worker.moves, task.first_depth
                self._group.start(worker.number, task)

    def _next_task(self, worker: _Worker) -> Task | None:
        """Return what a worker does next; None if it has nothing to do."""
        assert self._root is not None
        node = worker.node
        if node is None or node.is_rest_finished():
            return None
        nodes, seconds = self._task_limits(worker)
        if nodes == 0 or seconds == 0:
            return None
        path = tuple(node.history.moves[len(self._root.history.moves) :])
        known = node.own
        return Task(
            path,
            worker.moves if len(worker.moves) < len(node.moves) else (),
            worker.next_depth,
            self._max_depth(node),
            nodes,
            seconds,
            0.0 if known is None else known.score,
        )

    def _task_limits(self, worker: _Worker) -> tuple[int | None, float | None]:
        """Return the nodes and the seconds of a worker's next task; 0 if nothing is left."""
        limit, deadline = self._limits.nodes, self._deadline
        left = None if limit is None else max(0, limit - worker.spent)
        seconds = None if deadline is None else max(0.0, deadline - time.perf_counter())
        if self._group.size == 1:
            return left, seconds  # nobody waits for a report
        nodes: int | None = None
        if limit is not None:
            nodes = min(left or 0, self._report_nodes(self._share_of(limit), worker))
        elif seconds is None or self._settings.report is not None:
            nodes = self._report_nodes(_QUICK_NODES, worker)
        else:
            seconds = min(seconds, _REPORT_SECONDS * 2**worker.length)
        return nodes, seconds

    def _report_nodes(self, default: int, worker: _Worker) -> int:
        return (self._settings.report or default) << worker.length

    def _share_of(self, nodes: int) -> int:
        return max(_MIN_NODES, nodes // _REPORTS)

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
            self._workers[event.worker] = _Worker(event.worker, place)
        else:
            self._take_report(worker, event.report)

    def _take_report(self, worker: _Worker, report: Report) -> None:
        assert worker.task is not None
        node, moves, first_depth = worker.task
        worker.task = None
        worker.nodes += report.nodes
        worker.spent += report.nodes
        if report.nodes:
            worker.reports += 1
            self._reported.add(worker.number)
        if report.estimate is not None and moves == node.rest:
            self._update(node, report.estimate)
        if worker.node is node and report.nodes:
            if report.completed >= (first_depth or 1):
                worker.next_depth = min(
                    report.completed + self._depth_step(node), self._max_depth(node) or MAX_PLIES
                )
                worker.length = 0
            else:
                worker.length += 1
            if node.is_rest_finished():
                self._changed = True

    def _update(self, node: Node, estimate: Estimate) -> None:
        """Take the estimate of a node's own moves, unless a better one is known.

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

    def _max_depth(self, node: Node) -> int | None:
        """Return the limit of depth for a node; that of the search counts from the root."""
        assert self._root is not None
        limit = self._limits.depth
        plies = len(node.history.moves) - len(self._root.history.moves)
        return None if limit is None else limit - plies

    def _depth_step(self, node: Node) -> int:
        options = self._engine.options
        parity = options.code("parity-second" if node.turn else "parity-first")
        return 2 if parity else int(options.get("depth-step"))

    def _first_depth(self, node: Node) -> int | None:
        """Return the first depth at a node: all searches end at horizons of the same parity.

        One worker alone searches as an engine does.
        """
        if self._group.size == 1:
            return None
        step = self._depth_step(node)
        return (self._horizon - len(node.history.moves)) % step or step

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
        limit = self._limits.depth
        wanted = arrange(
            self._root, len(self._workers), self._settings.children, self._search_quickly, limit
        )
        waited = self._quick_nodes - before
        current = {number: worker.node for number, worker in self._workers.items()}
        for number, node in place(current, wanted).items():
            self._assign(self._workers[number], node, waited)

    def _assign(self, worker: _Worker, node: Node | None, waited: int) -> None:
        """Let a worker search the moves of a node that have no child."""
        moves = () if node is None else node.rest
        if worker.node is node and worker.moves == moves:
            return
        # For other moves, too, it begins again: that is quick where its table has them.
        worker.next_depth = None if node is None else self._first_depth(node)
        worker.moved += worker.node is not None and worker.node is not node
        worker.node, worker.moves, worker.length = node, moves, 0
        worker.spent += waited
        if worker.task is not None:
            self._group.interrupt(worker.number)

    def _search_quickly(self, node: Node, count: int) -> list[Estimate]:
        """Return the estimates of a node's best moves among those without a child."""
        limit = self._limits
        nodes = self._settings.quick or (
            _QUICK_NODES if limit.nodes is None else self._share_of(limit.nodes)
        )
        seconds = None
        if self._deadline is not None:
            seconds = max(0.001, self._deadline - time.perf_counter())
        result = self._engine.analyse(
            node.history,
            depth=self._max_depth(node),
            nodes=nodes,
            time=seconds,
            multipv=count,
            moves=node.rest,
            first_depth=self._first_depth(node),
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

    def _summary(self, worker: _Worker) -> WorkerSummary:
        assert self._root is not None
        node = worker.node
        path = None
        if node is not None:
            path = tuple(node.history.moves[len(self._root.history.moves) :])
        partial = node is not None and len(worker.moves) < len(node.moves)
        return WorkerSummary(
            worker.number + 1,
            worker.place,
            path,
            len(worker.moves) if partial else None,
            None if node is None else node.own,
            worker.nodes,
            worker.reports,
            worker.moved,
            worker.lost,
        )
