"""Proof-number search: the tree is in memory, and always grows at its most-proving leaf.

Allis, van der Meulen, van den Herik, "Proof-number search", Artificial Intelligence 66 (1994).
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import context_at, load_flag, move_limit
from plyforge.compilation.kernel import Kernel
from plyforge.search.proof.kernels.context import OUT_OF_MEMORY, ProofContext
from plyforge.search.proof.kernels.ends import report_fault
from plyforge.search.proof.kernels.tree import (
    DISPROOF,
    NODE_WORDS,
    PARENT,
    PROOF,
    collect_garbage,
    descend,
    expand,
    finish_root,
    is_solved,
    leave_levels,
    start_tree,
    update,
)


def prepare_root(context: ProofContext) -> bool:
    """Write the root's frame; return whether the attacker is to move."""
    frame = context.frames[0]
    frame.side = context.root_side
    frame.flipped = 1
    frame.path_hash = 0
    frame.first = 0
    return frame.side == context.attacker


def update_ancestors(
    node: int, level: int, root: int, root_level: int, context: ProofContext
) -> None:
    """Set the numbers of a node and of all above it, up to the root of the search."""
    while True:
        update(node, root, context.frames[level].side == context.attacker, context)
        if level == root_level:
            return
        node = context.tree[node * NODE_WORDS + PARENT]
        level -= 1


def grow_tree(position: Any, root: int, level: int, limit: int, context: ProofContext) -> None:
    """Expand most-proving leaves below a node until it is solved, or `limit` nodes are in use."""
    while not is_solved(root, context) and load_flag(context) == 0:
        if context.used + move_limit() >= limit:
            return
        leaf_position, leaf, leaf_level = descend(position, root, level, context)
        expand(leaf_position, leaf, leaf_level, context)
        leave_levels(level, leaf_level, context)
        update_ancestors(leaf, leaf_level, root, level, context)


def has_room(root: int, context: ProofContext) -> bool:
    """Free memory if it is full; return whether there is some."""
    if context.used + 2 * move_limit() < context.capacity:
        return True
    if collect_garbage(root, context):
        return True
    report_fault(OUT_OF_MEMORY, context)
    return False


def note_root(root: int, context: ProofContext) -> None:
    """Note the root's numbers for reports."""
    context.root_proof = context.tree[root * NODE_WORDS + PROOF]
    context.root_disproof = context.tree[root * NODE_WORDS + DISPROOF]


def search_root(position: Any, address: Any) -> int:
    """Search until the question is answered: return 1 for yes, 0 for no, -1 if stopped."""
    context = context_at(address)
    mine = prepare_root(context)
    root = start_tree(context)
    while not is_solved(root, context) and load_flag(context) == 0:
        if has_room(root, context):
            grow_tree(position, root, np.int64(0), context.capacity - move_limit(), context)
            note_root(root, context)
    return finish_root(root, mine, context)


PN = Kernel("proof-number", search_root, "int64(position, address)", {}, context=ProofContext)
