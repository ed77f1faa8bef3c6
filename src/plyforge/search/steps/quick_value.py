"""Quick values: a node that the next two plies decide is not searched.

Elsewhere the game lasts three plies more at least, which narrows the window: a win in three is the
best that can be, a loss in four the worst.
"""

from typing import Any

from plyforge.compilation.hooks_api import quick_value
from plyforge.core.scores import LOSS, ONGOING, WIN
from plyforge.search.kernels.context import NO_VALUE, ONE_PLY, Context, Node
from plyforge.search.kernels.counting import count_leaf
from plyforge.search.kernels.values import from_root

NAME = "quick-value"
SUMMARY = "nodes that the next two plies decide, as the game says, are not searched"
PAPER = "Pons, solver of connect four"
EXACT = True
ON = False
HOOKS = ("quick_value",)
COUNTERS = {"quick_values": "nodes that the next two plies decide"}


def before_moves(position: Any, level: int, node: Node, context: Context) -> float:
    value = quick_value(position)
    near = node.depth < 2 * ONE_PLY
    if value != ONGOING and not (near and value < 0.0):
        context.quick_values += 1
        count_leaf(context)
        return from_root(value, node.ply)
    # A loss in two plies is beyond the horizon of a search of one ply; and one that fails low has
    # to return its exact value (see `skip-research`).
    return NO_VALUE if near else narrow_window(node, context)


def narrow_window(node: Node, context: Context) -> float:
    """Narrow the window to what is possible; return a bound if nothing is left of it."""
    best = from_root(float(WIN - 3), node.ply)
    worst = from_root(float(LOSS + 4), node.ply)
    node.high = min(node.high, best)
    if node.low >= best or node.high <= worst:
        count_leaf(context)
        return best if node.low >= best else worst
    return NO_VALUE
