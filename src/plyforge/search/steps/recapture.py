"""Recapture extension: a move that takes back is searched deeper."""

from typing import Any

from plyforge.search.kernels.context import ONE_PLY, Context, Node
from plyforge.search.kernels.extending import extend, takes_back
from plyforge.search.kernels.values import is_null_window

NAME = "recapture"
SUMMARY = (
    "on the principal variation, captures on the square of the last move are extended by a ply"
)
PAPER = "Anantharaman, Campbell, Hsu 1990"
EXACT = False
ON = False
HOOKS = ("move_target", "move_kind")
COUNTERS = {"recapture_extensions": "moves that were extended because they take back"}


def plan_move(position: Any, child: Any, level: int, node: Node, context: Context) -> bool:
    recaptures = takes_back(position, level, node, context)
    if not recaptures or is_null_window(node.low, node.high):
        return True
    if extend(ONE_PLY, level, node, context):
        context.recapture_extensions += 1
    return True
