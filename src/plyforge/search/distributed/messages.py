"""Messages of a distributed search, and the rings in which they wait.

A message is a few words; the first ones are the same in all of them.  A process writes messages to
its outbox and reads them from its inbox; the network (MPI, or a simulated one) moves them.
Messages of a process to itself go the same way.

Both boxes are rings.  A message is never divided: where it does not fit before the end of the
ring, a word `SKIP` says that it is at the beginning.  In the outbox, a word before each message is
left to MPI.
"""

from typing import Any, Final

import numpy as np

from plyforge.compilation.hooks_api import offset
from plyforge.compilation.mpi import mpi_is_sent, mpi_probe, mpi_receive, mpi_send
from plyforge.search.distributed.process import Process
from plyforge.search.kernels.values import value_of, word_of

# Words of all messages.
LENGTH: Final = 0
KIND: Final = 1
SEARCH: Final = 2
SOURCE: Final = 3
TARGET: Final = 4
HEADER: Final = 5

# Kinds of messages, and their further words.
WORK: Final = 1
"""Search a position: child, serial, depth, alpha, beta, kind, order, then the moves
from the root."""
RESULT: Final = 2
"""The value of a position: child, serial, value, proven, then the principal variation."""
NARROW: Final = 3
"""A smaller window for work: child, serial, alpha, beta."""
CANCEL: Final = 4
"""Work is not needed any more: child, serial."""
END: Final = 5
"""The search has ended."""
FENCE: Final = 6
"""How many messages the source has sent to the target in this search."""
NODES: Final = 7
"""How many nodes the source has visited since it last said so."""
FAULT: Final = 8
"""The source cannot search any more."""
LOOKUP: Final = 9
"""A question for an entry of the target's part of the table: key, serial."""
ENTRY: Final = 10
"""The answer: serial, data."""
STORE: Final = 11
"""A result for the target's part of the table: key, ply, depth, value, bound, proven, move."""
STEAL: Final = 12
"""The source has no work, and asks for some; the answer is `WORK` or `REFUSAL`."""
REFUSAL: Final = 13
"""There is no work to hand over."""

CHILD: Final = HEADER
SERIAL: Final = HEADER + 1
DEPTH: Final = HEADER + 2
ALPHA: Final = HEADER + 3
BETA: Final = HEADER + 4
EXPECTED: Final = HEADER + 5
ORDER: Final = HEADER + 6
MOVES: Final = HEADER + 7
VALUE: Final = HEADER + 2
PROVEN: Final = HEADER + 3
LINE: Final = HEADER + 4
NARROW_ALPHA: Final = HEADER + 2
NARROW_BETA: Final = HEADER + 3
COUNT: Final = HEADER
LOOKUP_KEY: Final = HEADER
LOOKUP_SERIAL: Final = HEADER + 1
ENTRY_SERIAL: Final = HEADER
ENTRY_DATA: Final = HEADER + 1
STORE_KEY: Final = HEADER
STORE_PLY: Final = HEADER + 1
STORE_DEPTH: Final = HEADER + 2
STORE_VALUE: Final = HEADER + 3
STORE_BOUND: Final = HEADER + 4
STORE_PROVEN: Final = HEADER + 5
STORE_MOVE: Final = HEADER + 6

SKIP: Final = -1
DELIVERED: Final = 1
"""Before a message that the process has sent to itself."""
_END_ROOM: Final = 2
"""Words that are left at the end of a ring for `SKIP`."""


def to_word(value: float) -> int:
    """The word that stands for a float32 in a message."""
    return np.int64(word_of(value))


def from_word(word: int) -> float:
    return value_of(np.uint64(word))


def room(tail: int, head: int, size: int) -> int:
    """The words that are free in a ring."""
    return size - (head - tail) if head >= tail else tail - head


def has_room(words: int, process: Process) -> bool:
    """Whether messages of so many words together can be written to the outbox."""
    # One of them may not fit before the end of the ring.
    needed = words + longest_message(process) + 2 * _END_ROOM
    return room(process.out_tail, process.out_head, process.out_size) > needed


def longest_message(process: Process) -> int:
    return MOVES + process.levels


def is_question(kind: int) -> bool:
    """Whether a message asks for another one in return."""
    return kind in (LOOKUP, STEAL)


def start_message(length: int, kind: int, target: int, process: Process) -> Any:
    """Write the first words of a message to the outbox; return its words, for the others.

    The caller has made sure that there is room.
    """
    place = reserve(length + 1, process.out_head, process.out_size, process.outbox)
    process.outbox[place] = 0
    message = offset(process.outbox, place + 1)
    process.out_head = place + 1 + length
    message[LENGTH] = length
    message[KIND] = kind
    message[SEARCH] = process.search
    message[SOURCE] = process.number
    message[TARGET] = target
    if kind != FENCE:
        process.sent[target] += 1
    process.messages += 1
    process.words_sent += length
    return message


