"""Internal iterative reduction: without a move from the table a node is searched less deeply."""

from typing import Any

from plyforge.search.kernels.context import NO_VALUE, ONE_PLY, Context, Node
from plyforge.search.parameters import plies

NAME = "internal-reduction"
SUMMARY = "a node for which the table proposes no move is searched a ply less deeply"
PAPER = "internal iterative reduction, as in current chess programs"
EXACT = False
ON = False
NEEDS = ("table", "table-move")
PARAMETERS = (plies("internal-reduction-depth", 4, "the minimum remaining depth", 2),)
MIN_DEPTH = "internal-reduction-depth"
COUNTERS = {"internal_reductions": "nodes that were searched a ply less deeply"}


def before_moves(position: Any, level: int, node: Node, context: Context) -> float:
    if node.table_move < 0:
        node.depth -= ONE_PLY
        context.internal_reductions += 1
    return NO_VALUE
