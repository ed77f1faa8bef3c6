"""Transposition-table driven scheduling of alpha-beta (TDSAB): what a process does with messages.

Work goes to the process that owns a position, and nobody waits for it: the value comes back as a
message, and the parent then goes on.  Every function here is called with room for all messages
that it may cause.  See docs/search/distributed.md for the algorithm.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import (
    advance,
    cycles,
    keeps_turn,
    key,
    load_flag,
    offset,
    play,
    pointer,
    replace_if,
)
from plyforge.search.distributed.jobs import (
    NONE,
    become_busy,
    busy_entry,
    child_order,
    clear_job,
    find_busy,
    find_inbound,
    free_child,
    free_job,
    leave_queue,
    new_serial,
    path_of,
    queue_job,
    stop_waiting,
    take_child,
    take_job,
    wait_for,
)
from plyforge.search.distributed.messages import (
    ALPHA,
    BETA,
    CANCEL,
    CHILD,
    DEPTH,
    EXPECTED,
    LENGTH,
    LINE,
    MOVES,
    NARROW,
    NARROW_ALPHA,
    NARROW_BETA,
    ORDER,
    PROVEN,
    RESULT,
    SERIAL,
    SOURCE,
    VALUE,
    WORK,
    from_word,
    start_message,
    to_word,
)
from plyforge.search.distributed.nodes import (
    copy_words,
    follow_path,
    keep_job,
    load_job,
    take_place,
)
from plyforge.search.distributed.process import OPEN, QUEUED, WAITING, Child, Process
from plyforge.search.kernels.alpha_beta import search
from plyforge.search.kernels.context import NO_VALUE, Context
from plyforge.search.kernels.cycles import table_key
from plyforge.search.kernels.node import (
    close_node,
    expand_node,
    open_node,
    prepare_child,
    record_cut,
    take_value,
)
from plyforge.search.kernels.ordering import next_move
from plyforge.search.kernels.phases import plan_move, search_again
from plyforge.search.kernels.table import spread_key
from plyforge.search.kernels.team import ALL_NODE, CUT_NODE, LOOK, PV_NODE
from plyforge.search.kernels.values import value_above, window_high, window_low

_OWNER_SHIFT = np.uint64(8)
_OWNER_MASK = np.uint64(0xFFFFFFFF)


def owner_of(position: Any, process: Process) -> int:
    """The process that owns a position's entry in the table."""
    spread = spread_key(np.uint64(key(position))) >> _OWNER_SHIFT & _OWNER_MASK
    return np.int64(spread % np.uint64(process.size))


# Work


def take_work(root: Any, message: Any, context: Context) -> None:
    """Make a job of work that has arrived; if there is no room for one, search it at once."""
    process = context.process[0]
    number = take_job(process)
    at_once = number < 0
    if at_once:
        number = process.max_jobs
        clear_job(process.jobs[number])
    job = process.jobs[number]
    job.source = message[SOURCE]
    job.child = message[CHILD]
    job.serial = message[SERIAL]
    job.depth = message[DEPTH]
    job.alpha = from_word(message[ALPHA])
    job.beta = from_word(message[BETA])
    job.kind = message[EXPECTED]
    job.order = message[ORDER]
    job.level = message[LENGTH] - MOVES
    copy_words(path_of(number, process), offset(message, MOVES), job.level)
    process.jobs_received += 1
    if at_once:
        search_subtree(follow_path(root, number, context), number, context)
        return
    process.inbound[job.source * process.max_children + job.child] = number
    queue_job(number, process)


def open_job(root: Any, number: int, context: Context) -> None:
    """Open the node of a queued job: answer at once, search its subtree, or start its moves."""
    process = context.process[0]
    job = process.jobs[number]
    leave_queue(number, process)
    position = follow_path(root, number, context)
    process.loaded = NONE
    shallow = job.depth < process.split_depth
    if shallow or process.free_place_count == 0 or process.free_child_count == 0:
        search_subtree(position, number, context)
        return
    node = context.nodes[job.level]
    entry = NONE
    if process.merges != 0 and job.level > 0:
        position_key = np.uint64(key(position))
        mixed = table_key(position_key, node.path_hash, node.reversible_plies, job.depth, context)
        job.key = np.uint64(mixed).view(np.int64)
        entry = busy_entry(mixed, job.depth, process)
        other = find_busy(entry, job, process)
        if other >= 0:
            wait_for(number, other, process)
            process.merged += 1
            return
    node.moves_start = 0
    value = open_node(position, job.level, job.depth, job.alpha, job.beta, node, context)
    if value == NO_VALUE:
        value = expand_node(position, job.level, node, context)
    if load_flag(context) != 0:
        queue_job(number, process)  # the search is about to end
        return
    if value != NO_VALUE:
        answer(number, value, context)
        return
    process.jobs_opened += 1
    take_place(number, job, process)
    if entry >= 0:
        become_busy(number, entry, process)
    start_moves(position, number, context)
    keep_job(number, context)


