"""Futility pruning: quiet moves that cannot reach the window near the leaves are skipped."""

from typing import Any

from plyforge.compilation.hooks_api import in_check, move_gain, move_kind
from plyforge.search.kernels.context import ONE_PLY, Context, Node
from plyforge.search.kernels.horizon import static_value_of
from plyforge.search.kernels.values import is_decided
from plyforge.search.parameters import plies, real

NAME = "futility"
SUMMARY = "near the leaves quiet moves are skipped whose estimate is far below the window"
PAPER = "Schaeffer 1986; Heinz 1998"
EXACT = False
ON = False
PARAMETERS = (
    plies("futility-depth", 4, "the maximum remaining depth", 1),
    real("futility-margin", 1.0, "units of the evaluation per remaining ply", 0.0, 1e9),
)
COUNTERS = {"futility_skips": "moves that were skipped as futile"}


def plan_move(position: Any, child: Any, level: int, node: Node, context: Context) -> bool:
    if node.depth > context.futility_depth or node.ply == 0 or node.tried == 1:
        return True
    if is_decided(node.low) or is_decided(node.best) or move_kind(position, node.move) != 0:
        return True
    if in_check(position) or in_check(child):
        return True
    value = static_value_of(position, level, node, context) + move_gain(position, node.move)
    if value + context.futility_margin * node.depth / ONE_PLY > node.low:
        return True
    context.futility_skips += 1
    return False
