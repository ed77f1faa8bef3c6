"""A worker of a parallel search: nodes near the root without recursion.

A worker takes turns.  In a turn it follows its frames, one phase at a time, until it has searched
one subtree by `alpha_beta.search`, or several; it takes the value at the start of its next turn.
Threads take their turns as they like.  In one thread, the turns follow a schedule (`turns`), and in
the simulation a virtual clock (`simulation`): all three run the same code.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import (
    advance,
    atomic_add,
    atomic_load,
    atomic_store,
    copy_state,
    cycles,
    keeps_turn,
    load_flag,
    pause,
    play,
    pointer,
    replace_if,
    yield_processor,
)
from plyforge.search.kernels.alpha_beta import search
from plyforge.search.kernels.context import ASK, NO_VALUE, Context, Node
from plyforge.search.kernels.frames import child_of, frame_at, replay, start_at_root
from plyforge.search.kernels.node import (
    close_node,
    expand_node,
    may_be_cut,
    open_node,
    prepare_asked,
    prepare_child,
    record_cut,
    take_value,
)
from plyforge.search.kernels.ordering import next_move
from plyforge.search.kernels.phases import (
    after_search,
    before_moves,
    early_steps,
    plan_move,
    search_again,
)
from plyforge.search.kernels.splits import (
    QUEUE,
    become_busy,
    become_idle,
    close_split,
    drop_subtree,
    find_work,
    leave_cut_splits,
    leave_split,
    next_shared_move,
    offer_split,
    shared_low,
    skip_shared_move,
    split_level,
    take_shared_value,
)
from plyforge.search.kernels.team import (
    ALL_NODE,
    CUT,
    CUT_NODE,
    DONE,
    EARLY,
    EXPAND,
    FINISHED,
    IDLE,
    IDLE_WORKERS,
    LOOK,
    MOVES,
    NO_NODE_LIMIT,
    NODES,
    OFFERS,
    OPEN,
    PV_NODE,
    RETURNED,
    SEARCHED,
    STOP,
    WAITING,
    Frame,
    Team,
    Worker,
)
from plyforge.search.kernels.values import value_above, window_high, window_low
from plyforge.search.parallel.abdada import (
    defers_move,
    finish_move,
    next_deferred_move,
    start_move,
)
from plyforge.search.parallel.aphid import (
    ANSWERED,
    UNKNOWN,
    find_leaf_to_search,
    return_leaf,
    take_guess,
    visit_leaf,
)
from plyforge.search.parallel.policies import ABDADA, APHID, ROOT_SPLIT, may_split

_SUBTREES = np.int64(1000)
"""Subtrees that a thread searches in a turn."""
_SPINS = 200
"""How often a worker without work looks for some before it lets another thread run."""


def start_worker(root: Any, context: Context) -> None:
    """Give the root to the first worker, or in `abdada` to all; the others look for work."""
    team = context.team[0]
    worker = team.workers[context.worker]
    # A call for a split of the last search may have been left.
    replace_if(pointer(team.contexts[context.worker]), 0, LOOK, 0)
    worker.level = worker.base = worker.split = -1
    worker.searched = worker.idle = worker.nodes = worker.uncertain = 0
    worker.request = -1
    for level in range(team.levels):
        frame_at(level, context).split = -1
    if context.worker > 0 and team.method != ABDADA:
        return
    start_at_root(root, worker, context)


def take_turn(root: Any, subtrees: int, context: Context) -> int:
    """Go on until so many subtrees were searched; return `SEARCHED`, `IDLE` or `DONE`.

    The value of the last one is taken in the next turn.
    """
    team = context.team[0]
    worker = team.workers[context.worker]
    before = context.leaves + context.interior
    # The position at some level of the path, and that level; -1 if the path has changed.
    position, place = root, np.int64(0)
    state = IDLE
    while True:
        if is_over(worker, context):
            state = DONE
            break
        if worker.split >= 0:
            leave_cut_splits(worker, context)
        if worker.level < 0:
            if not look_for_work(root, worker, context):
                become_idle(worker, team)
                break
            become_busy(worker, team)
            place = np.int64(-1)
        if worker.searched != 0:
            worker.searched = 0
            return_value(worker.value, worker, context)
            continue
        state = SEARCHED
        offer_moves(worker, context)
        level = worker.level
        frame = frame_at(level, context)
        if frame.phase == WAITING:
            if end_split(root, frame, worker, context):
                become_busy(worker, team)
                continue
            if find_work(root, worker, context):
                become_busy(worker, team)
                place = np.int64(-1)
                continue
            become_idle(worker, team)
            state = IDLE
            break
        if frame.phase == OPEN and frame.depth < team.split_depth:
            # The position of the parent is kept for its next child.
            parent = max(level - 1, 0)
            if place != parent:
                position, place = replay(root, parent, context), parent
            child = position if level == 0 else child_of(position, parent, context)
            if is_leaf_of_master(worker, team) and answer_leaf(child, frame, worker, context):
                continue
            search_subtree(child, frame, worker, context)
            subtrees -= 1
            if subtrees == 0:
                break
            continue
        if place >= 0 and place == level - 1:
            position, place = child_of(position, place, context), level
        elif place != level:
            position, place = replay(root, level, context), level
        start = cycles()
        follow_frame(position, frame, worker, context)
        worker.near_root_cycles += cycles() - start
    worker.nodes = context.leaves + context.interior - before
    worker.total_nodes += worker.nodes
    return state


def is_over(worker: Worker, context: Context) -> bool:
    """Whether the search has ended; also see whether other workers have called this one."""
    team = context.team[0]
    flag = load_flag(context)
    if flag == LOOK:
        # A value that was found meanwhile may be wrong: the subtree is searched again.
        drop_subtree(worker, context)
        replace_if(pointer(team.contexts[context.worker]), 0, LOOK, 0)
    if flag == STOP:
        atomic_store(team.words, FINISHED, 1)
    return atomic_load(team.words, FINISHED) != 0


def look_for_work(root: Any, worker: Worker, context: Context) -> bool:
    """Find work for a worker that has none; return whether there is any."""
    if context.team[0].method == APHID:
        return find_leaf_to_search(root, worker, context)
    return find_work(root, worker, context)


def is_leaf_of_master(worker: Worker, team: Team) -> bool:
    """Whether somebody else should search the present node; not if there is nobody else."""
    return team.method == APHID and worker.level > 0 and worker.request < 0 and team.size > 1


def answer_leaf(position: Any, frame: Frame, worker: Worker, context: Context) -> bool:
    """Return what is known about a leaf of the master, or a guess; False if it must be searched."""
    state = visit_leaf(frame, worker, context)
    if state == UNKNOWN:
        value = search_node(position, worker.level, np.int64(0), -np.inf, np.inf, context)
        if load_flag(context) != 0:
            return True
        take_guess(value, frame, worker, context)
        state = visit_leaf(frame, worker, context)
    if state != ANSWERED:
        return False
    return_value(worker.value, worker, context)
    return True


def search_subtree(position: Any, frame: Frame, worker: Worker, context: Context) -> None:
    """Search the present node by recursion."""
    worker.subtree_start = cycles()
    worker.subtree_nodes = context.leaves + context.interior
    worker.value = search_node(
        position, worker.level, frame.depth, frame.alpha, frame.beta, context
    )
    worker.searched = 1
    worker.uncertain = 0


def search_node(
    position: Any, level: int, depth: int, alpha: float, beta: float, context: Context
) -> float:
    """Search a node by recursion, within what is left of the limit of nodes."""
    team = context.team[0]
    worker = team.workers[context.worker]
    before, start = context.leaves + context.interior, cycles()
    is_limited = team.node_limit < NO_NODE_LIMIT
    context.budget = team.node_limit
    if is_limited:
        context.budget -= atomic_load(team.words, NODES)
    value = search(position, level, depth, alpha, beta, context)
    visited = context.leaves + context.interior - before
    if is_limited:
        atomic_add(team.words, NODES, visited)
    worker.recursion_nodes += visited
    worker.recursion_cycles += cycles() - start
    return value


def return_value(value: float, worker: Worker, context: Context) -> None:
    """Return the value of the present node to its parent, or as the result."""
    team = context.team[0]
    if worker.request >= 0:
        return_leaf(value, worker, context)
    elif worker.level > 0:
        worker.value = value
        worker.level -= 1
        frame_at(worker.level, context).phase = RETURNED
    elif worker.uncertain != 0:
        worker.uncertain = 0
        worker.level = worker.base = -1  # another pass, once there are results
    elif replace_if(team.words, FINISHED, 0, 1):
        team.value = value
        team.finisher = context.worker
        if team.method == APHID:
            call_others(context)


def call_others(context: Context) -> None:
    """Let workers return from searches that are not needed any more; they see that it is over."""
    team = context.team[0]
    for number in range(team.size):
        if number != context.worker:
            replace_if(pointer(team.contexts[number]), 0, 0, LOOK)


def offer_moves(worker: Worker, context: Context) -> None:
    """Offer the moves of a node to others, if any of them has nothing to do."""
    team = context.team[0]
    if team.method >= ABDADA or not is_help_wanted(worker, team):
        return
    # Nodes close to the root first: they have most work.
    for level in range(max(worker.base, split_level(worker, team) + 1), worker.level + 1):
        frame = frame_at(level, context)
        node = context.nodes[level]
        if frame.phase == WAITING or frame.phase <= EXPAND or frame.asked != 0 or frame.split >= 0:
            continue
        if level == worker.level and frame.phase != MOVES:
            continue
        # The present move of an outer node is not finished.
        finished = node.tried if level == worker.level else node.tried - 1
        if node.tried >= node.move_count:
            continue
        if finished == 0 and team.method != ROOT_SPLIT:
            continue
        if may_split(level, finished, node, frame, context):
            offer_split(level, worker, context)
            return


def is_help_wanted(worker: Worker, team: Team) -> bool:
    """Whether a new split would find workers."""
    if team.choice == QUEUE:
        return True
    if atomic_load(team.words, IDLE_WORKERS) > atomic_load(team.words, OFFERS):
        return True
    return worker.split >= 0 and team.splits[worker.split].waits != 0


def end_split(root: Any, frame: Frame, worker: Worker, context: Context) -> bool:
    """Close the present node if the other workers have left it; return whether they have."""
    level = worker.level
    node = context.nodes[level]
    state = close_split(level, frame, node, worker, context)
    if state < 0:
        return False
    if state == CUT:
        record_cut(replay(root, level, context), level, node, context)
    # An abandoned split is left at the next step, whatever the value.
    return_value(close_node(level, node, context), worker, context)
    return True


def follow_frame(position: Any, frame: Frame, worker: Worker, context: Context) -> None:
    """Carry out one phase of the present node."""
    level = worker.level
    node = context.nodes[level]
    if frame.phase == OPEN:
        open_frame(position, level, frame, node, worker, context)
    elif frame.phase == EARLY:
        try_early_step(position, level, frame, node, worker, context)
    elif frame.phase == EXPAND:
        value = expand_node(position, level, node, context)
        frame.phase = MOVES
        frame.deferred = frame.resumed = 0
        if value != NO_VALUE:
            return_value(value, worker, context)
    elif frame.phase == MOVES:
        start_next_move(position, level, frame, node, worker, context)
    elif frame.asked != 0:
        frame.asked = 0
        frame.uncertain |= worker.uncertain
        worker.uncertain = 0
        value = value_above(frame.flips != 0, worker.value)
        value = after_search(frame.step, value, position, level, node, context)
        take_early_value(value, position, level, frame, node, worker, context)
    else:
        take_child_value(position, level, frame, node, worker, context)


def open_frame(
    position: Any, level: int, frame: Frame, node: Node, worker: Worker, context: Context
) -> None:
    value = open_node(position, level, frame.depth, frame.alpha, frame.beta, node, context)
    if load_flag(context) != 0:
        return  # the value may be none, and the node is opened again if the search goes on
    frame.asked = 0
    if value != NO_VALUE:
        return_value(value, worker, context)
        return
    frame.step = 0
    frame.phase = EARLY if may_be_cut(node) and early_steps() > 0 else EXPAND


def try_early_step(
    position: Any, level: int, frame: Frame, node: Node, worker: Worker, context: Context
) -> None:
    value = before_moves(frame.step, position, level, node, context)
    take_early_value(value, position, level, frame, node, worker, context)


def take_early_value(
    value: float,
    position: Any,
    level: int,
    frame: Frame,
    node: Node,
    worker: Worker,
    context: Context,
) -> None:
    """Do what an early step says: search, end the node, or go on to the next step."""
    if value == ASK:
        start_asked_search(position, level, frame, node, worker, context)
    elif value != NO_VALUE:
        worker.uncertain = frame.uncertain
        return_value(value, worker, context)
    else:
        frame.step += 1
        frame.phase = EARLY if frame.step < early_steps() else EXPAND


def start_asked_search(
    position: Any, level: int, frame: Frame, node: Node, worker: Worker, context: Context
) -> None:
    flips = False
    if node.asked_move >= 0:
        child = play(position, node.asked_move)
        flips = not keeps_turn(position, child)
        advance(context.states, level, position, node.asked_move, child, context.weights)
    else:
        copy_state(context.states, level)
    prepare_asked(flips, node, context.nodes[level + 1], context)
    frame.asked = 1
    start_child(
        flips, node.asked_depth, node.asked_low, node.asked_high, level, frame, worker, context
    )


def start_next_move(
    position: Any, level: int, frame: Frame, node: Node, worker: Worker, context: Context
) -> None:
    """Start the search of the next move, or end the node if there is none."""
    team = context.team[0]
    if frame.split >= 0:
        if not next_shared_move(frame, node, worker, context):
            if frame.joined != 0:
                leave_split(worker, context)
            else:
                frame.phase = WAITING
            return
    elif not next_move(node, context) and not next_deferred_move(level, frame, node, context):
        return_value(close_frame(level, frame, node, worker, context), worker, context)
        return
    if team.method == ABDADA and defers_move(level, frame, node, worker, context):
        return
    frame.move_uncertain = 0
    child = play(position, node.move)
    advance(context.states, level, position, node.move, child, context.weights)
    flips = not keeps_turn(position, child)
    prepare_child(position, flips, node, context.nodes[level + 1], context)
    if not plan_move(position, child, level, node, context):
        if frame.split >= 0:
            skip_shared_move(frame, node, worker, context)
        else:
            node.skipped += 1
        return
    if team.method == ABDADA:
        start_move(frame, node, context)
    start_child(
        flips, node.child_depth, node.child_low, node.child_high, level, frame, worker, context
    )


def start_child(
    flips: bool,
    depth: int,
    low: float,
    high: float,
    level: int,
    frame: Frame,
    worker: Worker,
    context: Context,
) -> None:
    """Make the child the present node; its window is given from the parent's perspective."""
    node = context.nodes[level]
    child = frame_at(level + 1, context)
    frame.flips = 1 if flips else 0
    child.phase = OPEN
    child.depth = depth
    child.alpha = window_low(flips, low, high)
    child.beta = window_high(flips, low, high)
    child.split = -1
    child.asked = child.uncertain = 0
    first = frame.asked == 0 and node.tried == 1
    child.leftmost = 1 if first and frame.leftmost != 0 else 0
    if frame.kind == PV_NODE:
        child.kind = PV_NODE if first else CUT_NODE
    else:
        child.kind = ALL_NODE if frame.kind == CUT_NODE else CUT_NODE
    worker.level = level + 1


