"""What a process does with values, smaller windows and cancellations that arrive as messages.

Every function here is called with room for all messages that it may cause.
"""

from typing import Any

from plyforge.compilation.hooks_api import (
    advance,
    offset,
    play,
)
from plyforge.search.distributed.children import ask_child, cancel_child, cancel_children
from plyforge.search.distributed.jobs import (
    find_inbound,
    free_child,
    free_job,
    leave_queue,
    stop_waiting,
)
from plyforge.search.distributed.messages import (
    CHILD,
    LENGTH,
    LINE,
    NARROW,
    NARROW_ALPHA,
    NARROW_BETA,
    PROVEN,
    SERIAL,
    SOURCE,
    VALUE,
    from_word,
    start_message,
    to_word,
)
from plyforge.search.distributed.nodes import (
    copy_words,
    keep_job,
    load_job,
)
from plyforge.search.distributed.process import OPEN, QUEUED, WAITING, Child, Process
from plyforge.search.distributed.work import answer, cut_job, start_moves
from plyforge.search.kernels.context import Context
from plyforge.search.kernels.node import (
    close_node,
    prepare_child,
    take_value,
)
from plyforge.search.kernels.phases import plan_move, search_again
from plyforge.search.kernels.team import PV_NODE
from plyforge.search.kernels.values import value_above, window_high, window_low

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
