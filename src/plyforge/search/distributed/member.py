"""One process of a distributed search, as a searcher: its kernel, its memory and its table."""

from typing import Any, Final

from plyforge.compilation.kernel import Kernel
from plyforge.compilation.mpi import SCRATCH_WORDS, datatype_handle
from plyforge.core.errors import PlyforgeError
from plyforge.game.game import Game
from plyforge.search.distributed.account import ProcessAccount
from plyforge.search.distributed.messages import (
    DELIVERED,
    LENGTH,
    MOVES,
    SKIP,
    can_receive,
    drop_received,
    longest_message,
    reserve,
)
from plyforge.search.distributed.process import FULL, Child, Job, Process
from plyforge.search.distributed.runner import RUN, SERVE, START, TURN
from plyforge.search.hashtable import HashTable
from plyforge.search.kernels.context import ONE_PLY, Node
from plyforge.search.kernels.table import MAX_DEPTH
from plyforge.search.options import Options
from plyforge.search.parallel.methods import PARTITIONED_TABLE, TDSAB
from plyforge.search.request import SearchRequest
from plyforge.search.searcher import Searcher
from plyforge.search.steps.linking import process_kernel

MAX_SPLIT_PLIES: Final = 6
"""The greatest depth below which nodes stay in one process, unless it is set."""
BROTHERS: Final = 4
"""Moves of a node where a cut is expected that are searched one after the other."""
_POLLING: Final = {TDSAB: (4096, 256), PARTITIONED_TABLE: (16, 1 << 14)}
"""Nodes of a recursion between two looks at the messages, and turns without work until a process
rests; in a partitioned table, others wait for its answers."""
_REPORTS: Final = 16
"""How often a process reports its nodes until its share of the limit is used up."""
_BUSY_FACTOR: Final = 8


