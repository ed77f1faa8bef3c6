"""Nodes beyond the horizon, which search noisy moves only."""

from typing import Any

from plyforge.compilation.hooks_api import in_check, move_limit, noisy_moves, offset
from plyforge.search.kernels.context import ASK, NO_VALUE, TOO_MANY_MOVES, Context, Node
from plyforge.search.kernels.counting import count_interior, count_leaf
from plyforge.search.kernels.ends import evaluate_node, list_moves, report_fault
from plyforge.search.kernels.ordering import sort_moves


def expand_noisy(position: Any, level: int, node: Node, context: Context) -> float:
    """List and sort the noisy moves of a node; its value if it has none, or `ASK` for all moves.

    A step may want quiet moves as well (`node.lists_all`), to try some of them.  The node's static
    value is the least that the side to move can expect, since it need not make any of them.  A side
    that must answer a threat has no such choice, and tries all its moves.
    """
    if in_check(position):
        return ASK
    if node.lists_all != 0:
        count = list_moves(position, level, node, context)
    else:
        count = noisy_moves(position, offset(context.moves, node.moves_start))
        if count > move_limit():
            context.fault_count = count
            report_fault(TOO_MANY_MOVES, level, context)
            return 0.0
    if count == 0 or level + 1 >= context.levels:
        count_leaf(context)
        return node.static
    count_interior(context)
    node.move_count = count
    node.tried = 0
    node.skipped = 0
    node.best_index = -1
    node.best = node.static
    context.nodes[level + 1].moves_start = node.moves_start + count
    key = context.path[context.plies_before_root + node.ply]
    return sort_moves(position, key, level, node, context)


def static_value_of(position: Any, level: int, node: Node, context: Context) -> float:
    """The evaluation of a node's position, computed once."""
    if node.static == NO_VALUE:
        node.static = evaluate_node(position, level, context)
    return node.static
