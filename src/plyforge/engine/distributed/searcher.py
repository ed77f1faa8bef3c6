"""A searcher whose searches are carried out by several processes.

It is used like any `Searcher`.  The processes are started by it, or are those of an `mpiexec` that
has started this program.
"""

import math
import os
import sys
from typing import Any, Protocol

from plyforge.compilation.mpi import load_library
from plyforge.core.errors import PlyforgeError
from plyforge.engine.distributed.launch import Processes, ProcessesLost
from plyforge.engine.distributed.ranks import Change, Channels, Follower, GroupReply, Leader
from plyforge.engine.setup import SearchSetup
from plyforge.game.game import Game
from plyforge.search.counts import Counts
from plyforge.search.distributed.account import ProcessAccount, account_of
from plyforge.search.distributed.member import Member
from plyforge.search.hashtable import MIN_ENTRIES, HashTable
from plyforge.search.kernels.table import DEEPER_TIMESTAMP
from plyforge.search.options import Options
from plyforge.search.parallel.account import Account
from plyforge.search.request import SearchReply, SearchRequest, WindowResult

_DIGEST = bytes(16)


class _Group(Protocol):
    """Processes that carry out requests."""

    def search(
        self, changes: list[Change], request: bytes, node_limit: int | None
    ) -> GroupReply: ...

    def stop(self) -> None: ...

    def close(self) -> None: ...


class _OwnGroup:
    """The processes of the `mpiexec` that has started this program."""

    def __init__(self, leader: Leader) -> None:
        self._leader = leader

    def search(self, changes: list[Change], request: bytes, node_limit: int | None) -> GroupReply:
        task = SearchRequest.unpack(request, self._leader.game, _DIGEST)
        return self._leader.answer_all(changes, task, node_limit)

    def stop(self) -> None:
        self._leader.stop()

    def close(self) -> None:
        self._leader.close()


def mpi_size() -> int:
    """Return the number of processes of the `mpiexec` that runs this program; 0 without one."""
    return int(os.environ.get("OMPI_COMM_WORLD_SIZE", "0"))


def _sized_table(entries: int, options: Options) -> HashTable:
    stamped = options.code("replace") == DEEPER_TIMESTAMP
    return HashTable.sized(entries=max(entries, MIN_ENTRIES), stamped=stamped)


class DistributedSearcher(Member):
    """A searcher with several processes."""

    def __init__(
        self,
        game: Game,
        options: Options,
        *,
        processes: int,
        method: str,
        setup: SearchSetup,
        **more: Any,
    ) -> None:
        load_library()
        under_mpi = mpi_size() > 1
        table = _sized_table(MIN_ENTRIES, options)
        # Compiles the kernel, if it has to, where messages about it are shown.
        more["method"] = method
        super().__init__(
            game, options, table, number=0, size=1, max_jobs=1, max_places=1, max_children=1, **more
        )
        self.processes = processes
        self.failure = ""
        """Why the processes have ended; empty while they run."""
        self._group = self._join(setup.entries, more) if under_mpi else self._start(setup)
        self._changes: list[Change] = []
        self._limit: int | None = None
        self._stop_requested = False
        self._totals = [ProcessAccount() for _ in range(processes)]
        self._counts = Counts()
        self._seconds = 0.0

    def _start(self, setup: SearchSetup) -> _Group:
        """Start processes."""
        return Processes(setup, self.processes, self.method)

    def _join(self, entries: int, more: dict[str, Any]) -> _Group:
        """Lead the processes of this program's `mpiexec`, or serve as one of them and exit."""
        channels = Channels()
        parts: dict[str, Any] = {**more, "built": self._kernel, "channels": channels}
        table = _sized_table(entries, self.options)
        if channels.number == 0:
            return _OwnGroup(Leader(self.game, self.options, table, **parts))
        Follower(self.game, self.options, table, **parts).serve()
        sys.exit(0)

    # Searching

    def search(self, request: SearchRequest) -> WindowResult:
        stopped = WindowResult(0.0, request.low, request.high, None, (), False, True)
        if self._stop_requested or self.failure or self._limit == 0:
            self.context.stop = 1
            return stopped
        self.set_root(request.root)
        changes, self._changes = self._changes, []
        try:
            answer = self._group.search(changes, request.pack(self.game, _DIGEST), self._limit)
        except ProcessesLost as error:
            self.failure = str(error)
            self._group.close()
            self.context.stop = 1
            return stopped
        if answer.error:
            raise PlyforgeError(answer.error)
        reply = SearchReply.unpack(answer.reply)
        self._counts = self._counts.plus(reply.counts)
        if self._limit is not None:
            self._limit = max(self._limit - reply.counts.nodes, 0)
        for index, values in enumerate(answer.accounts):
            self._totals[index] = self._totals[index].plus(ProcessAccount(*values))
        self.kernel_seconds += answer.kernel_seconds
        if reply.result.stopped:
            self.context.stop = 1
        return reply.result

    def stop(self) -> None:
        self._stop_requested = True
        self._group.stop()

    def reset_stop(self, nodes: int | None = None) -> None:
        super().reset_stop()
        self._stop_requested = False
        self._limit = nodes

    def lift_limit(self) -> None:
        self._limit = None

    def prune(self, on: bool) -> None:
        if not on:
            raise PlyforgeError("a search without windows cannot be distributed")

    def set_weights(self, game: Game) -> None:
        raise PlyforgeError(
            "the weights of an engine with several processes cannot be changed; make another engine"
        )

    def new_generation(self) -> None:
        self._changes.append(("generation", 0))

    def age(self, shift: int) -> None:
        self._changes.append(("age", shift))

    def clear(self) -> None:
        self._changes.append(("clear", 0))

    def close(self) -> None:
        """End the processes."""
        self._group.close()

    # Counts

    def reset_counts(self) -> None:
        super().reset_counts()
        self._counts = Counts()
        self._totals = [ProcessAccount() for _ in range(getattr(self, "processes", 1))]

    @property
    def counts(self) -> Counts:
        return self._counts

    @property
    def account(self) -> Account | None:
        """What the processes did since the last `reset_counts`."""
        return account_of(self.method, self._totals, self.kernel_seconds)

    @property
    def thread_nodes(self) -> tuple[int, ...]:
        return tuple(total.nodes for total in self._totals)

    @property
    def lower(self) -> float:
        return -math.inf

    @property
    def root_move(self) -> tuple[int | None, int]:
        return None, 0
