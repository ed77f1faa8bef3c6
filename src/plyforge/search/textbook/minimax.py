"""Minimax with separate rules for the two players."""

from plyforge.search.textbook.trace import record_visits_for_max
from plyforge.search.textbook.view import MAX, Node, View, for_max
from plyforge.search.values import INFINITY


@record_visits_for_max
def minimax(view: View, node: Node, depth: int) -> float:
    """Return the value for MAX, the first player, `depth` plies deep; visit every node.

    The sides need not alternate.  (Shannon 1950; von Neumann 1928.)
    """
    value = view.leaf(node, depth)
    if value is not None:
        return for_max(node, value)
    if node.side == MAX:
        score = -INFINITY
        for child in view.children(node):
            score = max(score, minimax(view, child, depth - 1))
    else:
        score = INFINITY
        for child in view.children(node):
            score = min(score, minimax(view, child, depth - 1))
    return score