def search_subtree(position: Any, number: int, context: Context) -> None:
    """Search a job by recursion, and answer."""
    process = context.process[0]
    job = process.jobs[number]
    process.loaded = NONE
    process.running = number
    process.subtrees += 1
    process.subtree_start = cycles()
    process.subtree_nodes = context.leaves + context.interior
    context.nodes[job.level].moves_start = 0
    value = search(position, job.level, job.depth, job.alpha, job.beta, context)
    process.running = NONE
    if load_flag(context) == 0:
        answer(number, value, context)
        return
    process.aborts += 1
    process.aborted_nodes += context.leaves + context.interior - process.subtree_nodes
    process.aborted_cycles += cycles() - process.subtree_start
    replace_if(pointer(process.contexts[0]), 0, LOOK, 0)
    if number < process.max_jobs:
        queue_job(number, process)  # the message that cancels it comes next


def answer(number: int, value: float, context: Context) -> None:
    """Send the value of a job, whose node is in the context, to the one who asked; free the job."""
    process = context.process[0]
    job = process.jobs[number]
    node = context.nodes[job.level]
    if job.source < 0:
        process.value = value
        process.finished = 1
    else:
        message = start_message(LINE + node.line_length, RESULT, job.source, process)
        message[CHILD] = job.child
        message[SERIAL] = job.serial
        message[VALUE] = to_word(value)
        message[PROVEN] = node.proven
        line = offset(context.variation, job.level * context.levels)
        copy_words(offset(message, LINE), line, node.line_length)
    if number < process.max_jobs:
        free_job(number, process)


# Moves


def start_moves(position: Any, number: int, context: Context) -> None:
    """Start the moves of an open job that may be searched now; close it if none is left.

    The first move is searched before the others (young brothers wait), and where a cut is expected
    a few more; then all at once.
    """
    process = context.process[0]
    job = process.jobs[number]
    node = context.nodes[job.level]
    alone = process.brothers if job.kind == CUT_NODE else 1
    while True:
        if job.children > 0 and (
            node.tried - node.skipped <= alone or process.free_child_count == 0
        ):
            return
        if not next_move(node, context):
            break
        if start_move(position, number, context):
            cut_job(position, number, context)
            return
        if load_flag(context) != 0:
            return  # a value may be missing, and the search is about to end
    if job.children == 0:
        answer(number, close_node(job.level, node, context), context)


def start_move(position: Any, number: int, context: Context) -> bool:
    """Plan the present move, and ask its owner; return whether it was searched here and cuts."""
    process = context.process[0]
    job = process.jobs[number]
    level = job.level
    node = context.nodes[level]
    played = play(position, node.move)
    advance(context.states, level, position, node.move, played, context.weights)
    flips = not keeps_turn(position, played)
    prepare_child(position, flips, node, context.nodes[level + 1], context)
    if not plan_move(position, played, level, node, context):
        node.skipped += 1
        return False
    place = take_child(number, process)
    if place < 0:
        return search_move(played, flips, number, context)
    child = process.children[place]
    child.move = node.move
    child.move_index = node.move_index
    child.tried = node.tried
    child.flips = 1 if flips else 0
    child.owner = owner_of(played, process)
    child.proven = node.child_proven
    child.kind = child_kind(job.kind, node.tried == 1)
    child.order = child_order(job, node.tried)
    ask_child(place, number, context)
    return False


def child_kind(kind: int, first: bool) -> int:
    """What a child is expected to be, after Knuth and Moore."""
    if kind == PV_NODE and first:
        return PV_NODE
    return ALL_NODE if kind == CUT_NODE else CUT_NODE


def search_move(played: Any, flips: bool, number: int, context: Context) -> bool:
    """Search the present move by recursion, for want of a child; return whether it cuts."""
    process = context.process[0]
    level = process.jobs[number].level
    node = context.nodes[level]
    again, value = True, 0.0
    while again:
        low, high = node.child_low, node.child_high
        value = search(
            played,
            level + 1,
            node.child_depth,
            window_low(flips, low, high),
            window_high(flips, low, high),
            context,
        )
        value = value_above(flips, value)
        if load_flag(context) != 0:
            return False
        node.child_proven &= context.nodes[level + 1].proven
        again = search_again(value, flips, level, node, context)
    return take_value(value, level, node, context)


def ask_child(place: int, number: int, context: Context) -> None:
    """Send a child's position, with the plan of the present move, to its owner."""
    process = context.process[0]
    job = process.jobs[number]
    node = context.nodes[job.level]
    child = process.children[place]
    child.depth = node.child_depth
    child.low = node.child_low
    child.high = node.child_high
    child.base = node.low
    new_serial(child, process)
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


def cut_job(position: Any, number: int, context: Context) -> None:
    """Close an open job whose present move has failed high."""
    process = context.process[0]
    level = process.jobs[number].level
    node = context.nodes[level]
    record_cut(position, level, node, context)
    cancel_children(number, process)
    answer(number, close_node(level, node, context), context)


