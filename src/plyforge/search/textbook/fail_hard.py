"""Fail-hard alpha-beta: the first form, whose value never lies outside the window."""

from plyforge.search.textbook.trace import record_visits
from plyforge.search.textbook.view import Node, View, value_above, window_below
from plyforge.search.values import INFINITY


@record_visits
def alpha_beta_fail_hard(
    view: View, node: Node, depth: int, alpha: float = -INFINITY, beta: float = INFINITY
) -> float:
    """Return the true value V for the side to move, limited to the window.

    It is alpha if V <= alpha, beta if V >= beta, and V between them.  It visits the same nodes as
    the fail-soft form, with weaker bounds.  (Knuth and Moore 1975.)
    """
    value = view.leaf(node, depth)
    if value is not None:
        return min(max(value, alpha), beta)
    for child in view.children(node):
        window = window_below(node, child, alpha, beta)
        value = value_above(node, child, alpha_beta_fail_hard(view, child, depth - 1, *window))
        alpha = max(alpha, value)
        if alpha >= beta:
            return beta
    return alpha
