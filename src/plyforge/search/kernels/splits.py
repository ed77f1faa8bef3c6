"""Splits: nodes whose untried moves several workers search.

A worker that has time joins a split: it copies the path from the owner, and plays the moves again
to get the position.  All workers of a split take moves from the owner's list, and return values to
one shared node.  A worker whose move fails high marks the split and everything below it as cut;
each worker looks at its innermost split between two subtrees, and `LOOK` makes it return from one.

The owner closes the node once the others have left.  While it waits it may join splits within the
subtree of its own, and no others, so that it is never kept away for long (the helpful master).
"""

from typing import Any

from plyforge.compilation.hooks_api import (
    atomic_add,
    atomic_load,
    atomic_store,
    context_at,
    copy_record,
    cycles,
    offset,
    pointer,
    replace_if,
)
from plyforge.search.kernels.context import Context, Node
from plyforge.search.kernels.frames import frame_at, rebuild_states
from plyforge.search.kernels.locks import lock, unlock
from plyforge.search.kernels.node import take_value
from plyforge.search.kernels.ordering import next_move
from plyforge.search.kernels.split_tree import (
    add_child,
    next_within,
    remove_child,
    set_innermost,
)
from plyforge.search.kernels.team import (
    ABANDONED,
    CUT,
    FIRST_CUT,
    IDLE_WORKERS,
    LOOK,
    MOVES,
    NOT_CUT,
    OFFERS,
    WAITING,
    Frame,
    Team,
    Worker,
)

# How a worker chooses among splits; the values of `Team.choice`.
MOST_WORK = 0
QUEUE = 1


# Offers


def cut_state(split: int, team: Team) -> int:
    return atomic_load(team.words, FIRST_CUT + split)


def has_moves(split: int, team: Team) -> bool:
    """Whether a split has moves that nobody has started, and that are still of use."""
    shared = team.shared_nodes[split]
    return cut_state(split, team) == NOT_CUT and shared.tried < shared.move_count


def split_level(worker: Worker, team: Team) -> int:
    """The level of the innermost split in which a worker takes part, or -1."""
    return -1 if worker.split < 0 else team.splits[worker.split].level


def offer_split(level: int, worker: Worker, context: Context) -> None:
    """Let other workers search moves of a node of this worker."""
    team = context.team[0]
    start = cycles()
    lock(worker, team)
    if team.open_count < team.max_splits:
        place = team.open_count
        number = team.open_splits[place]
        team.open_count = place + 1
        split = team.splits[number]
        split.owner = context.worker
        split.level = level
        add_child(number, worker.split, team)
        split.workers = 1
        split.waits = 0
        split.number = team.split_number
        split.place = place
        team.split_number += 1
        copy_record(team.shared_nodes[number], context.nodes[level])
        atomic_store(team.words, FIRST_CUT + number, NOT_CUT)
        add_offer(number, team)
        frame = frame_at(level, context)
        frame.split = number
        frame.joined = 0
        wake_owners(worker.split, team)
        set_innermost(number, worker, context)
        worker.splits += 1
    unlock(team)
    worker.splitting_cycles += cycles() - start


def add_offer(number: int, team: Team) -> None:
    """Let workers find a split that has moves; the lock is held."""
    place = atomic_load(team.words, OFFERS)
    team.offered_splits[place] = number
    team.splits[number].offer_place = place
    atomic_add(team.words, OFFERS, 1)


def remove_offer(number: int, team: Team) -> None:
    """Note that a split has no moves any more that are worth starting; the lock is held."""
    last = atomic_load(team.words, OFFERS) - 1
    place, moved = team.splits[number].offer_place, team.offered_splits[last]
    team.offered_splits[place] = moved
    team.splits[moved].offer_place = place
    atomic_add(team.words, OFFERS, -1)


def free_split(number: int, team: Team) -> None:
    """Make a split that nobody takes part in available again; the lock is held."""
    remove_child(number, team)
    last = team.open_count - 1
    place, moved = team.splits[number].place, team.open_splits[last]
    team.open_splits[place] = moved
    team.splits[moved].place = place
    team.open_splits[last] = number
    team.open_count = last


# Joining


def choose_split(worker: Worker, team: Team) -> int:
    """The split that a worker without work should join, or -1; the lock is held."""
    best = -1
    if worker.level >= 0:
        number = worker.split
        while number >= 0:
            if has_moves(number, team) and (best < 0 or is_preferred(number, best, team)):
                best = number
            number = next_within(number, worker.split, team)
        return best
    for place in range(atomic_load(team.words, OFFERS)):
        number = team.offered_splits[place]
        if best < 0 or is_preferred(number, best, team):
            best = number
    return best


