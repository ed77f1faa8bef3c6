"""Star1: alpha-beta with windows for the outcomes of chance."""

from plyforge.search.textbook.trace import record_visits
from plyforge.search.textbook.view import Node, View, value_above, window_below
from plyforge.search.values import INFINITY


@record_visits
def star1(
    view: View, node: Node, depth: int, alpha: float = -INFINITY, beta: float = INFINITY
) -> float:
    """Return a number L that bounds the expected value V for the side to move, as `alpha_beta`.

    All values lie between -limit and limit.  While the values of some outcomes are unknown, they
    are at best `limit`: if even then the expected value cannot exceed alpha, the node is cut; and
    likewise with -limit and beta.  (Ballard 1983.)
    """
    value = view.leaf(node, depth)
    if value is not None:
        return value
    if view.is_chance(node):
        return _star1_of_chance(view, node, depth, alpha, beta)
    score = -INFINITY
    for child in view.children(node):
        window = window_below(node, child, alpha, beta)
        score = max(score, value_above(node, child, star1(view, child, depth - 1, *window)))
        alpha = max(alpha, score)
        if alpha >= beta:
            break
    return score


def _star1_of_chance(view: View, node: Node, depth: int, alpha: float, beta: float) -> float:
    limit = view.limit
    # The values of the outcomes so far, each times its probability; the probability of the others.
    total, left = 0.0, 1.0
    for probability, child in view.outcomes(node):
        left -= probability
        too_low = (alpha - total - left * limit) / probability
        too_high = (beta - total + left * limit) / probability
        window = window_below(node, child, max(too_low, -limit), min(too_high, limit))
        value = value_above(node, child, star1(view, child, depth, *window))
        total += probability * value
        if value <= too_low:
            return view.rounded(total + left * limit)
        if value >= too_high:
            return view.rounded(total - left * limit)
    return view.rounded(total)
