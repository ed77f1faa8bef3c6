"""The table in parts: entries of other processes are read and written by messages.

A process that looks up an entry of another one waits for the answer, and answers the questions of
others meanwhile.  Nodes with little depth left, which are most, use the table of their own process
for all positions.

Nobody waits for ever.  A process gives up its question, as if there was no entry, when its inbox is
full, or when it could not answer a question for want of room.  So of processes that wait for each
other, each receives and answers.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import context_at, cycles, load_flag, pause, yield_processor
from plyforge.search.distributed.messages import (
    ENTRY,
    ENTRY_DATA,
    ENTRY_SERIAL,
    LOOKUP,
    LOOKUP_KEY,
    LOOKUP_SERIAL,
    SOURCE,
    STORE,
    STORE_BOUND,
    STORE_DEPTH,
    STORE_KEY,
    STORE_MOVE,
    STORE_PLY,
    STORE_PROVEN,
    STORE_VALUE,
    can_receive,
    from_word,
    has_room,
    start_message,
    to_word,
)
from plyforge.search.distributed.ownership import owner_of
from plyforge.search.distributed.polling import poll
from plyforge.search.distributed.process import Process
from plyforge.search.kernels.context import Context
from plyforge.search.kernels.table import find_entry, probe, store

_NOTHING = np.uint64(0)
_SPINS = 256
"""Looks for an answer before others may use the processor."""


def look_up_in_parts(key: Any, depth: int, context: Context) -> Any:
    """The data of a key's entry, or 0: takes the place of `table.look_up`."""
    process = context.process[0]
    if depth < process.remote_depth:
        return probe(key, context)
    owner = owner_of(key, process)
    if owner == process.number:
        return probe(key, context)
    context.probes += 1
    data = ask_owner(key, owner, context)
    if data != _NOTHING:
        context.hits += 1
        process.remote_hits += 1
    return data


def look_up_directly(key: Any, depth: int, context: Context) -> Any:
    """The same in virtual time: all processes are in one, and the simulator charges the wait."""
    process = context.process[0]
    if depth < process.remote_depth:
        return probe(key, context)
    owner = owner_of(key, process)
    if owner == process.number:
        return probe(key, context)
    context.probes += 1
    process.remote_lookups += 1
    data = find_entry(key, context_at(process.peers[owner]))
    if data != _NOTHING:
        context.hits += 1
        process.remote_hits += 1
    return data


def ask_owner(key: Any, owner: int, context: Context) -> Any:
    """Ask another process for an entry, and wait for it."""
    process = context.process[0]
    if not may_wait(process) or not has_room_beside_event(LOOKUP_SERIAL + 2, process):
        return _NOTHING
    start, messaging = cycles(), process.messaging_cycles
    process.next_serial += 1
    process.question = process.next_serial
    process.answer = 0
    message = start_message(LOOKUP_SERIAL + 1, LOOKUP, owner, process)
    message[LOOKUP_KEY] = np.uint64(key).view(np.int64)
    message[LOOKUP_SERIAL] = process.question
    process.remote_lookups += 1
    looks = 0
    while process.question != 0 and load_flag(context) == 0 and may_wait(process):
        poll(context)
        looks += 1
        if looks < _SPINS:
            pause()
        else:
            yield_processor()
    process.question = 0
    process.messaging_cycles = messaging
    process.lookup_cycles += cycles() - start
    return np.int64(process.answer).view(np.uint64)


def may_wait(process: Process) -> bool:
    """Whether an answer can arrive, and nobody waits in vain for one from here."""
    return process.in_seen == process.in_head and can_receive(process)


def has_room_beside_event(words: int, process: Process) -> bool:
    """Whether messages fit into the outbox besides those that the present work may cause."""
    return has_room(process.event_words + words, process)


def keep_in_parts(
    key: Any,
    ply: int,
    depth: int,
    value: float,
    bound: int,
    proven: int,
    move: int,
    context: Context,
) -> None:
    """Store a result at its owner: takes the place of `table.keep`."""
    process = context.process[0]
    owner = process.number if depth < process.remote_depth else owner_of(key, process)
    if owner == process.number:
        store(key, ply, depth, value, bound, proven, move, context)
        return
    if not has_room_beside_event(STORE_MOVE + 2, process):
        return
    message = start_message(STORE_MOVE + 1, STORE, owner, process)
    message[STORE_KEY] = np.uint64(key).view(np.int64)
    message[STORE_PLY] = ply
    message[STORE_DEPTH] = depth
    message[STORE_VALUE] = to_word(value)
    message[STORE_BOUND] = bound
    message[STORE_PROVEN] = proven
    message[STORE_MOVE] = move
    process.remote_stores += 1


def keep_directly(
    key: Any,
    ply: int,
    depth: int,
    value: float,
    bound: int,
    proven: int,
    move: int,
    context: Context,
) -> None:
    """The same in virtual time: written at once, and the simulator charges the message.

    By MPI, a process's question comes after its own results on the way to the same owner.  A
    message that arrived later here would hide these results from `look_up_directly`.
    """
    process = context.process[0]
    owner = process.number if depth < process.remote_depth else owner_of(key, process)
    if owner == process.number:
        store(key, ply, depth, value, bound, proven, move, context)
        return
    store(key, ply, depth, value, bound, proven, move, context_at(process.peers[owner]))
    process.remote_stores += 1


# Questions of others


def answer_lookup(message: Any, context: Context) -> None:
    """Send an entry of this process to the one who asks."""
    data = find_entry(np.int64(message[LOOKUP_KEY]).view(np.uint64), context)
    reply = start_message(ENTRY_DATA + 1, ENTRY, message[SOURCE], context.process[0])
    reply[ENTRY_SERIAL] = message[LOOKUP_SERIAL]
    reply[ENTRY_DATA] = np.uint64(data).view(np.int64)


def take_entry(message: Any, process: Process) -> None:
    """Take the answer to a question, unless that was given up."""
    if process.question != 0 and message[ENTRY_SERIAL] == process.question:
        process.question = 0
        process.answer = message[ENTRY_DATA]


def take_store(message: Any, context: Context) -> None:
    """Store a result of another process."""
    store(
        np.int64(message[STORE_KEY]).view(np.uint64),
        message[STORE_PLY],
        message[STORE_DEPTH],
        from_word(message[STORE_VALUE]),
        message[STORE_BOUND],
        message[STORE_PROVEN],
        message[STORE_MOVE],
        context,
    )
