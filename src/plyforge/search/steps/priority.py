"""Priority: moves are sorted by what the game says about them."""

from typing import Any

from plyforge.compilation.hooks_api import move_priority
from plyforge.search.kernels.context import Context, Node

NAME = "priority"
SUMMARY = "moves are sorted by the game's own priorities, such as the threats that they make"
PAPER = "Allis 1988; Pons, solver of connect four"
EXACT = True
ON = False
HOOKS = ("move_priority",)

_WEIGHT = 2.0**27
"""More than the histories of two moves differ by."""


def score_move(
    move: int, slot: int, position: Any, level: int, node: Node, context: Context
) -> float:
    return _WEIGHT * move_priority(position, move)
