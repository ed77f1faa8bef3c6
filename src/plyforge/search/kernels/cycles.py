"""Repetition and lack of progress on the path of a search, positions before the root included.

A position can come back only while no irreversible move lies between, so earlier ones are not
compared.

A value that depends on a repetition belongs to a path, not to a position.  The policy `fast`
stores it anyway, but never as proven: a proven entry answers searches of any depth, so a draw by
repetition would hide a win from all later iterations.  The policy `safe` adds to a node's key a
hash of the positions on its path that can still come back, and the plies without progress if their
limit is within the node's reach: two nodes then share an entry only if the same repetitions and the
same limit lie ahead of them.  The policy `shared` is a kernel of its own, which replaces functions
of `safe`; see `sharing`.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import has_cycles, irreversible, offset
from plyforge.compilation.keys import mix
from plyforge.game.kernels.path_ends import (
    drop_repeating_moves,
    is_repetition_end,
    lacks_progress,
)
from plyforge.search.kernels.context import ONE_PLY, PROVEN, SOUND, Context, Node
from plyforge.search.kernels.values import is_decided

# The meaning of `cycle_policy`: how path-dependent values are stored in the table.
CYCLES_OFF = 0
CYCLES_FAST = 1
CYCLES_SAFE = 2

SALT = 0x6A09E667F3BCC909
"""The start of the hash of every position on the path."""
_SALT = np.uint64(SALT)


def watches_cycles(context: Context) -> bool:
    """Whether ends depend on the path."""
    return has_cycles() and context.cycle_policy != CYCLES_OFF


def first_reversible(node: Node, context: Context) -> int:
    """The index on the path of the first position that can still come back."""
    return max(context.plies_before_root + node.ply - node.reversible_plies, 0)


def is_repeated(position_key: Any, node: Node, context: Context) -> bool:
    """Whether a position ends the game because it has come back often enough."""
    first, path = first_reversible(node, context), context.path
    here = context.plies_before_root + node.ply
    rule, limit = context.repetition, context.repetition_count
    return is_repetition_end(rule, limit, position_key, path, first, here)


def proven_by_path(value: float, context: Context) -> int:
    """The bits of `Node.proven` for a value that depends on the path."""
    if context.cycle_policy == CYCLES_SAFE:
        return PROVEN
    return 0 if is_decided(value) else SOUND


def keep_new_positions(position: Any, count: int, node: Node, context: Context) -> int:
    """Keep a node's moves that lead to positions not yet on the path; return their number."""
    buffer = offset(context.moves, node.moves_start)
    first, path = first_reversible(node, context), context.path
    return drop_repeating_moves(
        position, count, buffer, path, first, context.plies_before_root + node.ply
    )


def advance_path(
    position: Any, move: int, position_key: Any, node: Node, child_node: Node, context: Context
) -> None:
    """Write to the child's node how the move changes the path."""
    reversible, path_hash = node.reversible_plies + 1, node.path_hash
    if irreversible(position, move):
        reversible, path_hash = 0, 0
    elif context.cycle_policy == CYCLES_SAFE:
        total = np.int64(path_hash).view(np.uint64) + mix(_SALT, position_key)
        path_hash = np.uint64(total).view(np.int64)
    child_node.reversible_plies = reversible
    child_node.path_hash = path_hash


def table_key(
    position_key: Any, path_hash: int, reversible: int, depth: int, context: Context
) -> Any:
    """The key under which the table stores a node."""
    if not has_cycles() or context.cycle_policy != CYCLES_SAFE:
        return position_key
    mixed = position_key ^ np.int64(path_hash).view(np.uint64)
    reach = reversible + (depth + ONE_PLY - 1) // ONE_PLY
    if lacks_progress(context.no_progress_limit, reach):
        mixed = mix(mixed, np.uint64(reversible))
    return mixed