def take_child_value(
    position: Any, level: int, frame: Frame, node: Node, worker: Worker, context: Context
) -> None:
    """Take the value of a move: search it again, cut, or go on with the next one."""
    flips = frame.flips != 0
    value = value_above(flips, worker.value)
    # Also if it is searched again: the new window begins at this value.
    frame.move_uncertain |= worker.uncertain
    worker.uncertain = 0
    node.child_proven &= context.nodes[level + 1].proven
    if search_again(value, flips, level, node, context):
        if frame.split >= 0:
            # Never above the upper end: the split would have been cut.
            node.child_low = max(node.child_low, shared_low(frame, worker, context))
        start_child(
            flips, node.child_depth, node.child_low, node.child_high, level, frame, worker, context
        )
        return
    if context.team[0].method == ABDADA:
        finish_move(frame, node, context)
    frame.phase = MOVES
    frame.uncertain |= frame.move_uncertain
    if frame.split >= 0:
        take_shared_value(value, level, frame, node, worker, context)
    elif take_value(value, level, node, context):
        frame.uncertain = frame.move_uncertain  # the bound depends on this move alone
        record_cut(position, level, node, context)
        return_value(close_frame(level, frame, node, worker, context), worker, context)


def close_frame(level: int, frame: Frame, node: Node, worker: Worker, context: Context) -> float:
    """Close a node; one whose value depends on a guess is not stored."""
    worker.uncertain = frame.uncertain
    if frame.uncertain == 0:
        return close_node(level, node, context)
    return node.alpha if node.skipped == node.move_count else node.best


def run_thread(root: Any, context: Context) -> None:
    """Take turns until the search ends: what each thread does."""
    team = context.team[0]
    worker = team.workers[context.worker]
    worker.start_cycles = cycles()
    start_worker(root, context)
    state, idle_turns = SEARCHED, 0
    while state != DONE:
        start = cycles()
        state = take_turn(root, _SUBTREES, context)
        if state != IDLE:
            idle_turns = 0
            continue
        if worker.nodes > 0:
            start = cycles()  # it has searched in this turn before it had nothing to do
        idle_turns += 1
        if idle_turns % _SPINS == 0:
            yield_processor()
        else:
            pause()
        worker.waiting_cycles += cycles() - start
    worker.end_cycles = cycles()
