"""A process of a distributed search: its turns, its end, and what it does while it recurses.

A process takes turns, like the workers of a search with threads.  With MPI it takes them until the
search has ended; in tests and simulations, all processes are in one, and the caller decides whose
turn it is and which messages arrive.

The first process ends the search, once it has the root's value or was stopped.  Then every
process tells every other how many messages it has sent to it, and returns when it has received as
many from each.  So no message of a search is left when the next one begins.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import (
    context_at,
    cycles,
    load_flag,
    pause,
    pointer,
    replace_if,
    sleep,
    yield_processor,
)
from plyforge.search.distributed.jobs import (
    clear_job,
    next_job,
    queue_job,
    reset_process,
    take_job,
)
from plyforge.search.distributed.messages import (
    CANCEL,
    COUNT,
    END,
    FAULT,
    FENCE,
    HEADER,
    KIND,
    NARROW,
    NODES,
    RESULT,
    SEARCH,
    SOURCE,
    WORK,
    can_receive,
    drop_received,
    has_room,
    next_received,
    start_message,
)
from plyforge.search.distributed.method import find_work, serve_request
from plyforge.search.distributed.nodes import load_job
from plyforge.search.distributed.polling import add_nodes, exchange, poll_interval, report_nodes
from plyforge.search.distributed.process import DONE, FULL, IDLE, OPEN, ROOT, SEARCHED, Process
from plyforge.search.distributed.results import take_cancel, take_narrow, take_result
from plyforge.search.distributed.work import open_job, take_work
from plyforge.search.kernels.context import Context
from plyforge.search.kernels.team import LOOK, PV_NODE, STOP

# What a caller of the kernel wants.
START = 0
"""Prepare a search."""
TURN = 1
"""Take one turn."""
RUN = 2
"""Take turns until the search has ended, or until there is no room for messages."""
SERVE = 3
"""Let messages pass, for a process that waits for this one; in simulations."""

_SUBTREES = np.int64(64)
_SPINS = 64
_SLEEP = np.int64(50)
"""Microseconds that a process without work rests, once it has looked for messages often enough."""


def run_process(root: Any, mode: int, address: Any) -> int:
    """Run one process; `address` is that of its context."""
    context = context_at(address)
    if mode == START:
        start_process(context)
        return SEARCHED
    if mode == TURN:
        return take_turn(root, np.int64(1), context)
    if mode == SERVE:
        exchange(context)
        return SEARCHED
    return take_turns(root, context)


def start_process(context: Context) -> None:
    """Prepare for a search; the first process gets the root."""
    process = context.process[0]
    reset_process(process)
    context.budget = poll_interval(process)
    replace_if(pointer(process.contexts[0]), 0, LOOK, 0)
    process.start_nodes = context.leaves + context.interior
    process.start_cycles = process.end_cycles = cycles()
    if process.number != 0:
        return
    number = take_job(process)
    job = process.jobs[number]
    clear_job(job)
    job.source = ROOT
    job.depth = process.root_depth
    job.alpha = process.alpha
    job.beta = process.beta
    job.kind = PV_NODE
    job.order = job.level = 0
    process.root_job = number
    queue_job(number, process)


def take_turns(root: Any, context: Context) -> int:
    """Take turns until the search has ended; return `DONE`, or `FULL` if the inbox is."""
    process = context.process[0]
    idle_turns = 0
    while True:
        start, messaging = cycles(), process.messaging_cycles
        state = take_turn(root, _SUBTREES, context)
        if state == DONE or process.error != 0:
            process.end_cycles = cycles()
            return DONE
        if state == FULL and not can_receive(process):
            return FULL
        if state == SEARCHED:
            idle_turns = 0
            continue
        idle_turns += 1
        if idle_turns < _SPINS:
            pause()
        elif idle_turns < process.idle_turns and process.ended == 0:
            yield_processor()
        else:
            # At the end it waits for processes that may need this core.
            sleep(_SLEEP)
        # Looking for messages in vain is waiting, too.
        process.messaging_cycles = messaging
        process.waiting_cycles += cycles() - start


def take_turn(root: Any, subtrees: int, context: Context) -> int:
    """Handle the messages that have arrived, then open jobs until so many subtrees are searched.

    Return `SEARCHED`, `IDLE`, `FULL` or `DONE`.
    """
    process = context.process[0]
    state = IDLE
    last = process.subtrees + subtrees
    while True:
        if load_flag(context) == STOP:
            notice_stop(root, context)
        exchange(context)
        if process.in_tail != process.in_head:
            # What they cause may be for this process, too: jobs come after all messages.
            if not take_messages(root, context):
                return FULL
            state = SEARCHED
            continue
        if process.ended != 0:
            return DONE if has_all_messages(process) else state
        if process.finished != 0:
            end_search(process)
            continue
        if not has_room(process.event_words, process):
            return FULL
        report_nodes(context)
        number = next_job(process)
        if process.failed != 0 or load_flag(context) == STOP:
            return state
        if number < 0:
            find_work(process)
            return state
        open_job(root, number, context)
        state = SEARCHED
        if process.subtrees >= last:
            exchange(context)
            return state


def take_messages(root: Any, context: Context) -> bool:
    """Take all messages of the inbox; return False if there is no room for what they cause."""
    process = context.process[0]
    while process.in_tail != process.in_head:
        if not has_room(process.event_words, process):
            return False
        message = next_received(process)
        process.handling = 1
        take_message(root, message, context)
        process.handling = 0
        drop_received(process)
    return True


def take_message(root: Any, message: Any, context: Context) -> None:
    """Do what a message says."""
    process = context.process[0]
    source, kind = message[SOURCE], message[KIND]
    if message[SEARCH] != process.search:
        return
    if kind == FENCE:
        process.fences[source] = message[COUNT]
        return
    process.received[source] += 1
    if process.ended != 0 or (process.failed != 0 and kind != END):
        return
    if kind == WORK:
        take_work(root, message, context)
    elif kind == RESULT:
        take_result(root, message, context)
    elif kind == NARROW:
        take_narrow(root, message, context)
    elif kind == CANCEL:
        take_cancel(message, process)
    elif kind == NODES:
        add_nodes(message[COUNT], context)
    elif kind == FAULT:
        context.stop = STOP
    elif kind == END:
        end_process(process)
    else:
        serve_request(message, context)


# The end


def notice_stop(root: Any, context: Context) -> None:
    """End the search after a stop; a process other than the first reports its fault instead."""
    process = context.process[0]
    if process.ended != 0:
        return
    if process.number == 0:
        number = process.root_job
        if process.finished == 0 and process.jobs[number].state == OPEN:
            load_job(root, number, context)  # the result so far
        end_search(process)
        return
    if context.fault != 0 and process.failed == 0:
        process.failed = 1
    if process.failed == 1:
        process.failed = 2
        start_message(HEADER, FAULT, np.int64(0), process)


def end_search(process: Process) -> None:
    """Tell the other processes that the search has ended."""
    for target in range(1, process.size):
        start_message(HEADER, END, target, process)
    end_process(process)


def end_process(process: Process) -> None:
    """Stop searching, and tell every process how many messages it has to wait for."""
    process.ended = 1
    for target in range(process.size):
        count = process.sent[target]
        message = start_message(COUNT + 1, FENCE, target, process)
        message[COUNT] = count


def has_all_messages(process: Process) -> bool:
    """Whether all messages have arrived that were sent to this process in this search."""
    for source in range(process.size):
        if process.fences[source] < 0 or process.received[source] != process.fences[source]:
            return False
    # Those of this process must have left before its memory is used again.
    return process.out_tail == process.out_head