# Values


def take_result(root: Any, message: Any, context: Context) -> None:
    """Take the value of a child: search it again, cut, narrow the others, or start more."""
    process = context.process[0]
    place = message[CHILD]
    child = process.children[place]
    number = child.job
    if number < 0 or child.serial != message[SERIAL]:
        return  # nobody waits for it any more
    position = load_job(root, number, context)
    job = process.jobs[number]
    level = job.level
    node, child_node = context.nodes[level], context.nodes[level + 1]
    flips = child.flips != 0
    value = value_above(flips, from_word(message[VALUE]))
    child.proven &= message[PROVEN]
    restore_plan(child, number, context)
    child_node.proven = message[PROVEN]
    child_node.line_length = message[LENGTH] - LINE
    line = offset(context.variation, (level + 1) * context.levels)
    copy_words(line, offset(message, LINE), child_node.line_length)
    low = node.low
    # The move was tested against the window of that time.
    node.low = child.base
    again = search_again(value, flips, level, node, context)
    node.low = low
    if again:
        node.child_low = max(node.child_low, low)
        child.kind = PV_NODE
        ask_child(place, number, context)
    else:
        free_child(place, process)
        if take_value(value, level, node, context):
            node.tried = child.tried  # histories learn that the moves before this one did not cut
            cut_job(position, number, context)
            return
        if node.low > low:
            narrow_children(position, number, context)
        start_moves(position, number, context)
    keep_job(number, context)


def restore_plan(child: Child, number: int, context: Context) -> None:
    """Make a child's move the present one of its parent."""
    node = context.nodes[context.process[0].jobs[number].level]
    node.move = child.move
    node.move_index = child.move_index
    node.child_depth = child.depth
    node.child_low = child.low
    node.child_high = child.high
    node.child_proven = child.proven


# Windows and cancellation


def narrow_children(position: Any, number: int, context: Context) -> None:
    """Tell the children of an open job that its window is smaller now."""
    process = context.process[0]
    job = process.jobs[number]
    node = context.nodes[job.level]
    place = job.first_child
    while place >= 0:
        child = process.children[place]
        following = child.next
        low, high = max(child.low, node.low), min(child.high, node.high)
        if not low < high:
            ask_anew(position, place, number, context)
        elif low != child.low or high != child.high:
            child.low = low
            child.high = high
            flips = child.flips != 0
            message = start_message(NARROW_BETA + 1, NARROW, child.owner, process)
            message[CHILD] = place
            message[SERIAL] = child.serial
            message[NARROW_ALPHA] = to_word(window_low(flips, low, high))
            message[NARROW_BETA] = to_word(window_high(flips, low, high))
            process.narrowed += 1
        place = following


def ask_anew(position: Any, place: int, number: int, context: Context) -> None:
    """Replace a test against a bound that has risen by a test against the new one."""
    process = context.process[0]
    level = process.jobs[number].level
    node = context.nodes[level]
    child = process.children[place]
    restore_plan(child, number, context)
    played = play(position, child.move)
    advance(context.states, level, position, child.move, played, context.weights)
    prepare_child(position, child.flips != 0, node, context.nodes[level + 1], context)
    cancel_child(place, process)
    if plan_move(position, played, level, node, context):
        ask_child(place, number, context)
    else:
        node.skipped += 1
        free_child(place, process)


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


def take_cancel(message: Any, process: Process) -> None:
    """Give up a job, and what it has asked for."""
    number = find_inbound(message[SOURCE], message[CHILD], message[SERIAL], process)
    if number < 0:
        return
    job = process.jobs[number]
    process.cancelled += 1
    if job.state == QUEUED:
        leave_queue(number, process)
    elif job.state == WAITING:
        stop_waiting(number, process)
    else:
        cancel_children(number, process)
    free_job(number, process)


def take_narrow(root: Any, message: Any, context: Context) -> None:
    """Take a smaller window; if the best value so far is outside of it, the job is done."""
    process = context.process[0]
    number = find_inbound(message[SOURCE], message[CHILD], message[SERIAL], process)
    if number < 0:
        return
    job = process.jobs[number]
    alpha = max(job.alpha, from_word(message[NARROW_ALPHA]))
    beta = min(job.beta, from_word(message[NARROW_BETA]))
    job.alpha = alpha
    job.beta = beta
    if job.state != OPEN:
        return
    position = load_job(root, number, context)
    node = context.nodes[job.level]
    if node.best >= beta:
        node.beta = node.high = beta
        node.line_length = 0
        cancel_children(number, process)
        answer(number, close_node(job.level, node, context), context)
        return
    if not max(node.low, alpha) < min(node.high, beta):
        return  # the table's bounds are better than the window, whose old form serves, too
    node.alpha = max(node.alpha, alpha)
    node.beta = min(node.beta, beta)
    node.low = max(node.low, alpha)
    node.high = min(node.high, beta)
    narrow_children(position, number, context)
    start_moves(position, number, context)
    keep_job(number, context)
