"""Null move: a side that could pass and still be above the window is not searched."""

from typing import Any

from plyforge.compilation.hooks_api import in_check, pass_move, zugzwang_prone
from plyforge.search.kernels.context import NO_VALUE, ONE_PLY, Context, Node
from plyforge.search.kernels.horizon import static_value_of
from plyforge.search.kernels.node import ask_search
from plyforge.search.kernels.values import is_decided, next_below
from plyforge.search.parameters import integer, plies, real

NAME = "null-move"
SUMMARY = "a node is cut if a search after passing, of less depth, still fails high"
PAPER = "Beal 1990; Donninger 1993; verification: Tabibi, Netanyahu 2002"
EXACT = False
ON = False
HOOKS = ("pass_move",)
PARAMETERS = (
    plies("null-move-depth", 3, "the minimum remaining depth", 1),
    integer("null-move-reduction", 2, "R: plies by which the search after a pass is reduced", 1, 8),
    integer("null-move-growth", 4, "R grows by one for every so many plies of depth", 1, 64),
    real(
        "null-move-step",
        2.0,
        "R grows by one, at most three times, for every so many units of the evaluation above the"
        " window",
        0.01,
        1e9,
    ),
    real(
        "null-move-margin",
        0.0,
        "how far the evaluation must be above the window, in its units",
        -1e9,
        1e9,
    ),
    plies("null-move-verify", 10, "from this remaining depth on, a cut is verified"),
)
MIN_DEPTH = "null-move-depth"
COUNTERS = {"null_move_cuts": "nodes that were cut after a pass"}
_MAX_GROWTH = 3


def before_moves(position: Any, level: int, node: Node, context: Context) -> float:
    if node.passed != 0 or is_decided(node.high) or in_check(position):
        return NO_VALUE
    move = pass_move(position)
    if move < 0 or zugzwang_prone(position):
        return NO_VALUE
    value = static_value_of(position, level, node, context)
    if value < node.high + context.null_move_margin:
        return NO_VALUE
    depth = node.depth - ONE_PLY - reduction(value, node, context)
    return ask_search(move, depth, next_below(node.high), node.high, node)


def after_search(value: float, position: Any, level: int, node: Node, context: Context) -> float:
    if value < node.high:
        return NO_VALUE
    if node.asked_move >= 0 and node.depth >= context.null_move_verify:
        depth = node.depth - ONE_PLY - reduction(node.static, node, context)
        return ask_search(-1, depth, next_below(node.high), node.high, node)
    context.null_move_cuts += 1
    # A win after a pass proves nothing.
    return node.high if is_decided(value) else value


def reduction(value: float, node: Node, context: Context) -> int:
    """R in sixteenths of a ply: larger where there is much depth or a large margin."""
    plies = context.null_move_reduction + node.depth // ONE_PLY // context.null_move_growth
    steps = (value - node.high) / context.null_move_step
    return (plies + int(min(max(steps, 0.0), float(_MAX_GROWTH)))) * ONE_PLY
