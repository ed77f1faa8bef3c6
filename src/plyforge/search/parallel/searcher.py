"""A searcher with several threads, which search one tree together.

It is used like a `Searcher`, and is one itself: that of the first worker, which starts at the root.
The others have searchers of their own, with the same kernel, options and table.
"""

import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import Any, Final

from plyforge.compilation.kernel import Kernel
from plyforge.core.errors import PlyforgeError
from plyforge.game.game import Game
from plyforge.search.counts import Counts
from plyforge.search.hashtable import HashTable
from plyforge.search.kernels.context import ONE_PLY, Node
from plyforge.search.kernels.parallel import SIMULATION, THREAD, TURNS
from plyforge.search.kernels.team import (
    FINISHED,
    FIRST_CUT,
    NO_NODE_LIMIT,
    NODES,
    Frame,
    Leaf,
    Request,
    Split,
    Team,
    Worker,
)
from plyforge.search.kernels.team import TURNS as TURN_COUNT
from plyforge.search.options import Options
from plyforge.search.parallel.abdada import BUSY_BITS, WAYS
from plyforge.search.parallel.account import Account, WorkerAccount
from plyforge.search.parallel.aphid import (
    LEAF_BITS,
    PYTHON_LEAF_BITS,
    REQUEST_LEVELS,
    REQUESTS_EACH,
)
from plyforge.search.parallel.methods import Method
from plyforge.search.parallel.threads import WorkerThreads
from plyforge.search.request import SearchRequest, SearchRoot
from plyforge.search.searcher import Searcher
from plyforge.search.steps.linking import team_kernel

MAX_SPLIT_PLIES: Final = 8
"""The greatest depth below which nodes are not shared, unless it is set."""
_FEW_NODES: Final = 2_000
"""A search that may visit fewer, as one that completes a line after a stop, uses one thread."""
_SPLITS_EACH: Final = 16
"""Splits that a worker may have open at a time, on average."""
_HEAP_ENTRIES: Final = 16
"""Places for each worker in the heap of turns."""
_FIRST_SCHEDULE: Final = 1 << 20


@dataclass(frozen=True)
class Machine:
    """What things take on the machine that is simulated, in seconds."""

    node: float
    """Visiting a node."""
    split: float = 0.5e-6
    join: float = 1.5e-6
    latency: float = 0.1e-6
    """A message from one processor to another."""


@dataclass(frozen=True)
class VirtualTimes:
    """The virtual times of a simulated search, in seconds; sums over all processors."""

    elapsed: float
    """What the clock shows at the end, which is not a sum."""
    works: tuple[float, ...]
    """What each processor spends on nodes."""
    idle: float
    splitting: float
    joining: float
    messages: float
    """What the latency adds."""

    @property
    def work(self) -> float:
        return sum(self.works)

    @property
    def overhead(self) -> float:
        """Splitting, joining and messages."""
        return self.splitting + self.joining + self.messages

    @property
    def balance(self) -> float:
        """The mean work of a processor, divided by the greatest; 1 if all did the same."""
        most = max(self.works)
        return self.work / len(self.works) / most if most else 1.0

    def plus(self, other: "VirtualTimes") -> "VirtualTimes":
        """Return the times of two searches, one after the other."""
        return VirtualTimes(
            self.elapsed + other.elapsed,
            tuple(map(sum, zip(self.works, other.works, strict=True))),
            self.idle + other.idle,
            self.splitting + other.splitting,
            self.joining + other.joining,
            self.messages + other.messages,
        )


@dataclass(frozen=True)
class TeamSettings:
    """How a parallel search works."""

    method: Method
    threads: int
    seed: int | None = None
    """If given, one thread runs all workers, in an order that the seed decides."""
    schedule: tuple[int, ...] = ()
    """The same, in this order, as long as it lasts."""

    machine: Machine | None = None
    """If given, the search is simulated in virtual time."""

    @property
    def in_turns(self) -> bool:
        """Whether one thread runs all workers."""
        return self.seed is not None or bool(self.schedule)


class _Member(Searcher):
    """The searcher of one worker."""

    def _find_kernel(self) -> Kernel:
        return team_kernel(self.options.kernel_steps)

    def enter(self, mode: int) -> None:
        """Run this worker, or all of them, until the search ends."""
        self._enter_kernel(self.root.position, mode)

    def take_over(self, other: "_Member") -> None:
        """Take the result at the root from the worker that found it."""
        mine, theirs = self._nodes[0], other._nodes[0]
        for name in ("best", "best_index", "proven", "line_length", "move_count"):
            setattr(mine, name, getattr(theirs, name))
        self._lines[: theirs.line_length] = other._lines[: theirs.line_length]
        count = theirs.move_count
        self._arrays["moves"][:count] = other._arrays["moves"][:count]


