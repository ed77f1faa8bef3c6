"""Alpha-beta, fail-soft: it tells more than it was asked."""

from plyforge.search.textbook.trace import recorded
from plyforge.search.textbook.view import Node, View, value_above, window_below
from plyforge.search.values import INFINITY


@recorded
def alpha_beta(
    view: View, node: Node, depth: int, alpha: float = -INFINITY, beta: float = INFINITY
) -> float:
    """A number L that relates to the true value V, in view of the side to move, as follows.

    L <= alpha: V <= L (a fail low).  L >= beta: V >= L (a fail high).  Between them: V = L.
    So with the full window it is V.  The score may leave the window, which makes it a better bound
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
