"""Late move pruning: near the leaves only the first moves are tried."""

from typing import Any

from plyforge.compilation.hooks_api import in_check, move_kind
from plyforge.search.kernels.context import ONE_PLY, Context, Node
from plyforge.search.kernels.values import is_decided, is_null_window
from plyforge.search.parameters import integer, plies

NAME = "late-move-pruning"
SUMMARY = "near the leaves quiet moves late in the order are skipped"
PAPER = "move count pruning, as in current chess programs"
EXACT = False
ON = False
PARAMETERS = (
    plies("late-move-pruning-depth", 4, "the maximum remaining depth", 1),
    integer(
        "late-move-pruning-moves",
        4,
        "moves that are always tried, in addition to the square of the remaining plies",
        1,
        4000,
    ),
)
COUNTERS = {"late_move_skips": "late moves that were skipped"}


def plan_move(position: Any, child: Any, level: int, node: Node, context: Context) -> bool:
    if node.depth > context.late_move_pruning_depth or node.ply == 0:
        return True
    plies = node.depth // ONE_PLY
    if node.tried <= context.late_move_pruning_moves + plies * plies:
        return True
    if not is_null_window(node.low, node.high) or is_decided(node.best):
        return True
    if move_kind(position, node.move) != 0 or in_check(position) or in_check(child):
        return True
    context.late_move_skips += 1
    return False