def is_preferred(number: int, other: int, team: Team) -> bool:
    """Whether one split should be joined rather than another."""
    if team.choice == QUEUE:
        return team.splits[number].number < team.splits[other].number
    mine, theirs = team.shared_nodes[number], team.shared_nodes[other]
    if mine.depth != theirs.depth:
        return mine.depth > theirs.depth
    left, theirs_left = mine.move_count - mine.tried, theirs.move_count - theirs.tried
    if left != theirs_left:
        return left > theirs_left
    return team.splits[number].number < team.splits[other].number


def find_work(root: Any, worker: Worker, context: Context) -> bool:
    """Join a split, if there is one; a worker that waits at its own stays in its subtree."""
    team = context.team[0]
    if atomic_load(team.words, OFFERS) <= 0:
        return False
    start = cycles()
    lock(worker, team)
    number = choose_split(worker, team)
    if number >= 0:
        join_split(number, worker, context)
    unlock(team)
    if number >= 0:
        rebuild_states(root, worker.level, context)
        worker.joins += 1
        worker.joining_cycles += cycles() - start
    return number >= 0


def join_split(number: int, worker: Worker, context: Context) -> None:
    """Copy the path to a split from its owner, and take part; the lock is held."""
    team = context.team[0]
    split = team.splits[number]
    owner = context_at(team.contexts[split.owner])
    level = split.level
    for above in range(max(worker.level, 0), level):
        copy_record(context.nodes[above], owner.nodes[above])
    for above in range(worker.level + 1, level):
        frame_at(above, context).asked = team.frames[split.owner * team.levels + above].asked
        frame_at(above, context).split = -1
    node = context.nodes[level]
    copy_record(node, team.shared_nodes[number])
    context.nodes[level + 1].moves_start = node.moves_start + node.move_count
    path, theirs = context.path, owner.path
    for place in range(context.plies_before_root, context.plies_before_root + node.ply + 1):
        path[place] = theirs[place]
    frame = frame_at(level, context)
    copy_record(frame, team.frames[split.owner * team.levels + level])
    frame.phase = MOVES
    frame.asked = 0
    frame.split = number
    frame.joined = 1
    frame.back = worker.level
    frame.back_base = worker.base
    split.workers += 1
    worker.level = level
    worker.base = level
    set_innermost(number, worker, context)


# Leaving


def leave_split(worker: Worker, context: Context) -> None:
    """Leave the innermost split, and go back to what was done before."""
    team = context.team[0]
    number = worker.split
    lock(worker, team)
    split = team.splits[number]
    frame = frame_at(split.level, context)
    split.workers -= 1
    frame.split = -1
    if frame.joined != 0:
        worker.level = frame.back
        worker.base = frame.back_base
        outer = -1 if frame.back < 0 else frame_at(frame.back, context).split
    else:
        split.waits = 0
        worker.level = split.level
        outer = outer_split(split.level, worker, context)
    set_innermost(outer, worker, context)
    if split.workers == 0:
        free_split(number, team)
    elif split.waits != 0 and split.workers == 1:
        wake_owner(split.owner, team)
    # Whatever the flag was set for is over.
    replace_if(pointer(team.contexts[context.worker]), 0, LOOK, 0)
    unlock(team)


def outer_split(level: int, worker: Worker, context: Context) -> int:
    """The split of this worker that is next above a level, or -1."""
    while level > worker.base:
        level -= 1
        number = frame_at(level, context).split
        if number >= 0:
            return number
    return -1


def leave_cut_splits(worker: Worker, context: Context) -> None:
    """Leave the splits that were cut, up to one of the worker's own, whose node it closes."""
    team = context.team[0]
    while worker.split >= 0:
        state = cut_state(worker.split, team)
        if state == NOT_CUT:
            return
        level = team.splits[worker.split].level
        frame = frame_at(level, context)
        own = frame.joined == 0 and state == CUT
        if own and worker.level == level and frame.phase == WAITING:
            return
        drop_subtree(worker, context)
        if own:
            worker.level = level
            frame.phase = WAITING
            return
        leave_split(worker, context)


def drop_subtree(worker: Worker, context: Context) -> None:
    """Forget the value of the subtree that was searched last, if it is still to be taken."""
    if worker.searched != 0:
        worker.searched = 0
        worker.aborts += 1
        worker.aborted_nodes += context.leaves + context.interior - worker.subtree_nodes
        worker.aborted_cycles += cycles() - worker.subtree_start


def cut_split(number: int, context: Context) -> None:
    """Mark a split as cut and those below it as useless, and call their workers; the lock is held.

    The worker itself is not called.
    """
    team = context.team[0]
    other = number
    while other >= 0:
        if has_moves(other, team):
            remove_offer(other, team)
        atomic_store(team.words, FIRST_CUT + other, CUT if other == number else ABANDONED)
        member = team.splits[other].first_member
        while member >= 0:
            if member != context.worker:
                call_worker(member, team)
            member = team.workers[member].next_member
        other = next_within(other, number, team)


