"""Alpha-beta that stores two bounds for every node: the search of all MTD algorithms."""

from typing import NamedTuple

from plyforge.search.textbook.trace import record_visits
from plyforge.search.textbook.view import Node, View, value_above, window_below
from plyforge.search.values import INFINITY, from_node, from_root


class Bounds(NamedTuple):
    """The bounds of a value; wins are counted from the node."""

    lower: float = -INFINITY
    upper: float = INFINITY


Memory = dict[tuple[int, int, int], Bounds]
"""Bounds by key, side to move and depth: values of other depths are other values."""


@record_visits
def memory_test(
    view: View, node: Node, depth: int, alpha: float, beta: float, memory: Memory
) -> float:
    """Return a bound like `alpha_beta`: at most alpha an upper one, at least beta a lower one.

    Nodes that `memory` answers for this window are not searched, leaves included.  With a null
    window the result only says on which side of it the value lies.  (Plaat, Schaeffer, Pijls and
    de Bruin 1996, "AlphaBetaWithMemory".)
    """
    key = view.game.key(node.position), node.side, depth
    known = memory.get(key, Bounds())
    lower, upper = from_root(known.lower, node.ply), from_root(known.upper, node.ply)
    if lower >= beta or lower == upper:
        return lower
    if upper <= alpha:
        return upper
    alpha, beta = max(alpha, lower), min(beta, upper)

    value = view.leaf(node, depth)
    if value is not None:
        memory[key] = Bounds(from_node(value, node.ply), from_node(value, node.ply))
        return value
    score, best = -INFINITY, alpha
    for child in view.children(node):
        window = window_below(node, child, best, beta)
        value = memory_test(view, child, depth - 1, *window, memory)
        score = max(score, value_above(node, child, value))
        best = max(best, score)
        if best >= beta:
            break
    # A score of at most alpha is an upper bound, of at least beta a lower one, else both.
    stored = from_node(score, node.ply)
    memory[key] = Bounds(
        stored if score > alpha else known.lower, stored if score < beta else known.upper
    )
    return score
