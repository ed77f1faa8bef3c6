"""Looking at messages: between jobs, and while a subtree is searched."""

import numpy as np

from plyforge.compilation.hooks_api import cycles, offset, pointer, replace_if
from plyforge.search.distributed.jobs import find_inbound
from plyforge.search.distributed.messages import (
    CANCEL,
    CHILD,
    COUNT,
    END,
    FAULT,
    KIND,
    LENGTH,
    NODES,
    SEARCH,
    SERIAL,
    SOURCE,
    exchange_messages,
    first_place,
    has_room,
    is_question,
    longest_message,
    reserve,
    start_message,
)
from plyforge.search.distributed.method import is_request, serve_request
from plyforge.search.distributed.process import Process
from plyforge.search.kernels.context import Context
from plyforge.search.kernels.team import LOOK, STOP


def exchange(context: Context) -> None:
    """Let messages pass, and handle those that cannot wait."""
    process = context.process[0]
    start = cycles()
    exchange_messages(process)
    if process.in_seen != process.in_head:
        serve_arrived(context)
    process.messaging_cycles += cycles() - start


def serve_arrived(context: Context) -> None:
    """Handle the requests among new messages, and close the gaps that they leave in the inbox.

    Requests for whose answers there is no room stay, and are looked at again the next time.
    """
    process = context.process[0]
    ring = process.inbox
    place = kept = process.in_seen
    first = np.int64(-1)
    head = process.in_head
    answer_room = process.event_words + longest_message(process)
    while place != head:
        place = first_place(place, ring)
        message = offset(ring, place)
        length = message[LENGTH]
        kind = message[KIND]
        if is_request(kind) and (not is_question(kind) or has_room(answer_room, process)):
            if message[SEARCH] == process.search:
                process.received[message[SOURCE]] += 1
                if process.ended == 0:
                    serve_request(message, context)
        else:
            kept = reserve(length, kept, process.in_size, ring)
            if first < 0 and is_request(kind):
                first = kept
            if kept != place:
                for index in range(length):
                    ring[kept + index] = ring[place + index]
            kept += length
        place += length
    process.in_head = kept
    process.in_seen = first if first >= 0 else kept


def poll_interval(process: Process) -> int:
    """Nodes until the next look at the messages."""
    if process.node_limit > 0:
        return min(process.poll_nodes, process.report_nodes)
    return process.poll_nodes


def poll(context: Context) -> None:
    """Let messages pass, and leave the subtree if it is not needed any more."""
    process = context.process[0]
    context.budget = poll_interval(process)
    exchange(context)
    report_nodes(context)
    place = process.in_tail
    while place != process.in_head:
        place = first_place(place, process.inbox)
        message = offset(process.inbox, place)
        if message[SEARCH] == process.search:
            if message[KIND] == END or message[KIND] == FAULT:
                context.stop = STOP
            elif message[KIND] == CANCEL and process.running >= 0:
                number = find_inbound(message[SOURCE], message[CHILD], message[SERIAL], process)
                if number == process.running:
                    replace_if(pointer(process.contexts[0]), 0, 0, LOOK)
        place += message[LENGTH]


def report_nodes(context: Context) -> None:
    """Report the nodes of this process to the first one, if their number is limited."""
    process = context.process[0]
    if process.node_limit == 0:
        return
    nodes = context.leaves + context.interior - process.start_nodes - process.reported
    if nodes < process.report_nodes or not has_room(COUNT + 2, process):
        return
    process.reported += nodes
    if process.number == 0:
        add_nodes(nodes, context)
    elif process.ended == 0:
        message = start_message(COUNT + 1, NODES, np.int64(0), process)
        message[COUNT] = nodes


def add_nodes(count: int, context: Context) -> None:
    """Add nodes of a process to those of all; stop the search at the limit."""
    process = context.process[0]
    process.all_nodes += count
    if process.all_nodes >= process.node_limit:
        context.stop = STOP
