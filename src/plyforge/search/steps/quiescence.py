"""Quiescence: leaves are evaluated only after the noisy moves have been tried."""

from typing import Any

from plyforge.compilation.hooks_api import exchange, in_check, move_gain, move_kind
from plyforge.search.kernels.context import NO_VALUE, PROVEN, Context, Node
from plyforge.search.kernels.ends import leaf_value
from plyforge.search.parameters import YES_NO, choice, plies, real

NAME = "quiescence"
SUMMARY = (
    "at the horizon noisy moves, such as captures, are searched on; a side that need not answer a"
    " threat may keep its static value instead"
)
PAPER = "Shannon 1950; Harris 1975; Beal 1990"
EXACT = False
ON = False
HOOKS = ("noisy_moves",)
PARAMETERS = (
    plies("quiescence-plies", 32, "the maximum number of plies beyond the horizon", 1),
    plies("quiescence-evasions", 8, "plies in which a side in check tries all its moves"),
    plies("quiescence-checks", 0, "plies in which quiet moves that give check are tried, too"),
    real(
        "quiescence-margin",
        2.0,
        "delta pruning: moves whose gain stays further below the window than this, in units of the"
        " evaluation, are skipped",
        0.0,
        1e9,
    ),
    choice(
        "quiescence-exchange",
        "yes",
        "skip moves that lose material in the exchanges that follow (hook `exchange`)",
        YES_NO,
    ),
)
COUNTERS = {
    "quiescence_nodes": "nodes beyond the horizon whose moves were tried",
    "quiescence_skips": "noisy moves that were skipped",
}
MAX_LEVELS_LEFT = 3


def at_horizon(position: Any, level: int, node: Node, context: Context) -> float:
    ends = level + MAX_LEVELS_LEFT >= context.levels
    if in_check(position) and node.depth > -context.quiescence_evasions and not ends:
        node.proven = 0
        context.quiescence_nodes += 1
        return NO_VALUE
    value = leaf_value(position, level, node, context)
    if node.proven == PROVEN:
        return value
    node.static = value
    if value >= node.high or node.depth <= -context.quiescence_plies or ends:
        return value
    if in_check(position):
        return value
    node.low = max(node.low, value)
    node.lists_all = 1 if node.depth > -context.quiescence_checks else 0
    node.proven = 0
    context.quiescence_nodes += 1
    return NO_VALUE


def plan_move(position: Any, child: Any, level: int, node: Node, context: Context) -> bool:
    if node.depth > 0 or in_check(position):
        return True
    if move_kind(position, node.move) == 0:
        return node.lists_all == 0 or in_check(child)
    gain = move_gain(position, node.move)
    if node.static + gain + context.quiescence_margin <= node.low and not in_check(child):
        context.quiescence_skips += 1
        return False
    if context.quiescence_exchange != 0 and exchange(position, node.move) < 0.0:
        context.quiescence_skips += 1
        return False
    return True