def reserve(length: int, head: int, size: int, ring: Any) -> int:
    """Return where a message of so many words can be written, at the head or at the beginning."""
    if head + length + _END_ROOM > size:
        ring[head] = SKIP
        return 0
    return head


def first_place(place: int, ring: Any) -> int:
    """Where the message at a place of a ring is: there, or at the beginning."""
    return 0 if ring[place] == SKIP else place


def next_received(process: Process) -> Any:
    """The oldest message of the inbox, which must not be empty."""
    place = process.in_tail
    process.in_tail = first_place(place, process.inbox)
    if process.in_seen == place:
        process.in_seen = process.in_tail
    return offset(process.inbox, process.in_tail)


def drop_received(process: Process) -> None:
    """Free the words of the oldest message."""
    place = process.in_tail
    process.in_tail = place + process.inbox[place + LENGTH]
    if process.in_seen == place:
        process.in_seen = process.in_tail


def can_receive(process: Process) -> bool:
    """Whether the longest message fits into the inbox."""
    needed = 2 * longest_message(process) + _END_ROOM
    return room(process.in_tail, process.in_head, process.in_size) > needed


def exchange_messages(process: Process) -> None:
    """Hand messages to the network, and take those that have arrived; replaced in a kernel."""
    raise RuntimeError("the network is chosen when the kernel is built")


def exchange_with_itself(process: Process) -> None:
    """Move only messages of the process to itself; the caller of the kernel moves the others."""
    ring = process.outbox
    while process.out_next != process.out_head:
        place = first_place(process.out_next, ring)
        length = ring[place + 1 + LENGTH]
        if ring[place + 1 + TARGET] == process.number:
            if not can_receive(process):
                return
            copy_to_inbox(offset(ring, place + 1), length, process)
            ring[place] = DELIVERED
        process.out_next = place + 1 + length


def exchange_simulated(process: Process) -> None:
    """Let a simulated network in the same process move messages; only uncompiled."""
    process.network.exchange(process)  # type: ignore[attr-defined]


def exchange_by_mpi(process: Process) -> None:
    """Send and receive by MPI; nothing waits."""
    free_sent(process)
    if not is_delayed(process):
        send_new(process)
    if not is_delayed(process):
        receive_arrived(process)


def is_delayed(process: Process) -> bool:
    """Whether messages have to wait, which happens only in tests."""
    if process.delay == 0:
        return False
    process.delay_state = process.delay_state * 69069 + 12345 & 0xFFFFFFFF
    return (process.delay_state >> 16) % process.delay != 0


def free_sent(process: Process) -> None:
    """Free the words of messages that were sent, the oldest first."""
    ring = process.outbox
    while process.out_tail != process.out_next:
        place = process.out_tail
        if ring[place] == SKIP:
            process.out_tail = 0
            continue
        if ring[place] != 0 and not mpi_is_sent(offset(ring, place), process.scratch):
            return
        process.out_tail = place + 1 + ring[place + 1 + LENGTH]


def send_new(process: Process) -> None:
    """Start to send the messages that were written since the last time."""
    ring = process.outbox
    while process.out_next != process.out_head:
        place = first_place(process.out_next, ring)
        length = ring[place + 1 + LENGTH]
        target = ring[place + 1 + TARGET]
        if target == process.number:
            if not can_receive(process):
                return
            copy_to_inbox(offset(ring, place + 1), length, process)
            ring[place] = 0
        else:
            error = mpi_send(
                offset(ring, place + 1),
                length,
                target,
                offset(ring, place),
                process.communicator,
                process.datatype,
            )
            if error != 0:
                process.error = error
                return
        process.out_next = place + 1 + length


def copy_to_inbox(message: Any, length: int, process: Process) -> None:
    """Put a message of this process, or of a simulated network, into the inbox."""
    place = reserve(length, process.in_head, process.in_size, process.inbox)
    target = offset(process.inbox, place)
    for index in range(length):
        target[index] = message[index]
    process.in_head = place + length


def receive_arrived(process: Process) -> None:
    """Take the messages that have arrived, as long as there is room."""
    longest = longest_message(process)
    while can_receive(process):
        source = mpi_probe(process.scratch, process.communicator)
        if source < 0:
            return
        place = reserve(longest, process.in_head, process.in_size, process.inbox)
        error = mpi_receive(
            offset(process.inbox, place),
            longest,
            source,
            process.scratch,
            process.communicator,
            process.datatype,
        )
        if error != 0:
            process.error = error
            return
        process.in_head = place + process.inbox[place + LENGTH]
