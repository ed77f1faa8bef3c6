"""Processes and a network that are not there, in virtual time.

The processes run the code of a search by MPI, one at a time, each at the moment when its last turn
has ended.  Only the time is computed: from the nodes that a process visits, and from what jobs,
messages and look-ups take on the machines that are simulated.  The same search always happens the
same way.

A turn is a *head*, which handles messages and opens jobs, and then at most one subtree.  Messages
of the head leave when it ends, the value of the subtree when that ends.  What has to be answered
at once is answered while a subtree is searched, and a subtree that is cancelled ends early.
"""

import heapq
import random
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.search.distributed.machines import ClusterTimes, Machines
from plyforge.search.distributed.member import Member
from plyforge.search.distributed.messages import (
    CANCEL,
    CHILD,
    HEADER,
    KIND,
    LOOKUP,
    REFUSAL,
    RESULT,
    SERIAL,
    SOURCE,
    STEAL,
    STORE_MOVE,
    TARGET,
)
from plyforge.search.distributed.process import IDLE
from plyforge.search.distributed.virtual_process import VirtualProcess
from plyforge.search.parallel.methods import PARTITIONED_TABLE

_ARRIVAL: Final = 0
_TURN: Final = 1
_REQUEST: Final = 2
"""Kinds of events: a message arrives, a process has ended its turn, a process asks for work."""

_TURN_SECONDS: Final = 0.2e-6
"""What a turn takes in which a process finds no message and no work."""


