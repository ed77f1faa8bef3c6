"""Extensions: single moves are searched deeper, up to a limit along each path."""

from typing import Final

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