def call_worker(number: int, team: Team) -> None:
    """Let a worker look whether its split was cut."""
    if replace_if(pointer(team.contexts[number]), 0, 0, LOOK) and team.simulated != 0:
        team.called_list[team.called_count] = number
        team.called_count += 1


# Moves and values


def copy_progress(shared: Node, node: Node) -> None:
    """Tell a worker's own node what all workers of a split have found."""
    node.move = shared.move
    node.move_index = shared.move_index
    node.tried = shared.tried
    node.low = shared.low
    node.best = shared.best
    node.best_index = shared.best_index
    node.proven = shared.proven
    node.skipped = shared.skipped


def next_shared_move(frame: Frame, node: Node, worker: Worker, context: Context) -> bool:
    """Take the next move of a split; return False if there is none, or if it was cut."""
    team = context.team[0]
    number = frame.split
    lock(worker, team)
    found = has_moves(number, team)
    if found:
        shared = team.shared_nodes[number]
        next_move(shared, context_at(team.contexts[team.splits[number].owner]))
        copy_progress(shared, node)
        if shared.tried >= shared.move_count:
            remove_offer(number, team)
        worker.messages += frame.joined
    unlock(team)
    return found


def skip_shared_move(frame: Frame, node: Node, worker: Worker, context: Context) -> None:
    """Count a move of a split that a step has skipped."""
    team = context.team[0]
    lock(worker, team)
    shared = team.shared_nodes[frame.split]
    shared.skipped += 1
    shared.proven &= node.proven
    unlock(team)


def shared_low(frame: Frame, worker: Worker, context: Context) -> float:
    """The lower end of a split's window as it is now."""
    team = context.team[0]
    lock(worker, team)
    low = team.shared_nodes[frame.split].low
    unlock(team)
    return low


def take_shared_value(
    value: float, level: int, frame: Frame, node: Node, worker: Worker, context: Context
) -> None:
    """Take the value of a move of a split; if it cuts, call the other workers."""
    team = context.team[0]
    number = frame.split
    lock(worker, team)
    if cut_state(number, team) == NOT_CUT:
        shared = team.shared_nodes[number]
        # Other workers have taken moves meanwhile.
        shared.move = node.move
        shared.move_index = node.move_index
        shared.child_proven = node.child_proven
        low = shared.low
        if take_value(value, level, shared, context):
            cut_split(number, context)
        elif value > low and shared.best == value:
            give_line(level, shared.line_length, team.splits[number].owner, context)
    unlock(team)


def give_line(level: int, length: int, owner: int, context: Context) -> None:
    """Copy the principal variation of a level to the owner of the split; the lock is held."""
    if owner == context.worker:
        return
    theirs = context_at(context.team[0].contexts[owner])
    source = offset(context.variation, level * context.levels)
    target = offset(theirs.variation, level * context.levels)
    for index in range(length):
        target[index] = source[index]


def close_split(level: int, frame: Frame, node: Node, worker: Worker, context: Context) -> int:
    """Take the results of a split into the owner's node once the others have left.

    Return the state of the split: `CUT` or `NOT_CUT`; -1 if others are still searching.
    """
    team = context.team[0]
    number = frame.split
    split = team.splits[number]
    if split.workers > 1:
        split.waits = 1
        return -1
    lock(worker, team)
    if split.workers > 1:
        unlock(team)
        return -1
    shared = team.shared_nodes[number]
    state = cut_state(number, team)
    copy_progress(shared, node)
    node.line_length = shared.line_length
    frame.split = -1
    set_innermost(outer_split(level, worker, context), worker, context)
    free_split(number, team)
    replace_if(pointer(team.contexts[context.worker]), 0, LOOK, 0)
    unlock(team)
    return state


# Idle workers


def wake_owners(number: int, team: Team) -> None:
    """Let the owners that wait for a split, or for one around it, look for work in the simulation.

    The lock is held.  Threads look all the time.
    """
    while team.simulated != 0 and number >= 0:
        split = team.splits[number]
        if split.waits != 0:
            wake_owner(split.owner, team)
        number = split.parent


def wake_owner(owner: int, team: Team) -> None:
    if team.simulated != 0 and team.wake_count < team.heap_limit:
        team.wake_list[team.wake_count] = owner
        team.wake_count += 1


def become_idle(worker: Worker, team: Team) -> None:
    if worker.idle == 0:
        worker.idle = 1
        atomic_add(team.words, IDLE_WORKERS, 1)


def become_busy(worker: Worker, team: Team) -> None:
    if worker.idle != 0:
        worker.idle = 0
        atomic_add(team.words, IDLE_WORKERS, -1)
