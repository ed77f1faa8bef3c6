"""ExpectiMax: minimax with nodes where chance moves."""

from plyforge.search.textbook.trace import record_visits
from plyforge.search.textbook.view import Node, View, value_above


@record_visits
def expectimax(view: View, node: Node, depth: int) -> float:
    """Return the expected value for the side to move, `depth` moves deep; visit every node.

    Chance takes no depth.  (Michie 1966.)
    """
    value = view.leaf(node, depth)
    if value is not None:
        return value
    if view.is_chance(node):
        return view.expected(
            (probability, value_above(node, child, expectimax(view, child, depth)))
            for probability, child in view.outcomes(node)
        )
    return max(
        value_above(node, child, expectimax(view, child, depth - 1))
        for child in view.children(node)
    )
