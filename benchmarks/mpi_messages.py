"""Messages between two processes by MPI, sent and received by compiled code.

    mpiexec -n 2 python -m mpi4py -m benchmarks.mpi_messages ROUNDS COUNT

Prints as JSON the seconds of a message in the fastest round: in a stream of messages from one
process to the other, and there and back.
"""

from __future__ import annotations

import json
import sys
import time
from typing import Any, NamedTuple

import numpy as np
from mpi4py import MPI

from plyforge.compilation.hooks_api import context_at, offset
from plyforge.compilation.kernel import Kernel, build
from plyforge.compilation.mpi import (
    SCRATCH_WORDS,
    datatype_handle,
    load_library,
    mpi_is_sent,
    mpi_probe,
    mpi_receive,
    mpi_send,
)
from plyforge.compilation.records import Fixed, Record, Words, structure
from plyforge.core.positions import position_type
from plyforge.core.rules import Rules

WORDS = 16
"""The length of a message: that of work a few moves from the root."""
SLOTS = 256
"""Messages that may be on their way at a time."""


class Nothing(NamedTuple):
    """The position of a kernel that belongs to no game."""

    word: int


class Channel(Record):
    """The memory of the kernel."""

    messages: Words
    requests: Words
    scratch: Words
    communicator: Fixed[int]
    datatype: Fixed[int]
    slots: Fixed[int]
    length: Fixed[int]


def exchange(position: Any, task: int, count: int, address: Any) -> int:
    """Send `count` messages (task 0), receive them (1), or send each after an answer (2, 3)."""
    channel = context_at(address)
    if task == 0:
        return send_stream(count, channel)
    if task == 1:
        for _ in range(count):
            receive_one(channel)
        return count
    for _ in range(count):
        if task == 2:
            send_one(1, 0, channel)
            receive_one(channel)
        else:
            receive_one(channel)
            send_one(0, 0, channel)
        while not mpi_is_sent(channel.requests, channel.scratch):
            pass
    return count


def send_one(target: int, slot: int, channel: Channel) -> None:
    words = offset(channel.messages, slot * channel.length)
    request = offset(channel.requests, slot)
    mpi_send(
        words, channel.length, np.int64(target), request, channel.communicator, channel.datatype
    )


def send_stream(count: int, channel: Channel) -> int:
    for number in range(count):
        slot = number % channel.slots
        if number >= channel.slots:
            while not mpi_is_sent(offset(channel.requests, slot), channel.scratch):
                pass
        send_one(1, slot, channel)
    for slot in range(min(count, channel.slots)):
        while not mpi_is_sent(offset(channel.requests, slot), channel.scratch):
            pass
    return count


def receive_one(channel: Channel) -> None:
    source = mpi_probe(channel.scratch, channel.communicator)
    while source < 0:
        source = mpi_probe(channel.scratch, channel.communicator)
    words = channel.messages
    mpi_receive(
        words, channel.length, source, channel.scratch, channel.communicator, channel.datatype
    )


KERNEL = Kernel("messages", exchange, "int64(position, int64, int64, address)", context=Channel)


def main(rounds: int, count: int) -> None:
    load_library()
    world = MPI.COMM_WORLD
    first = world.Get_rank() == 0
    rules = Rules("messages", sys.modules[__name__], {}, {})
    if not first:
        world.Barrier()  # the first process compiles, this one loads
    built = build(KERNEL, rules, position_type(Nothing(0)), "compiled")
    if first:
        world.Barrier()
    record = structure(Channel)()
    arrays = [np.zeros(size, np.int64) for size in (WORDS * SLOTS, SLOTS, SCRATCH_WORDS)]
    for name, array in zip(("messages", "requests", "scratch"), arrays, strict=True):
        setattr(record, name, array.ctypes.data)
    record.communicator, record.datatype = world.Dup().handle, datatype_handle()
    record.slots, record.length = SLOTS, WORDS
    import ctypes

    best = []
    for mine, theirs in ((0, 1), (2, 3)):
        seconds = []
        for _ in range(rounds):
            world.Barrier()
            start = time.perf_counter()
            task = mine if first else theirs
            built.enter(Nothing(0), task, count, ctypes.addressof(record))
            world.Barrier()
            seconds.append((time.perf_counter() - start) / count)
        best.append(min(seconds))
    if first:
        print(json.dumps(best), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
