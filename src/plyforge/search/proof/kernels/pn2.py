"""PN²: each leaf of a proof-number search is evaluated by another one.

The second search may use as many nodes as the first has.  When it ends, only the children of the
leaf stay, with their numbers: the tree of the first search needs much less memory than one search
of the same size would.

Allis, "Searching for solutions in games and artificial intelligence" (1994); Breuker, "Memory
versus search in games" (1998).
"""

from typing import Any, Final

import numpy as np

from plyforge.compilation.hooks_api import context_at, load_flag, move_limit
from plyforge.compilation.kernel import Kernel
from plyforge.search.proof.kernels.context import ProofContext
from plyforge.search.proof.kernels.pn import (
    grow_tree,
    has_room,
    note_root,
    prepare_root,
    update_ancestors,
)
from plyforge.search.proof.kernels.tree import (
    CHILD,
    NODE_WORDS,
    SIBLING,
    descend,
    finish_root,
    free_children,
    is_solved,
    leave_levels,
    start_tree,
)

_MIN_SECOND: Final = 64
"""The minimum number of nodes of a second search."""


def evaluate_leaf(position: Any, leaf: int, level: int, context: ProofContext) -> None:
    """Search below a leaf, and keep only its children."""
    allowed = max(context.used, _MIN_SECOND) + 2 * move_limit()
    limit = min(context.used + allowed, context.capacity - 1)
    grow_tree(position, leaf, level, limit, context)
    child = context.tree[leaf * NODE_WORDS + CHILD]
    while child != 0:
        free_children(child, context)
        child = context.tree[child * NODE_WORDS + SIBLING]


def search_root(position: Any, address: Any) -> int:
    """Search until the question is answered: return 1 for yes, 0 for no, -1 if stopped."""
    context = context_at(address)
    mine = prepare_root(context)
    root = start_tree(context)
    while not is_solved(root, context) and load_flag(context) == 0:
        if not has_room(root, context):
            break
        leaf_position, leaf, level = descend(position, root, np.int64(0), context)
        # The second search puts the leaf on the path by itself.
        leave_levels(level, level, context)
        evaluate_leaf(leaf_position, leaf, level, context)
        leave_levels(0, level - 1, context)
        update_ancestors(leaf, level, root, np.int64(0), context)
        note_root(root, context)
    return finish_root(root, mine, context)


PN2 = Kernel("pn2", search_root, "int64(position, address)", {}, context=ProofContext)