class Member(Searcher):
    """A process of a distributed search."""

    def __init__(
        self,
        game: Game,
        options: Options,
        table: HashTable | None = None,
        *,
        number: int,
        size: int,
        network: str = "mpi",
        method: str = TDSAB,
        max_jobs: int = 4096,
        max_places: int = 1024,
        max_children: int = 8192,
        spare_words: int | None = None,
        **more: Any,
    ) -> None:
        """With `spare_words`, boxes have so many words beyond those that they need; for tests."""
        self.number, self.size = number, size
        self._spare_words = spare_words
        self._network, self.method = network, method
        require_exact_steps(options)
        super().__init__(game, options, table, **more)
        self._allocate_process(max_jobs, max_places, max_children)
        self.total = ProcessAccount()

    def _find_kernel(self) -> Kernel:
        return process_kernel(self.options.kernel_steps, self._network, self.method)

    # Memory

    def _allocate_process(self, jobs: int, places: int, children: int) -> None:
        memory, levels = self._memory, self._levels + 2
        process = self.process = memory.record(Process)
        self._process_arrays: dict[str, Any] = {}
        process.number, process.size = self.number, self.size
        process.max_moves, process.levels = self._max_moves, levels
        process.max_jobs, process.max_places, process.max_children = jobs, places, children
        process.busy_size = 1 << (_BUSY_FACTOR * places - 1).bit_length()
        self._jobs = self._keep("jobs", memory.records(Job, jobs + 1))
        self._keep("paths", memory.words((jobs + 1) * levels))
        self._keep("free_jobs", memory.words(jobs))
        self._keep("queue", memory.words(jobs))
        self._keep("nodes", memory.records(Node, places))
        for name in ("moves", "move_order"):
            self._keep(name, memory.words(places * self._max_moves))
        self._keep("move_scores", memory.reals(places * self._max_moves))
        self._keep("lines", memory.words(places * levels))
        self._keep("free_places", memory.words(places))
        self._keep("children", memory.records(Child, children))
        self._keep("free_children", memory.words(children))
        self._keep("inbound", memory.words(self.size * children))
        self._keep("busy", memory.words(process.busy_size))
        for name in ("sent", "received", "fences"):
            self._keep(name, memory.words(self.size))
        self._keep("scratch", memory.words(SCRATCH_WORDS))
        contexts = self._keep("contexts", memory.words(1))
        contexts[0] = self._address
        self.use_peers([self])
        self.context.process = memory.address(process) if memory.compiled else [process]

    def _keep(self, name: str, array: Any) -> Any:
        """Put an array's address into the process, and keep the array alive."""
        self._process_arrays[name] = array
        setattr(self.process, name, self._memory.address(array))
        return array

    def use_peers(self, members: "list[Member]") -> None:
        """Name all processes, where they are in one, for look-ups without messages."""
        peers = self._keep("peers", self._memory.words(len(members)))
        for number, member in enumerate(members):
            peers[number] = member._address

    def use_communicator(self, handle: int) -> None:
        """Exchange messages through a communicator of MPI."""
        self.process.communicator = handle
        self.process.datatype = datatype_handle()

    def _reserve_rings(self, depth: int) -> None:
        """Make the boxes large enough for a search of this depth."""
        process = self.process
        levels = depth // ONE_PLY + 3
        process.event_words = (2 * self._max_moves + 8) * (MOVES + levels) + 32 * self.size
        spare = 3 * process.event_words + 8 * process.levels
        if self._spare_words is not None:
            spare = self._spare_words
        size = process.event_words + 2 * longest_message(process) + spare
        if "outbox" not in self._process_arrays or len(self._process_arrays["outbox"]) < size:
            self.outbox = self._keep("outbox", self._memory.words(size))
            self.inbox = self._keep("inbox", self._memory.words(size))
            process.out_size = process.in_size = size

    def grow_inbox(self) -> None:
        """Double the inbox, between two turns."""
        process, old = self.process, self.inbox
        tail, head, size = int(process.in_tail), int(process.in_head), len(old)
        seen = int(process.in_seen)
        new = self._memory.words(2 * size)
        if tail <= head:
            new[: head - tail] = old[tail:head]
            process.in_tail, process.in_seen, process.in_head = 0, seen - tail, head - tail
        else:
            # What follows the last message before the end, `SKIP`, is kept in its place.
            new[tail + size :] = old[tail:]
            new[:head] = old[:head]
            process.in_tail = tail + size
            process.in_seen = seen + size if seen >= tail else seen
        self.inbox = self._keep("inbox", new)
        process.in_size = 2 * size

    # Searching

    def start_search(
        self,
        request: SearchRequest,
        *,
        search: int,
        split_plies: int,
        node_limit: int | None,
        size: int | None = None,
    ) -> None:
        """Prepare a search, which all processes then run."""
        self._prepare(request)
        process = self.process
        self._reserve_rings(request.depth)
        process.search = search
        process.size = self.size if size is None else size
        process.split_depth = split_plies * ONE_PLY
        process.root_depth, process.alpha, process.beta = request.depth, request.low, request.high
        process.brothers = BROTHERS
        process.poll_nodes, process.idle_turns = _POLLING[self.method]
        process.remote_depth = self._remote_depth(split_plies)
        process.merges = int(self.options.has("table"))
        process.node_limit = 0 if node_limit is None else max(node_limit, 1)
        process.report_nodes = max(process.node_limit // (_REPORTS * process.size), 1)
        process.error = 0
        for name in ProcessAccount.counters():
            setattr(process, name, 0)
        self._enter_kernel(self.root.position, START)

    def _remote_depth(self, split_plies: int) -> int:
        """Return the depth from which on entries are looked up at their owner."""
        if self._network == "none":
            return MAX_DEPTH + 1  # nobody could answer while this process waits
        plies = int(self.options.get("remote-depth")) or split_plies
        return plies * ONE_PLY

    def take_turn(self) -> int:
        """Take one turn; return how it ended (see `process`)."""
        return self._enter_briefly(TURN)

    def serve_requests(self) -> None:
        """Let messages pass between turns, for a process that waits for this one."""
        self._enter_briefly(SERVE)

    def _enter_briefly(self, mode: int) -> int:
        """Enter the kernel without a look at the clock, which can take longer than a turn."""
        try:
            state = self._kernel.enter(self.root.position, mode, self._address)
        except BaseException:
            with self._blame():
                raise
        if self.context.fault:
            raise self._fault_error()
        return int(state)

    def run(self) -> None:
        """Take turns until the search has ended, by MPI.

        After an error of the rules, the process still takes part in ending the search.
        """
        try:
            self._run_to_end()
        except BaseException:
            self._leave_search()
            raise

    def _run_to_end(self) -> None:
        while self._enter_kernel(self.root.position, RUN) == FULL:
            self.grow_inbox()
        if self.process.error:
            raise PlyforgeError(f"MPI reports the error {int(self.process.error)}")

    def _leave_search(self) -> None:
        """Tell the others of an error, and wait until the search has ended; nothing is searched."""
        process, context = self.process, self.context
        if (process.ended and not process.handling) or process.error:
            return  # a fault that the kernel has reported
        if process.handling:
            process.handling = 0
            drop_received(process)
        fault, context.fault = context.fault, 0
        process.failed = process.failed or 1
        context.stop = 1
        self._run_to_end()
        context.fault = fault

    # Messages, where the caller moves them

    def take_sent(self) -> list[list[int]]:
        """Return the messages that were sent since the last time, and free their words."""
        process, ring = self.process, self.outbox
        place, head, taken = int(process.out_tail), int(process.out_head), []
        while place != head:
            place = 0 if ring[place] == SKIP else place
            length = int(ring[place + 1 + LENGTH])
            if ring[place] != DELIVERED:
                taken.append([int(word) for word in ring[place + 1 : place + 1 + length]])
            place += 1 + length
        process.out_tail = process.out_next = head
        return taken

    def deliver(self, words: list[int]) -> None:
        """Put a message that has arrived into the inbox."""
        process, length = self.process, len(words)
        while not can_receive(process):
            self.grow_inbox()
        place = reserve(length, int(process.in_head), int(process.in_size), self.inbox)
        self.inbox[place : place + length] = words
        process.in_head = place + length

    def note_account(self) -> None:
        """Add what this process did in the last search to its account."""
        self.total.add(self.process, self.context.leaves + self.context.interior)

    def reset_counts(self) -> None:
        super().reset_counts()
        self.total = ProcessAccount()


def split_plies(options: Options, depth: int) -> int:
    """Return the depth in plies below which nodes are not shared in a search of this depth."""
    half = depth // (2 * ONE_PLY)
    return int(options.get("split-depth")) or min(max(half, 2), MAX_SPLIT_PLIES)


def require_exact_steps(options: Options) -> None:
    """Raise an error if a step is on that a distributed search cannot carry out."""
    for step in options.kernel_steps:
        if not step.exact and options.has(step.name):
            raise PlyforgeError(
                f"a search on several processes does not go with the step '{step.name}', which is"
                f" not exact; switch it off (--off {step.name}), or use threads, as with"
                " --parallel ybwc"
            )
        if "before_moves" in step.functions and options.has(step.name):
            raise PlyforgeError(
                f"a search on several processes does not go with the step '{step.name}', which"
                f" asks for searches of its own; switch it off (--off {step.name}), or use threads"
            )
