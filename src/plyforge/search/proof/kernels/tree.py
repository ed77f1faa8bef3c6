"""A tree in memory, for best-first proof-number search.

Layout.  A node is seven words: parent, first child, next sibling, the move that leads to it, proof
number, disproof number, and the runs without progress of a solved node (`run` in the lower 16 bits,
`longest` above).  Node 0 stands for none.  Free nodes are a list linked by their siblings; their
parent is -1.

Memory.  A solved node loses its children at once, except for the root.  Once the memory is full,
nodes whose children are all leaves lose them and keep their numbers; if such a node is chosen
again, it is expanded again.

A node has one path to it, so repeated positions are no difficulty: what a node stores belongs to
its path.
"""

from typing import Any, Final

import numpy as np

from plyforge.compilation.hooks_api import (
    has_cycles,
    irreversible,
    keeps_turn,
    key,
    move_limit,
    play,
    stuck,
)
from plyforge.game.kernels.path_ends import ILLEGAL
from plyforge.search.proof.kernels.context import (
    INFINITE,
    MAX_NUMBER,
    MAX_RUN,
    NO_CYCLE,
    TOO_DEEP,
    ProofContext,
)
from plyforge.search.proof.kernels.ends import (
    disproof_of,
    drop_repeating_moves,
    enter_path,
    find_end,
    is_yes,
    leave_path,
    list_moves,
    node_key,
    prepare_child,
    proof_of,
    report_fault,
)

NODE_WORDS: Final = 7
PARENT: Final = 0
CHILD: Final = 1
SIBLING: Final = 2
MOVE: Final = 3
PROOF: Final = 4
DISPROOF: Final = 5
RUNS: Final = 6
_RUN_MASK: Final = 0xFFFF
_LONGEST_SHIFT: Final = 16
_FREED: Final = 0.3
"""The share of memory that is freed when it is full."""


def start_tree(context: ProofContext) -> int:
    """Make the root of an empty tree; return its number."""
    context.free = 0
    context.used = 1
    context.ever_used = 1
    return new_node(0, 0, context)


def new_node(parent: int, move: int, context: ProofContext) -> int:
    """Make a leaf."""
    node = context.free
    if node != 0:
        context.free = context.tree[node * NODE_WORDS + SIBLING]
    else:
        node = context.ever_used
        context.ever_used += 1
    context.used += 1
    place = node * NODE_WORDS
    tree = context.tree
    tree[place + PARENT] = parent
    tree[place + CHILD] = 0
    tree[place + SIBLING] = 0
    tree[place + MOVE] = move
    tree[place + PROOF] = 1
    tree[place + DISPROOF] = 1
    tree[place + RUNS] = 0
    return node


def is_solved(node: int, context: ProofContext) -> bool:
    place = node * NODE_WORDS
    return context.tree[place + PROOF] == 0 or context.tree[place + DISPROOF] == 0


def free_children(node: int, context: ProofContext) -> None:
    """Free everything below a node."""
    tree = context.tree
    current = tree[node * NODE_WORDS + CHILD]
    tree[node * NODE_WORDS + CHILD] = 0
    # Without recursion: the children of a node are put in front of its siblings.
    while current != 0:
        place = current * NODE_WORDS
        child = tree[place + CHILD]
        if child != 0:
            last = child
            while tree[last * NODE_WORDS + SIBLING] != 0:
                last = tree[last * NODE_WORDS + SIBLING]
            tree[last * NODE_WORDS + SIBLING] = tree[place + SIBLING]
            tree[place + SIBLING] = child
            tree[place + CHILD] = 0
        following = tree[place + SIBLING]
        tree[place + PARENT] = -1
        tree[place + SIBLING] = context.free
        context.free = current
        context.used -= 1
        current = following


def has_only_leaves(node: int, context: ProofContext) -> bool:
    """Whether a node has children, none of which has any."""
    tree = context.tree
    child = tree[node * NODE_WORDS + CHILD]
    if child == 0:
        return False
    while child != 0:
        if tree[child * NODE_WORDS + CHILD] != 0:
            return False
        child = tree[child * NODE_WORDS + SIBLING]
    return True


