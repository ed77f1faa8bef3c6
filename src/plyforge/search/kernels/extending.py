"""Extensions: single moves are searched deeper, up to a limit along each path."""

from typing import Any, Final

from plyforge.compilation.hooks_api import move_kind, move_target
from plyforge.search.kernels.context import ONE_PLY, Context, Node

MAX_EXTENSION: Final = 16 * ONE_PLY
"""The limit along a path: sixteen plies, and no more than the plies from the root."""


def extend(amount: int, level: int, node: Node, context: Context) -> bool:
    """Extend the present move; return False if its path is extended enough, or it already is."""
    child_node = context.nodes[level + 1]
    limit = min(MAX_EXTENSION, (node.ply + 1) * ONE_PLY)
    if child_node.extended > node.extended or node.extended + amount > limit:
        return False
    child_node.extended = node.extended + amount
    node.child_depth += amount
    return True


def takes_back(position: Any, level: int, node: Node, context: Context) -> bool:
    """Whether the present move captures where the last one did; remember where it captures."""
    target = -1
    if move_kind(position, node.move) != 0:
        target = move_target(position, node.move)
    context.nodes[level + 1].last_target = target
    return target >= 0 and target == node.last_target
