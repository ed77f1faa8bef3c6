"""Moves that win something at once come first."""

from typing import Any

from plyforge.compilation.hooks_api import exchange, move_gain
from plyforge.search.kernels.context import Context, Node

NAME = "gains"
SUMMARY = (
    "moves that win something at once are tried early, the greatest gain first, unless an exchange"
    " loses it again"
)
PAPER = "MVV/LVA and exchange evaluation, as in current chess programs"
EXACT = True
ON = False
HOOKS = ("move_gain",)
SOURCE = "gains"


def promote_move(
    move: int, index: int, position: Any, level: int, node: Node, context: Context
) -> float:
    gain = move_gain(position, move)
    if gain <= 0.0 or exchange(position, move) < 0.0:
        return 0.0
    return context.gains_bonus + gain
