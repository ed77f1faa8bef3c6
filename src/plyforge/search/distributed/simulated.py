"""A distributed search in one process: its members take turns, and a network delays messages.

The order of turns and the delays are drawn from a seed, so the same search happens every time.
Tests use this, and need no MPI.
"""

import heapq
import random
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.game.game import Game
from plyforge.search.counts import Counts
from plyforge.search.distributed.member import Member, split_plies
from plyforge.search.distributed.messages import KIND, REFUSAL, STEAL, TARGET
from plyforge.search.distributed.process import DONE, IDLE
from plyforge.search.hashtable import HashTable
from plyforge.search.options import Options
from plyforge.search.request import SearchRequest
from plyforge.search.searcher import Searcher

_MAX_IDLE_ROUNDS: Final = 100
"""Turns in a row for each process in which nothing happens: then the search hangs."""


class Network:
    """Moves messages between processes, each after a random time; a later one may be faster."""

    def __init__(self, members: "list[Member]", seed: int, max_delay: int) -> None:
        self._members = members
        self._random = random.Random(seed)
        self._max_delay = max_delay
        self._clock = 0
        self._numbers = 0
        self._question = (0, 0)
        """The process that waits for an answer, and the number of its question."""
        self._vain_looks = 0
        self._waiting: list[list[tuple[int, int, list[int]]]] = [[] for _ in members]
        """For each process: when messages arrive, their numbers, and their words."""

    def exchange(self, process: Any) -> None:
        """Take what a process has sent, and give it what has arrived."""
        self._clock += 1
        member = self._members[int(process.number)]
        if process.question:
            self._let_others_serve(member, int(process.question))
        self._take(member)
        waiting = self._waiting[member.number]
        while waiting and waiting[0][0] <= self._clock:
            _, _, words = heapq.heappop(waiting)
            member.deliver(words)

    def _let_others_serve(self, waiting: Member, question: int) -> None:
        """Let another process handle its requests, while one waits for an answer."""
        if (waiting.number, question) != self._question:
            self._question = (waiting.number, question)
            self._vain_looks = 0
        self._vain_looks += 1
        if self._vain_looks > _MAX_IDLE_ROUNDS * (self._max_delay + 10) * len(self._members):
            raise PlyforgeError(f"process {waiting.number} waits in vain for an entry of the table")
        others = [member for member in self._members if member is not waiting]
        self._random.choice(others).serve_requests()

    def _take(self, member: Member) -> None:
        for words in member.take_sent():
            due = self._clock + self._random.randint(0, self._max_delay)
            self._numbers += 1
            heapq.heappush(self._waiting[words[TARGET]], (due, self._numbers, words))

    @property
    def is_empty(self) -> bool:
        """Whether no message is on its way, besides requests for work and their refusals."""
        return all(
            words[KIND] in (STEAL, REFUSAL) for waiting in self._waiting for _, _, words in waiting
        )


class SimulatedSearcher(Member):
    """The first process, and the others, in one."""

    def __init__(
        self,
        game: Game,
        options: Options,
        table: HashTable | None = None,
        *,
        processes: int,
        seed: int = 0,
        max_delay: int = 20,
        polls: bool = True,
        **more: Any,
    ) -> None:
        """With `polls`, messages also arrive while a subtree is searched; only uncompiled.

        Without it, a partitioned table is used like that of `tdsab`: nobody could answer.
        """
        backend = more.get("backend") or game.backend
        simulated = polls and backend == "python"
        more.setdefault("network", "simulated" if simulated else "none")
        super().__init__(game, options, table, number=0, size=processes, **more)
        more.pop("notices", None)
        more |= {"backend": self.backend, "built": self._kernel}
        entries = self.table.entries
        stamped = len(self.table.stamps) > 1
        self._members: list[Member] = [
            self,
            *(
                Member(
                    game,
                    options,
                    HashTable.sized(entries=entries, stamped=stamped),
                    number=number,
                    size=processes,
                    **more,
                )
                for number in range(1, processes)
            ),
        ]
        self._seed, self._max_delay = seed, max_delay
        self._searches = 0
        self._node_limit: int | None = None
        self.turns = 0
        """The turns of the last search."""

    def _run(self, request: SearchRequest) -> float:
        self._searches += 1
        members = self._members
        network = Network(members, self._seed + self._searches, self._max_delay)
        for member in members:
            if member is not self:
                Searcher.reset_stop(member)
            if self._network == "simulated":
                member.process.network = network
            member.start_search(
                request,
                search=self._searches,
                split_plies=split_plies(self.options, request.depth),
                node_limit=self._node_limit,
            )
        self._take_turns(network)
        if self._node_limit is not None:
            nodes = sum(int(member.process.reported) for member in members)
            self._node_limit = max(self._node_limit - nodes, 0)
        for member in members:
            member.note_account()
            member.note_learning()
            if member.context.fault:
                raise member._fault_error()
        return float(self.process.value)

    def _take_turns(self, network: Network) -> None:
        order = random.Random(self._seed * 1_000_003 + self._searches)
        members = self._members
        left, idle, self.turns = set(range(len(members))), 0, 0
        while left:
            member = members[order.choice(sorted(left))]
            network.exchange(member.process)
            state = member.take_turn()
            network.exchange(member.process)
            self.turns += 1
            if state == DONE:
                left.discard(member.number)
            idle = idle + 1 if state == IDLE and network.is_empty else 0
            if idle > _MAX_IDLE_ROUNDS * len(members):
                raise PlyforgeError(
                    "the distributed search does not go on: no process has work; this is a fault"
                    f" of Plyforge ({len(members)} processes, seed {self._seed})"
                )

    def reset_stop(self, nodes: int | None = None) -> None:
        self._node_limit = nodes
        super().reset_stop()

    def lift_limit(self) -> None:
        self._node_limit = None

    @property
    def counts(self) -> Counts:
        total = Counts()
        for member in self._members:
            total = total.plus(Searcher.counts.fget(member))  # type: ignore[attr-defined]
        return total

    def reset_counts(self) -> None:
        for member in getattr(self, "_members", (self,)):
            Member.reset_counts(member)

    def clear(self) -> None:
        for member in self._members:
            Searcher.clear(member)

    @property
    def accounts(self) -> list[Any]:
        """What each process did since the last `reset_counts`."""
        return [member.total for member in self._members]
