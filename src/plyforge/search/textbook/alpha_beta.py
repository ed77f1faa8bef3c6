"""Fail-soft alpha-beta: a value outside the window is still a bound."""

from plyforge.search.textbook.trace import record_visits
from plyforge.search.textbook.view import Node, View, value_above, window_below
from plyforge.search.values import INFINITY


@record_visits
def alpha_beta(
    view: View, node: Node, depth: int, alpha: float = -INFINITY, beta: float = INFINITY
) -> float:
    """Return a number L that bounds the true value V for the side to move.

    L <= alpha: V <= L (a fail low).  L >= beta: V >= L (a fail high).  Between them: V = L.
    So with the full window L is V.  L may lie outside the window, which makes it a better bound
    than the window's end.  (Knuth and Moore 1975; fail-soft: Fishburn 1983.)
    """
    value = view.leaf(node, depth)
    if value is not None:
        return value
    score = -INFINITY
    for child in view.children(node):
        window = window_below(node, child, alpha, beta)
        score = max(score, value_above(node, child, alpha_beta(view, child, depth - 1, *window)))
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    return score