def collect_garbage(root: int, context: ProofContext) -> bool:
    """Free the children of nodes that have only leaves; return whether that was enough."""
    needed = np.int64(context.capacity * _FREED)
    before, freed = context.used, True
    while before - context.used < needed and freed:
        freed = False
        for node in range(1, context.ever_used):
            if node == root or context.tree[node * NODE_WORDS + PARENT] < 0:
                continue
            if has_only_leaves(node, context):
                free_children(node, context)
                freed = True
                if before - context.used >= needed:
                    break
    context.collections += 1
    enough = before - context.used
    return enough >= needed or enough >= 2 * move_limit()


def best_child(node: int, mine: bool, context: ProofContext) -> int:
    """The child that a search should look at next: that with the lowest number of the mover."""
    tree = context.tree
    own, other = (PROOF, DISPROOF) if mine else (DISPROOF, PROOF)
    best, lowest, against = 0, INFINITE + 1, INFINITE + 1
    child = tree[node * NODE_WORDS + CHILD]
    while child != 0:
        place = child * NODE_WORDS
        number = tree[place + own]
        if number < lowest or (number == lowest and tree[place + other] < against):
            best, lowest, against = child, number, tree[place + other]
        child = tree[place + SIBLING]
    return best


def descend(position: Any, root: int, level: int, context: ProofContext) -> Any:
    """Go from a node to the most-proving leaf below it: position, node and level of that.

    The positions on the way are put on the path, the leaf's included.
    """
    tree = context.tree
    node = root
    index = context.before_root + level
    enter_path(np.uint64(key(position)), index, context)
    context.frames[level].key = node_key(position, context.frames[level].side, context)
    while tree[node * NODE_WORDS + CHILD] != 0 and level + 3 < context.levels:
        frame = context.frames[level]
        node = best_child(node, frame.side == context.attacker, context)
        move = tree[node * NODE_WORDS + MOVE]
        child = play(position, move)
        flips = not keeps_turn(position, child)
        prepare_child(position, move, flips, index, frame, context.frames[level + 1])
        position = child
        level += 1
        index += 1
        context.frames[level].key = node_key(position, context.frames[level].side, context)
        enter_path(np.uint64(key(position)), index, context)
    context.max_level = max(context.max_level, level)
    return position, node, level


def leave_levels(level: int, last: int, context: ProofContext) -> None:
    """Take the positions from one level to another off the path."""
    for index in range(context.before_root + last, context.before_root + level - 1, -1):
        leave_path(index, context)


def expand(position: Any, node: int, level: int, context: ProofContext) -> None:
    """Give a leaf its children, as far as they are needed, and its numbers."""
    frame, child_frame = context.frames[level], context.frames[level + 1]
    index = context.before_root + level
    context.nodes += 1
    context.budget -= 1
    if context.budget <= 0:
        context.stop = 1
    if level + 3 >= context.levels:
        report_fault(TOO_DEEP, context)
        return
    frame.start = 0
    frame.dropped = NO_CYCLE
    frame.count = list_moves(position, 0, context)
    if has_cycles() and context.repetition == ILLEGAL:
        frame.count = drop_repeating_moves(position, index, frame, child_frame, context)
    place = node * NODE_WORDS
    tree = context.tree
    if frame.count == 0:
        context.ends += 1
        yes = is_yes(stuck(position), frame.side, context)
        tree[place + PROOF], tree[place + DISPROOF] = proof_of(yes), disproof_of(yes)
        return
    child_frame.start = frame.count
    mine = frame.side == context.attacker
    last = 0
    for number in range(frame.count):
        move = context.moves[number]
        child = play(position, move)
        flips = not keeps_turn(position, child)
        prepare_child(position, move, flips, index, frame, child_frame)
        new = new_node(node, move, context)
        if last == 0:
            tree[place + CHILD] = new
        else:
            tree[last * NODE_WORDS + SIBLING] = new
        last = new
        if has_cycles() and not irreversible(position, move):
            tree[new * NODE_WORDS + RUNS] = 1
        if find_end(child, child_frame, level, context):
            tree[new * NODE_WORDS + PROOF] = child_frame.proof
            tree[new * NODE_WORDS + DISPROOF] = child_frame.disproof
            if (child_frame.proof == 0) == mine:
                break


