"""Reverse futility: a node far above its window near the leaves is not searched."""

from typing import Any

from plyforge.compilation.hooks_api import in_check
from plyforge.search.kernels.context import NO_VALUE, ONE_PLY, Context, Node
from plyforge.search.kernels.horizon import static_value_of
from plyforge.search.kernels.values import is_decided, is_null_window
from plyforge.search.parameters import plies, real

NAME = "reverse-futility"
SUMMARY = "near the leaves a node is cut if its evaluation is far above the window"
PAPER = "static null move, as in current chess programs; Heinz 1998"
EXACT = False
ON = False
PARAMETERS = (
    plies("reverse-futility-depth", 6, "the maximum remaining depth", 1),
    real("reverse-futility-margin", 1.0, "units of the evaluation per remaining ply", 0.0, 1e9),
)
COUNTERS = {"reverse_futility_cuts": "nodes that were cut by their evaluation"}


def before_moves(position: Any, level: int, node: Node, context: Context) -> float:
    if node.depth > context.reverse_futility_depth:
        return NO_VALUE
    if not is_null_window(node.low, node.high) or is_decided(node.high) or in_check(position):
        return NO_VALUE
    value = static_value_of(position, level, node, context)
    if value - context.reverse_futility_margin * node.depth / ONE_PLY < node.high:
        return NO_VALUE
    context.reverse_futility_cuts += 1
    return value
