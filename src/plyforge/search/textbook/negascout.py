"""NegaScout: assume that the first move is best, and test whether another one is better."""

from plyforge.search.textbook.trace import record_visits
from plyforge.search.textbook.view import Node, View, value_above, window_below
from plyforge.search.values import INFINITY


@record_visits
def negascout(
    view: View,
    node: Node,
    depth: int,
    alpha: float = -INFINITY,
    beta: float = INFINITY,
    skip_research: bool = False,
) -> float:
    """Return a bound like `alpha_beta`: at most alpha an upper one, at least beta a lower one.

    Every move but the first is tested with a null window, and searched again if it is better than
    alpha and its value is not known yet.  `skip_research` omits repeated searches near
    the horizon that cannot change the value.  (Pearl 1980; Reinefeld 1983; the same as
    principal variation search, Marsland and Campbell 1982.)
    """
    value = view.leaf(node, depth)
    if value is not None:
        return value
    score, high = -INFINITY, beta
    for child in view.children(node):
        window = window_below(node, child, alpha, high)
        value = value_above(node, child, negascout(view, child, depth - 1, *window, skip_research))
        if (
            alpha < value < beta
            and high < beta
            and not (skip_research and is_exact(node, child, depth))
        ):
            window = window_below(node, child, value, beta)
            value = value_above(
                node, child, negascout(view, child, depth - 1, *window, skip_research)
            )
        score = max(score, value)
        alpha = max(alpha, score)
        if alpha >= beta:
            break
        high = view.above(alpha)
    return score


def is_exact(node: Node, child: Node, depth: int) -> bool:
    """Whether a test that found the child better has also found its exact value.

    The value of a leaf is exact.  So is that of a child one ply above the leaves that failed low:
    it saw all of them.  If the same side moves again, the child failed high and saw only some.
    """
    return depth == 1 or (depth == 2 and child.side != node.side)
