"""Razoring: a node far below its window near the leaves is only searched for noisy moves."""

from typing import Any

from plyforge.compilation.hooks_api import in_check
from plyforge.search.kernels.context import NO_VALUE, ONE_PLY, Context, Node
from plyforge.search.kernels.horizon import static_value_of
from plyforge.search.kernels.node import ask_search
from plyforge.search.kernels.values import is_decided, is_null_window
from plyforge.search.parameters import plies, real

NAME = "razoring"
SUMMARY = "near the leaves a node far below the window is cut if noisy moves do not save it"
PAPER = "Birmingham, Kent 1977; Heinz 1998"
EXACT = False
ON = False
NEEDS = ("quiescence",)
PARAMETERS = (
    plies("razoring-depth", 3, "the maximum remaining depth", 1),
    real("razoring-margin", 3.0, "units of the evaluation per remaining ply", 0.0, 1e9),
)
COUNTERS = {"razoring_cuts": "nodes that were cut after noisy moves"}


def before_moves(position: Any, level: int, node: Node, context: Context) -> float:
    if node.depth > context.razoring_depth:
        return NO_VALUE
    if not is_null_window(node.low, node.high) or is_decided(node.low) or in_check(position):
        return NO_VALUE
    value = static_value_of(position, level, node, context)
    if value + context.razoring_margin * node.depth / ONE_PLY > node.low:
        return NO_VALUE
    return ask_search(-1, 0, node.low, node.high, node)


def after_search(value: float, position: Any, level: int, node: Node, context: Context) -> float:
    if value > node.low:
        return NO_VALUE
    context.razoring_cuts += 1
    return value