def update(node: int, root: int, mine: bool, context: ProofContext) -> None:
    """Set the numbers of a node from those of its children; free these if it is solved."""
    tree = context.tree
    place = node * NODE_WORDS
    child = tree[place + CHILD]
    if child == 0:
        return
    own, other = (PROOF, DISPROOF) if mine else (DISPROOF, PROOF)
    lowest, total, highest, open_children = INFINITE, 0, 0, 0
    while child != 0:
        numbers = child * NODE_WORDS
        lowest = min(lowest, tree[numbers + own])
        against = tree[numbers + other]
        if against == INFINITE:
            total = INFINITE
        elif against > 0 and total < INFINITE:
            open_children += 1
            highest = max(highest, against)
            total = min(total + against, MAX_NUMBER)
        child = tree[numbers + SIBLING]
    if context.weak != 0 and total < INFINITE and open_children > 0:
        total = min(highest + open_children - 1, MAX_NUMBER)
    tree[place + own], tree[place + other] = lowest, total
    if lowest == 0 or total == 0:
        set_runs(node, own if lowest == 0 else -1, context)
        if node != root:
            free_children(node, context)


def set_runs(node: int, own: int, context: ProofContext) -> None:
    """Set the runs of a solved node from its children: the first with the number 0, or all if -1.

    Before a node is solved, its run is 1 if the move that leads to it makes no progress, else 0.
    """
    tree = context.tree
    run, longest = 0, 0
    child = tree[node * NODE_WORDS + CHILD]
    while child != 0:
        place = child * NODE_WORDS
        if own < 0 or tree[place + own] == 0:
            run = max(run, tree[place + RUNS] & _RUN_MASK)
            longest = max(longest, tree[place + RUNS] >> _LONGEST_SHIFT)
            if own >= 0:
                break
        child = tree[place + SIBLING]
    if tree[node * NODE_WORDS + RUNS] == 1:
        tree[node * NODE_WORDS + RUNS] = min(run + 1, MAX_RUN) | longest << _LONGEST_SHIFT
    else:
        longest = max(run, longest)
        tree[node * NODE_WORDS + RUNS] = longest << _LONGEST_SHIFT


def finish_root(root: int, mine: bool, context: ProofContext) -> int:
    """Write the result of the root to its frame; return 1 for yes, 0 for no, -1 if unknown."""
    tree, frame = context.tree, context.frames[0]
    place = root * NODE_WORDS
    frame.proof, frame.disproof = tree[place + PROOF], tree[place + DISPROOF]
    frame.run = 0
    frame.longest = tree[place + RUNS] >> _LONGEST_SHIFT
    if not is_solved(root, context):
        return -1
    frame.start = frame.best = 0
    frame.count = 0
    if tree[place + CHILD] != 0:
        own = (frame.proof == 0) == mine
        best = best_child(root, mine, context) if own else tree[place + CHILD]
        context.moves[0] = tree[best * NODE_WORDS + MOVE]
        frame.count = 1
        run_of(root, context)
    return 1 if frame.proof == 0 else 0


def run_of(root: int, context: ProofContext) -> None:
    """Count the run that starts at the root with the moves before it, too."""
    tree, frame = context.tree, context.frames[0]
    child = tree[root * NODE_WORDS + CHILD]
    while child != 0:
        frame.run = max(frame.run, tree[child * NODE_WORDS + RUNS] & _RUN_MASK)
        child = tree[child * NODE_WORDS + SIBLING]