class ParallelSearcher(_Member):
    """The first worker, and the others."""

    def __init__(
        self,
        game: Game,
        options: Options,
        table: HashTable | None = None,
        *,
        settings: TeamSettings,
        **more: Any,
    ) -> None:
        super().__init__(game, options, table, **more)
        self.settings = settings
        more.pop("notices", None)
        # Thousands of workers share one kernel, which takes a while to find.
        more |= {"backend": self.backend, "built": self._kernel}
        others = (_Member(game, options, self.table, **more) for _ in range(settings.threads - 1))
        self._members: list[_Member] = [self, *others]
        self._in_turns = settings.in_turns or self.backend == "python"
        self._node_limit: int | None = None
        self._searching = self._members
        """The workers of the present search."""
        self._allocate_team()
        self._threads: WorkerThreads | None = None
        self._totals = [WorkerAccount() for _ in self._members]
        self._seconds = 0.0
        """The time in which the thread of the first worker was in the kernel."""
        self.reset_stop()

    def _allocate_team(self) -> None:
        memory, settings, levels = self._memory, self.settings, self._levels + 2
        size = len(self._members)
        splits = size * _SPLITS_EACH
        abdada = settings.method.name == "abdada"
        team = memory.record(Team)
        self._team = team
        self._team_arrays: dict[str, Any] = {}

        def attach(name: str, array: Any) -> Any:
            self._team_arrays[name] = array
            setattr(team, name, memory.address(array))
            return array

        self._words = attach("words", memory.words(FIRST_CUT + splits))
        contexts = attach("contexts", memory.words(size))
        self._workers = attach("workers", memory.records(Worker, size))
        self._frames = attach("frames", memory.records(Frame, size * levels))
        attach("splits", memory.records(Split, splits))
        self._shared_nodes = attach("shared_nodes", memory.records(Node, splits))
        free = attach("open_splits", memory.words(splits))
        attach("offered_splits", memory.words(splits))
        attach("busy", memory.words(WAYS << BUSY_BITS if abdada else 1))
        attach("deferred_moves", memory.words(size * levels * self._max_moves if abdada else 1))
        self._allocate_leaves(attach, size if settings.method.name == "aphid" else 0)
        recorded = len(settings.schedule) or (_FIRST_SCHEDULE if settings.in_turns else 1)
        self._schedule = attach("schedule", memory.words(recorded))
        self._schedule[: len(settings.schedule)] = settings.schedule
        times = size if settings.machine else 1
        for name in ("due", "idle_since", "idle_time", "work_time", "turn_work", "overhead_time"):
            attach(name, memory.reals(times))
        for name in ("idle_list", "called_list"):
            attach(name, memory.words(times))
        team.heap_limit = _HEAP_ENTRIES * times
        attach("heap_times", memory.reals(team.heap_limit))
        attach("heap_workers", memory.words(team.heap_limit))
        attach("wake_list", memory.words(team.heap_limit))
        if settings.machine:
            machine = settings.machine
            team.simulated = 1
            team.node_time, team.split_time = machine.node, machine.split
            team.join_time, team.latency = machine.join, machine.latency
        for index in range(splits):
            free[index] = index
        for number, member in enumerate(self._members):
            contexts[number] = member._address
            member.context.worker = number
            member.context.team = memory.address(team) if memory.compiled else [team]
        team.size, team.levels, team.max_splits = size, levels, splits
        team.max_moves = self._max_moves
        team.method, team.choice = settings.method.code, self.options.code("split-choice")
        team.busy_bits = BUSY_BITS
        team.schedule_size = recorded if settings.in_turns else 0
        team.replays = int(bool(settings.schedule))
        team.seed = settings.seed or 0

    def _allocate_leaves(self, attach: Callable[[str, Any], Any], size: int) -> None:
        """Make room for the leaves of the master and the requests for their search, in `aphid`."""
        memory, team = self._memory, self._team
        count = REQUESTS_EACH * size
        bits = LEAF_BITS if memory.compiled else PYTHON_LEAF_BITS
        leaves = 1 << bits if size else 1
        self._leaves = attach("leaves", memory.records(Leaf, leaves))
        self._requests = attach("requests", memory.records(Request, max(count, 1)))
        attach("request_nodes", memory.records(Node, max(count * REQUEST_LEVELS, 1)))
        attach("request_asked", memory.words(max(count * REQUEST_LEVELS, 1)))
        attach("request_path", memory.keys((), max(count * REQUEST_LEVELS, 1)))
        attach("waiting_requests", memory.words(max(count, 1)))
        self._free_requests = attach("free_requests", memory.words(max(count, 1)))
        self._leaf_root: SearchRoot | None = None
        self._guesses = count > 0
        """Whether the values of a search that was stopped may be guesses."""
        team.leaf_mask, team.max_requests = leaves - 1, count

    def _forget_leaves(self) -> None:
        self._leaf_root = None

    def _prepare_leaves(self, root: SearchRoot) -> None:
        """Forget the requests of the last search, and leaves below another root."""
        team = self._team
        if root is not self._leaf_root:
            self._leaf_root = root
            self._memory.clear_records(self._leaves)
        for number, request in enumerate(self._requests):
            self._leaves[request.leaf].request = -1
            self._free_requests[number] = number
        team.free_request_count = team.max_requests
        team.first_waiting = team.results = team.results_seen = team.passes = 0

    # Searching

    def _prepare(self, request: SearchRequest) -> None:
        super()._prepare(request)
        self._searching = self._choose_members(request)
        for member in self._searching[1:]:
            Searcher._prepare(member, request)

    def _choose_members(self, request: SearchRequest) -> list[_Member]:
        """Return the workers that search: only the first one if there is little to do."""
        few = self._node_limit is not None and self._node_limit < _FEW_NODES
        shallow = request.depth <= self._split_depth(request.depth)
        threaded = not (self.settings.machine or self._in_turns)
        return self._members[:1] if threaded and (few or shallow) else self._members

    def _run(self, request: SearchRequest) -> float:
        team, members = self._team, self._searching
        self._start_team(request)
        for worker in self._workers[: len(members)]:
            self._clear_worker(worker)
        try:
            if self.settings.machine:
                self._clear_times()
                self.enter(SIMULATION)
            elif self._in_turns:
                self.enter(TURNS)
            else:
                self._run_threads()
        finally:
            if self._node_limit is not None:
                self._node_limit = max(self._node_limit - int(self._words[NODES]), 0)
            for total, worker, member in zip(self._totals, self._workers, members, strict=False):
                total.add(worker)
                member.note_learning()
        for member in members:
            if member.context.fault:
                raise member._fault_error()
        if team.finisher == -2:
            raise PlyforgeError(
                "the parallel search does not go on: no worker finds work; this is a fault of"
                f" Plyforge (method {self.settings.method.name}, {team.size} workers, seed"
                f" {team.seed})"
            )
        self._take_result()
        return float(team.value)

    def _start_team(self, request: SearchRequest) -> None:
        """Write to the team what a request says, and forget what the last search left."""
        team, alone = self._team, len(self._searching) < len(self._members)
        self._words[:] = 0 if self._memory.compiled else [0] * len(self._words)
        team.open_count = team.split_number = 0
        team.finisher, team.value = -1, 0.0
        team.root_depth, team.alpha, team.beta = request.depth, request.low, request.high
        team.node_limit = NO_NODE_LIMIT if self._node_limit is None else self._node_limit
        team.size = len(self._searching)
        # One worker alone searches all of it by recursion, without a method.
        team.split_depth = request.depth + 1 if alone else self._split_depth(request.depth)
        if not alone:
            busy = self._team_arrays["busy"]
            busy[:] = 0 if self._memory.compiled else [0] * len(busy)
            if self._guesses:
                self._prepare_leaves(request.root)

    def _split_depth(self, depth: int) -> int:
        """Return the depth below which nodes are searched by recursion."""
        half = depth // (2 * ONE_PLY)
        if self._guesses:
            plies = min(int(self.options.get("master-depth")), half)
            return depth - plies * ONE_PLY + 1
        plies = int(self.options.get("split-depth")) or min(max(half, 2), MAX_SPLIT_PLIES)
        return plies * ONE_PLY

    def _clear_times(self) -> None:
        self._team.spared_time = 0.0
        for name in ("idle_time", "work_time", "turn_work", "overhead_time"):
            times = self._team_arrays[name]
            times[:] = 0.0 if self._memory.compiled else [0.0] * len(times)

    @staticmethod
    def _clear_worker(worker: Any) -> None:
        for name in (*WorkerAccount.counters(), "start_cycles", "end_cycles"):
            setattr(worker, name, 0)

    def _run_threads(self) -> None:
        """Run every worker in a thread: the first in this one."""
        others = self._searching[1:]
        helping = self._started_threads.start([partial(self._help, one) for one in others])
        started = perf_counter()
        try:
            self.enter(THREAD)
        finally:
            self._seconds += perf_counter() - started
            if self._words[FINISHED] == 0:  # an error ended this worker, and nobody the search
                self._stop_all()
            helping.wait(self._stop_all)

    @property
    def _started_threads(self) -> WorkerThreads:
        if self._threads is None or self._threads.process != os.getpid():
            self._threads = WorkerThreads(len(self._members) - 1)
        return self._threads

    def _help(self, member: _Member) -> None:
        try:
            member.enter(THREAD)
        except BaseException:
            self._stop_all()
            raise

    def _stop_all(self) -> None:
        self._words[FINISHED] = 1
        for member in self._members:
            member.context.stop = 1

    def _take_result(self) -> None:
        """Put the result into the memory of the first worker, wherever it is."""
        finisher = int(self._team.finisher)
        if finisher > 0:
            self.take_over(self._members[finisher])
        split = int(self._frames[0].split)
        if finisher < 0 and split >= 0 and self._nodes[0].move_count > 0:
            # The search was stopped while the root was split.
            shared, node = self._shared_nodes[split], self._nodes[0]
            for name in ("best", "best_index", "proven", "line_length"):
                setattr(node, name, getattr(shared, name))
        if finisher < 0:
            self.context.stop = 1
            if self._guesses and len(self._searching) > 1:
                # The values of a pass that was not the last one are guesses.
                self._nodes[0].move_count = 0

    # What concerns all workers

    def stop(self) -> None:
        for member in self._members:
            member.context.stop = 1

    def reset_stop(self, nodes: int | None = None) -> None:
        self._node_limit = nodes
        for member in getattr(self, "_members", (self,)):
            Searcher.reset_stop(member)

    def lift_limit(self) -> None:
        self._node_limit = None

    def prune(self, on: bool) -> None:
        if not on:
            raise PlyforgeError("a search without windows cannot be parallel")

    def set_weights(self, game: Game) -> None:
        self._forget_leaves()
        for member in self._members:
            Searcher.set_weights(member, game)

    def new_generation(self) -> None:
        super().new_generation()
        for member in self._members[1:]:
            member.age_between_positions()

    def age(self, shift: int) -> None:
        for member in getattr(self, "_members", (self,)):
            Searcher.age(member, shift)

    @property
    def lower(self) -> float:
        # In `aphid`, what the running pass has found may be guessed.
        return -math.inf if self._guesses else super().lower

    def _clear_arrays(self) -> None:
        self._forget_leaves()
        for member in self._members:
            Searcher._clear_arrays(member)

    def reset_counts(self) -> None:
        for member in self._members:
            Searcher.reset_counts(member)
        self._totals = [WorkerAccount() for _ in self._members]
        self._seconds = 0.0

    @property
    def counts(self) -> Counts:
        total = Counts()
        for member in self._members:
            total = total.plus(Searcher.counts.fget(member))  # type: ignore[attr-defined]
        return total

    @property
    def node_counts(self) -> tuple[int, int]:
        contexts = [member.context for member in self._members]
        return sum(int(c.leaves) for c in contexts), sum(int(c.interior) for c in contexts)

    @property
    def account(self) -> Account | None:
        """What the threads did since the last `reset_counts`."""
        cycles = self._totals[0].total_cycles
        return Account.of(
            self.settings.method.name, self._totals, self._seconds / cycles if cycles else 0.0
        )

    @property
    def thread_nodes(self) -> tuple[int, ...]:
        each = (Searcher.counts.fget(member) for member in self._members)  # type: ignore[attr-defined]
        return tuple(counts.nodes for counts in each)

    @property
    def schedule(self) -> tuple[int, ...]:
        """The workers in the order of their turns in the last search, if one thread ran it."""
        return tuple(int(number) for number in self._schedule[: self._words[TURN_COUNT]])

    @property
    def virtual_times(self) -> VirtualTimes:
        """The times of the last search, if it was simulated."""
        team, arrays = self._team, self._team_arrays

        def count(name: str) -> int:
            return sum(int(getattr(worker, name)) for worker in self._workers)

        joins = count("joins")
        splitting = count("splits") * float(team.split_time)
        joining = joins * float(team.join_time)
        messages = 2.0 * (joins + count("messages")) * float(team.latency)
        # Cuts end some joins and messages before their time.
        charged = float(sum(arrays["overhead_time"])) - splitting
        share = charged / (joining + messages) if joining + messages else 0.0
        return VirtualTimes(
            float(team.clock),
            tuple(map(float, arrays["work_time"])),
            float(sum(arrays["idle_time"])),
            splitting,
            share * joining,
            share * messages,
        )
