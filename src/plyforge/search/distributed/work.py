"""Work of a process: jobs that are opened, and their moves.

Nobody waits for the value of a move: it comes back as a message, and the parent then goes on.
Every function here is called with room for all messages that it may cause.
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
from plyforge.search.distributed.children import (
    ask_child,
    cancel_children,
    child_kind,
    moves_in_turn,
)
from plyforge.search.distributed.jobs import (
    NONE,
    become_busy,
    busy_entry,
    child_order,
    clear_job,
    find_busy,
    free_job,
    leave_queue,
    path_of,
    queue_job,
    take_child,
    take_job,
    wait_for,
)
from plyforge.search.distributed.messages import (
    ALPHA,
    BETA,
    CHILD,
    DEPTH,
    EXPECTED,
    LENGTH,
    LINE,
    MOVES,
    ORDER,
    PROVEN,
    RESULT,
    SERIAL,
    SOURCE,
    VALUE,
    from_word,
    start_message,
    to_word,
)
from plyforge.search.distributed.method import target_of
from plyforge.search.distributed.nodes import (
    copy_words,
    follow_path,
    keep_job,
    take_place,
)
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
from plyforge.search.kernels.team import LOOK
from plyforge.search.kernels.values import value_above, window_high, window_low

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
    if job.source != process.number:
        # It was stolen, if processes do that.
        process.stealing = process.refusals = process.pause_turns = 0
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
    alone = moves_in_turn(job, process)
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
    child.owner = target_of(played, process)
    child.proven = node.child_proven
    child.kind = child_kind(job.kind, node.tried == 1)
    child.order = child_order(job, node.tried)
    ask_child(place, number, context)
    return False


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


def cut_job(position: Any, number: int, context: Context) -> None:
    """Close an open job whose present move has failed high."""
    process = context.process[0]
    level = process.jobs[number].level
    node = context.nodes[level]
    record_cut(position, level, node, context)
    cancel_children(number, process)
    answer(number, close_node(level, node, context), context)
