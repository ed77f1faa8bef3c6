"""Reductions: a move is searched less deeply first, and with full depth if it turns out better."""

from plyforge.search.kernels.context import Context, Node
from plyforge.search.kernels.values import next_above


def reduce_move(reduction: int, node: Node) -> None:
    """Plan to search the present move less deeply, and only for whether it is better."""
    node.reduction = reduction
    node.child_depth -= reduction
    node.child_high = min(next_above(node.low), node.high)


def undo_reduction(value: float, node: Node, context: Context) -> bool:
    """Plan a search with full depth, if a reduced one has shown that the move is better."""
    if node.reduction == 0 or value <= node.low:
        return False
    node.child_depth += node.reduction
    node.reduction = 0
    if context.pvs == 0:  # which would open the window
        node.child_high = node.high
    return True
