"""Minimax with one rule for both players."""

from plyforge.search.textbook.trace import record_visits
from plyforge.search.textbook.view import Node, View, value_above
from plyforge.search.values import INFINITY


@record_visits
def negamax(view: View, node: Node, depth: int) -> float:
    """Return the value for the side to move, `depth` plies deep; visit every node.

    A value for one side is its negative for the other, so one maximum serves both.  (Knuth and
    Moore 1975.)
    """
    value = view.leaf(node, depth)
    if value is not None:
        return value
    score = -INFINITY
    for child in view.children(node):
        score = max(score, value_above(node, child, negamax(view, child, depth - 1)))
    return score
