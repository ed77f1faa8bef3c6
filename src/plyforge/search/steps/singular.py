"""Singular extensions: a move that is far better than all others is searched deeper."""

from typing import Any, Final

from plyforge.search.kernels.context import NO_VALUE, ONE_PLY, Context, Node
from plyforge.search.kernels.extending import extend
from plyforge.search.kernels.node import ask_search
from plyforge.search.kernels.table import LOWER
from plyforge.search.kernels.values import is_decided, next_below, to_float32
from plyforge.search.parameters import integer, plies, real
from plyforge.search.steps.step import Array

NAME = "singular"
SUMMARY = "one move that is far better than all others, or two or three of them, are extended"
PAPER = "Anantharaman, Campbell, Hsu 1990; two or three moves: Campbell, Hoane, Hsu 2002"
EXACT = False
ON = False
NEEDS = ("table", "table-move")
PARAMETERS = (
    plies("singular-depth", 6, "the minimum remaining depth", 2),
    plies("singular-table", 3, "how much shallower the search that proposed the move may be"),
    real(
        "singular-margin",
        0.5,
        "how much better the moves must be: units of the evaluation per remaining ply",
        0.0,
        1e9,
    ),
    integer("singular-count", 1, "1: a single move; 2: also two moves; 3: also three", 1, 3),
)
COUNTERS = {
    "singular_tests": "searches without the best moves",
    "singular_extensions": "moves that were extended because the others are far worse",
}
WIDTH: Final = 4
ARRAYS = (Array("singular_moves", lambda sizes: WIDTH * sizes.levels),)
"""For every level: how many moves are singular, or being tested, and their indices."""


def before_moves(position: Any, level: int, node: Node, context: Context) -> float:
    context.singular_moves[WIDTH * level] = 0
    if node.depth < context.singular_depth or node.table_move < 0:
        return NO_VALUE
    if node.table_bound & LOWER == 0 or is_decided(node.table_value):
        return NO_VALUE
    if node.table_depth < node.depth - context.singular_table:
        return NO_VALUE
    return ask_without(node.table_move, level, node, context)


def after_search(value: float, position: Any, level: int, node: Node, context: Context) -> float:
    context.singular_tests += 1
    row = WIDTH * level
    if value < node.asked_high:
        return NO_VALUE
    other = context.nodes[level + 1].best_index
    if context.singular_moves[row] < context.singular_count and other >= 0:
        return ask_without(other, level, node, context)
    context.singular_moves[row] = 0
    return NO_VALUE


def ask_without(move: int, level: int, node: Node, context: Context) -> float:
    """Ask whether any move besides those tested so far and this one is nearly as good."""
    row = WIDTH * level
    bound = to_float32(node.table_value - context.singular_margin * node.depth / ONE_PLY)
    if bound <= context.min_evaluation:
        return NO_VALUE
    count = context.singular_moves[row] + 1
    context.singular_moves[row] = count
    context.singular_moves[row + count] = move
    depth = node.depth // 2 // ONE_PLY * ONE_PLY
    answer = ask_search(-1, depth, next_below(bound), bound, node)
    node.asked_excluded = count
    return answer


def plan_move(position: Any, child: Any, level: int, node: Node, context: Context) -> bool:
    if node.excluded > 0:
        return not is_listed(node.move_index, level - 1, context)
    if node.depth >= context.singular_depth and is_listed(node.move_index, level, context):
        # One move gets a ply, two get half of one each, three a quarter.
        amount = ONE_PLY >> (context.singular_moves[WIDTH * level] - 1)
        if extend(amount, level, node, context):
            context.singular_extensions += 1
    return True


def is_listed(index: int, level: int, context: Context) -> bool:
    """Whether a move is singular, or being tested, at a level."""
    row = WIDTH * level
    for place in range(context.singular_moves[row]):
        if context.singular_moves[row + 1 + place] == index:
            return True
    return False