class VirtualCluster:
    """The processes of one search, and the messages between them."""

    def __init__(self, members: list[Member], machines: Machines, seed: int) -> None:
        self._machines = machines
        self._states = [VirtualProcess(member) for member in members]
        self._random = random.Random(seed)
        self._events: list[tuple[float, int, int, int, Any]] = []
        """Time, number, kind, process, and a message, a turn or a process that asks for work."""
        self._event_count = 0
        self._poll = float(members[0].process.poll_nodes) * machines.node
        self._answers_requests = members[0].method == PARTITIONED_TABLE
        self._jobs = self._messages = self._lookups = self._spared = 0.0
        self._sent = self._words = self._steal_requests = 0

    def run(self) -> ClusterTimes:
        """Search until the first process has the value of the root."""
        for number in range(len(self._states)):
            self._push(0.0, _TURN, number, 0)
        first = self._states[0]
        while not first.member.process.ended:
            if not self._events:
                raise PlyforgeError(
                    "the distributed search does not go on: no process has work; this is a fault"
                    f" of Plyforge ({len(self._states)} processes in virtual time)"
                )
            time, _, kind, number, subject = heapq.heappop(self._events)
            if kind == _ARRIVAL:
                self._take_arrival(time, number, subject)
            elif kind == _REQUEST:
                self._take_request(time, number, subject)
            elif subject == self._states[number].turn:
                self._continue(time, number)
        return self._times(first.due)

    def _push(self, time: float, kind: int, number: int, subject: Any) -> None:
        self._event_count += 1
        heapq.heappush(self._events, (time, self._event_count, kind, number, subject))

    # Turns

    def _continue(self, time: float, number: int) -> None:
        """Take the next turn of a process, or let it sleep."""
        state = self._states[number]
        state.running = None
        if state.turn > 0 and state.asleep and not state.waiting and not self._may_ask(state):
            return
        self._take_turn(time, number)

    def _take_turn(self, time: float, number: int) -> None:
        state, machines = self._states[number], self._machines
        member, process = state.member, state.member.process
        for words in state.waiting:
            member.deliver(words)
        received = sum(words[SOURCE] != number for words in state.waiting)
        state.waiting.clear()
        nodes, subtrees, lookups = state.nodes, int(process.subtrees), int(process.remote_lookups)
        jobs, stores = int(process.jobs_received), int(process.remote_stores)
        state.asleep = member.take_turn() == IDLE
        head_nodes = all_nodes = state.nodes - nodes
        if process.subtrees != subtrees:
            head_nodes = int(process.subtree_nodes) - nodes
        sent, own = self._take_sent(member)
        result = self._last_result(sent) if process.subtrees != subtrees else None
        job_time = (int(process.jobs_received) - jobs) * machines.job
        stores = int(process.remote_stores) - stores
        message_time = (received + len(sent) + stores) * machines.message + state.debt
        lookup_time = (int(process.remote_lookups) - lookups) * self._lookup_seconds
        state.debt = 0.0
        start = time + head_nodes * machines.node + job_time + message_time + lookup_time
        self._jobs += job_time
        self._messages += message_time
        self._lookups += lookup_time
        state.work += all_nodes * machines.node
        state.due = start + (all_nodes - head_nodes) * machines.node
        if state.asleep and self._may_ask(state):
            state.due += _TURN_SECONDS  # it has been refused, and asks again soon
        state.running = None if result is None else (result[TARGET], result[CHILD], result[SERIAL])
        state.waiting += own
        state.turn += 1
        self._push(state.due, _TURN, number, state.turn)
        for words in sent:
            self._send(state.due if words is result else start, words)
        self._charge_stores(stores, number)

    def _may_ask(self, state: VirtualProcess) -> bool:
        """Whether a process without work would ask another one in its next turn."""
        return (
            self._answers_requests
            and len(self._states) > 1
            and not state.member.process.stealing
            and not state.member.process.ended
        )

    def _take_sent(self, member: Member) -> tuple[list[list[int]], list[list[int]]]:
        """Return the messages of a process to others, and those to itself that found no room."""
        if member.process.ended:
            return [], []  # the end is computed
        sent: list[list[int]] = []
        own: list[list[int]] = []
        for words in member.take_sent():
            (own if words[TARGET] == member.number else sent).append(words)
        return sent, own

    @staticmethod
    def _last_result(sent: list[list[int]]) -> list[int] | None:
        """Return the value of the subtree that was searched, if another process has asked."""
        return sent[-1] if sent and sent[-1][KIND] == RESULT else None

    def _send(self, time: float, words: list[int]) -> None:
        self._sent += 1
        self._words += len(words)
        due = time + self._machines.latency
        if words[KIND] == STEAL:
            self._push(due, _REQUEST, words[TARGET], words[SOURCE])
        else:
            self._push(due, _ARRIVAL, words[TARGET], words)

    def _charge_stores(self, count: int, source: int) -> None:
        """Charge results that a process has written to the tables of others, one message each."""
        self._sent += count
        self._words += count * (STORE_MOVE + 1)
        for _ in range(count):  # owners are spread evenly
            self._states[self._other_than(source)].debt += self._machines.message

    def _other_than(self, number: int) -> int:
        """Return a random process other than one."""
        size = len(self._states)
        return (number + 1 + self._random.randrange(size - 1)) % size

    @property
    def _lookup_seconds(self) -> float:
        """Wait for an entry: two messages, and half of the time between two looks at them."""
        machines = self._machines
        return 2.0 * machines.latency + 4.0 * machines.message + 0.5 * self._poll

    # Messages

    def _take_arrival(self, time: float, number: int, words: list[int]) -> None:
        state = self._states[number]
        if self._answers_requests and LOOKUP <= words[KIND] <= REFUSAL:
            state.member.deliver(words)
            state.member.serve_requests()
            state.debt += self._machines.message
            if words[KIND] == REFUSAL and state.asleep and state.due <= time:
                self._take_turn(time, number)
            return
        state.waiting.append(words)
        if state.asleep and state.due <= time:
            self._take_turn(time, number)
        elif words[KIND] == CANCEL:
            self._cancel(time, state, (words[SOURCE], words[CHILD], words[SERIAL]))

    def _cancel(self, time: float, state: VirtualProcess, subtree: tuple[int, int, int]) -> None:
        """End a subtree that is searched, at the process's next look at the messages."""
        due = time + self._poll
        if state.running != subtree or due >= state.due:
            return
        self._spared += state.due - due
        state.work -= state.due - due
        state.due = due
        state.turn += 1
        self._push(due, _TURN, state.member.number, state.turn)

    # Work stealing: refusals, which are most answers, are handled here and not by the kernel

    def _take_request(self, time: float, number: int, thief: int) -> None:
        """Let a process hand work over, if it has some."""
        self._steal_requests += 1
        state, machines = self._states[number], self._machines
        state.debt += 2.0 * machines.message
        time += 2.0 * machines.message
        if state.member.process.queue_size:
            request = [HEADER, STEAL, int(state.member.process.search), thief, number]
            state.member.deliver(request)
            state.member.serve_requests()
            for words in state.member.take_sent():
                if words[KIND] != REFUSAL:
                    self._states[thief].refusals = 0
                    self._send(time, words)
                    return
        self._refuse(time + machines.latency, thief)

    def _refuse(self, time: float, thief: int) -> None:
        """Let a process that was refused ask another one, if it still has no work."""
        state = self._states[thief]
        self._sent += 1
        self._words += HEADER
        if not state.asleep or state.waiting:
            words = [HEADER, REFUSAL, int(state.member.process.search), thief, thief]
            self._push(time, _ARRIVAL, thief, words)
            return
        state.refusals += 1
        victim = self._other_than(thief)
        machines = self._machines
        self._messages += 2.0 * machines.message
        self._sent += 1
        self._words += HEADER
        again = time + _TURN_SECONDS + 2.0 * machines.message
        self._push(again + machines.latency, _REQUEST, victim, thief)

    # The end

    def _times(self, found: float) -> ClusterTimes:
        """Return the times of the search, whose value was found at a time."""
        size, machines = len(self._states), self._machines
        others = size - 1
        ends = start = 0.0
        if others:
            # A process that searches a subtree ends it at its next look at the messages.
            longest = max(state.due - found for state in self._states)
            start = machines.start + others * machines.command
            # The first process tells all others; then each tells each how much it has sent.
            ends = 3.0 * others * machines.message + 2.0 * machines.latency
            ends += min(max(longest, 0.0), self._poll)
            self._sent += others + size * others
            self._words += others * HEADER + size * others * (HEADER + 1)
        for state in self._states:
            over = state.due - found  # charged as a part of the end
            if over > 0.0:
                self._spared += max(over - self._poll, 0.0)
                state.work -= min(over, state.work)
        return ClusterTimes(
            start + found + ends,
            tuple(state.work for state in self._states),
            self._jobs,
            self._messages,
            self._lookups,
            size * (start + ends),
            self._spared,
            self._sent,
            self._words,
            self._steal_requests,
        )
