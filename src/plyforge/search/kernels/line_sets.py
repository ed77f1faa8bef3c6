"""The positions on the lines on which a node's result rests, for the policy `shared`.

A result rests on the children of all nodes whose moves all had to be searched, and on the cutting
child of a node that was cut.  Sets are joined as proofs are (`Node.proven`): a node has those of
its children, of its entry if that narrowed the window, and after a cut that of the cutting child
alone.  Positions after an irreversible move are left out: no path to the node has them.

A node is not in its own set; its parent adds it.  Each ply has a few sets, since a node may be
searched several times, with different windows.
"""

from typing import Any, Final

import numpy as np

from plyforge.compilation.hooks_api import irreversible, key, offset, play
from plyforge.compilation.keys import mix
from plyforge.game.kernels.path_ends import count_occurrences
from plyforge.search.kernels.context import NO_VALUE, Context, Node
from plyforge.search.kernels.cycles import SALT, first_reversible
from plyforge.search.kernels.ordering import look_ahead, score_moves
from plyforge.search.kernels.position_sets import (
    SET_WORDS,
    add_position,
    add_set,
    add_twice,
    clear_set,
    copy_set,
    counts_twice,
    may_contain,
)
from plyforge.search.kernels.table import LOWER

# The sets of a ply.
FROM_TABLE: Final = 0
"""Of the entry that narrowed the node's window."""
FROM_CHILDREN: Final = 1
DROPPED: Final = 2
"""The moves left out because they repeat a position, and one that is not."""
CLOSED: Final = 3
"""Of all searches of the node since its parent prepared it."""
FOUND: Final = 4
"""Of the entry that was found last."""
RESULT: Final = 5
"""Of the result that is being stored."""
WORDS_PER_PLY: Final = 6 * SET_WORDS

_SALT = np.uint64(SALT)


def set_at(ply: int, which: int, context: Context) -> Any:
    return offset(context.line_sets, ply * WORDS_PER_PLY + which * SET_WORDS)


def start_sets(node: Node, context: Context) -> None:
    """Start a search of a node, perhaps not the first since its parent prepared it."""
    if node.ply == 0:
        clear_set(set_at(0, CLOSED, context))
    clear_set(set_at(node.ply, FROM_TABLE, context))
    clear_set(set_at(node.ply, FROM_CHILDREN, context))


def note_entry(node: Node, context: Context) -> None:
    """Note that the result rests on the entry that was found."""
    found = set_at(node.ply, FOUND, context)
    add_set(set_at(node.ply, FROM_TABLE, context), found)
    add_set(set_at(node.ply, CLOSED, context), found)


def advance_path_with_sets(
    position: Any, move: int, position_key: Any, node: Node, child_node: Node, context: Context
) -> None:
    """In the place of `cycles.advance_path`: also empty the child's sets."""
    reversible, path_hash = node.reversible_plies + 1, node.path_hash
    if irreversible(position, move):
        reversible, path_hash = 0, 0
    else:
        total = np.int64(path_hash).view(np.uint64) + mix(_SALT, position_key)
        path_hash = np.uint64(total).view(np.int64)
    child_node.reversible_plies = reversible
    child_node.path_hash = path_hash
    clear_set(set_at(node.ply + 1, CLOSED, context))
    clear_set(set_at(node.ply + 1, DROPPED, context))


def keep_and_note_positions(position: Any, count: int, node: Node, context: Context) -> int:
    """In the place of `cycles.keep_new_positions`: also note the moves that are left out.

    On another path they may be legal.  The first legal move is noted as well: while that is legal,
    the node has a move, which is all that a leaf needs.
    """
    buffer = offset(context.moves, node.moves_start)
    first, path = first_reversible(node, context), context.path
    here = context.plies_before_root + node.ply
    dropped = set_at(node.ply, DROPPED, context)
    clear_set(dropped)
    kept = 0
    for index in range(count):
        move = buffer[index]
        child_key = np.uint64(key(play(position, move)))
        is_new = count_occurrences(child_key, path, first, here + 1) == 1
        if (not is_new or kept == 0) and not irreversible(position, move):
            add_position(dropped, child_key, context)
        if is_new:
            buffer[kept] = move
            kept += 1
    return kept


def note_child_positions(cuts: bool, level: int, node: Node, context: Context) -> None:
    """In the place of `node.note_child`: the result rests on the child whose value was taken."""
    target = set_at(node.ply, FROM_CHILDREN, context)
    if cuts:
        clear_set(target)
    if context.nodes[level + 1].reversible_plies == 0:
        return
    ply = node.ply + 1
    child_key = context.path[context.plies_before_root + ply]
    below = set_at(ply, CLOSED, context)
    add_set(below, set_at(ply, DROPPED, context))
    if counts_twice(context) and may_contain(below, child_key, context):
        add_twice(target, child_key, context)
    add_set(target, below)
    add_position(target, child_key, context)


def sort_and_note_moves(
    position: Any, position_key: Any, level: int, node: Node, context: Context
) -> float:
    """In the place of `ordering.sort_moves`: also note a child whose entry ends the node."""
    score_moves(position, level, node, context)
    if context.sorts_moves == 0 or node.depth < context.look_ahead_depth:
        return NO_VALUE
    value = look_ahead(position, position_key, level, node, context)
    if value != NO_VALUE:
        note_child_positions(True, level, node, context)
    return value


def close_sets(bound: int, node: Node, context: Context) -> Any:
    """Return the set of a node's result.

    A lower bound rests on one move; a move left out because it repeats could only raise it.
    """
    result, dropped = set_at(node.ply, RESULT, context), set_at(node.ply, DROPPED, context)
    copy_set(result, set_at(node.ply, FROM_CHILDREN, context))
    add_set(result, set_at(node.ply, FROM_TABLE, context))
    if bound != LOWER:
        add_set(result, dropped)
    clear_set(dropped)
    add_set(set_at(node.ply, CLOSED, context), result)
    return result
