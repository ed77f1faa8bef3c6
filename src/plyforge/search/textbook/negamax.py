"""Minimax with one rule for both players."""

from plyforge.search.textbook.trace import recorded
from plyforge.search.textbook.view import Node, View, value_above
from plyforge.search.values import INFINITY


@recorded
def negamax(view: View, node: Node, depth: int) -> float:
    """The value in view of the side to move, `depth` plies deep; visits every node.

    What is good for one side is as bad for the other, so a single maximum does for both.  (Knuth
    and Moore 1975.)
    """
    value = view.leaf(node, depth)
    if value is not None:
        return value
    score = -INFINITY
    for child in view.children(node):
        score = max(score, value_above(node, child, negamax(view, child, depth - 1)))
    return score
