"""Late move reductions: moves late in the order are searched less deeply at first."""

import math
from typing import Any

from plyforge.compilation.hooks_api import in_check, move_kind, slot_limit, slot_of
from plyforge.search.kernels.context import ONE_PLY, Context, Node
from plyforge.search.kernels.reducing import reduce_move, undo_reduction
from plyforge.search.kernels.values import is_null_window
from plyforge.search.parameters import integer, plies, real

NAME = "lmr"
SUMMARY = (
    "quiet moves late in the order are searched with less depth and a null window, and fully if"
    " they turn out better"
)
PAPER = "late move reductions, as in current chess programs"
EXACT = False
ON = False
PARAMETERS = (
    plies("lmr-depth", 3, "the minimum remaining depth", 2),
    integer("lmr-moves", 3, "moves that are never reduced", 1, 4000),
    real("lmr-base", 0.5, "reduction: base + ln(depth) ln(move number) / divisor, in plies", -4, 8),
    real("lmr-divisor", 2.0, "see `lmr-base`", 0.1, 100.0),
)
MIN_DEPTH = "lmr-depth"
COUNTERS = {
    "lmr_reductions": "moves that were searched with less depth",
    "lmr_researches": "reduced moves that were searched again with full depth",
}


def plan_move(position: Any, child: Any, level: int, node: Node, context: Context) -> bool:
    if node.tried <= context.lmr_moves or move_kind(position, node.move) != 0:
        return True
    if in_check(position) or in_check(child) or node.low == -math.inf:
        return True
    depth, number = float(node.depth) / ONE_PLY, float(node.tried)
    plies = context.lmr_base + math.log(depth) * math.log(number) / context.lmr_divisor
    if not is_null_window(node.low, node.high):
        plies -= 1.0
    history = context.history_scores[node.side * slot_limit() + slot_of(position, node.move)]
    if history > 0:
        plies -= 0.5
    elif history < 0:
        plies += 0.5
    # At least one ply is searched, and whole plies are found again in the table.
    reduction = min(int(max(plies, 0.0)) * ONE_PLY, node.child_depth - ONE_PLY)
    if reduction <= 0:
        return True
    context.lmr_reductions += 1
    reduce_move(reduction, node)
    return True


def search_again(value: float, flips: bool, level: int, node: Node, context: Context) -> bool:
    if not undo_reduction(value, node, context):
        return False
    context.lmr_researches += 1
    return True
