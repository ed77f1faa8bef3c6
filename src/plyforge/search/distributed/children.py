"""Children: the moves of an open job that others search, and the messages about them.

Every function here is called with room for all messages that it may cause.
"""

from plyforge.compilation.hooks_api import offset
from plyforge.search.distributed.jobs import free_child, new_serial, path_of
from plyforge.search.distributed.messages import (
    ALPHA,
    BETA,
    CANCEL,
    CHILD,
    DEPTH,
    EXPECTED,
    MOVES,
    ORDER,
    SERIAL,
    WORK,
    start_message,
    to_word,
)
from plyforge.search.distributed.nodes import copy_words
from plyforge.search.distributed.process import Job, Process
from plyforge.search.kernels.context import Context
from plyforge.search.kernels.team import ALL_NODE, CUT_NODE, PV_NODE
from plyforge.search.kernels.values import window_high, window_low


def moves_in_turn(job: Job, process: Process) -> int:
    """How many moves of a job are searched one after the other."""
    return process.brothers if job.kind == CUT_NODE else 1


def child_kind(kind: int, first: bool) -> int:
    """What a child is expected to be, after Knuth and Moore."""
    if kind == PV_NODE and first:
        return PV_NODE
    return ALL_NODE if kind == CUT_NODE else CUT_NODE


def ask_child(place: int, number: int, context: Context) -> None:
    """Ask for a child's value, with the plan of the present move."""
    process = context.process[0]
    job = process.jobs[number]
    node = context.nodes[job.level]
    child = process.children[place]
    child.depth = node.child_depth
    child.low = node.child_low
    child.high = node.child_high
    child.base = node.low
    new_serial(child, process)
    send_work(place, process)


def send_work(place: int, process: Process) -> None:
    """Send a child's position, and how it is to be searched, to its owner."""
    child = process.children[place]
    number = child.job
    job = process.jobs[number]
    flips = child.flips != 0
    message = start_message(MOVES + job.level + 1, WORK, child.owner, process)
    message[CHILD] = place
    message[SERIAL] = child.serial
    message[DEPTH] = child.depth
    message[ALPHA] = to_word(window_low(flips, child.low, child.high))
    message[BETA] = to_word(window_high(flips, child.low, child.high))
    message[EXPECTED] = child.kind
    message[ORDER] = child.order
    copy_words(offset(message, MOVES), path_of(number, process), job.level)
    message[MOVES + job.level] = child.move


def cancel_child(place: int, process: Process) -> None:
    """Tell the owner of a child that its value is not needed."""
    child = process.children[place]
    message = start_message(SERIAL + 1, CANCEL, child.owner, process)
    message[CHILD] = place
    message[SERIAL] = child.serial


def cancel_children(number: int, process: Process) -> None:
    """Cancel everything that an open job has asked for."""
    job = process.jobs[number]
    while job.first_child >= 0:
        place = job.first_child
        cancel_child(place, process)
        free_child(place, process)
