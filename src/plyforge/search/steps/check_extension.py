"""Check extension: a move that gives check is searched deeper."""

from typing import Any

from plyforge.compilation.hooks_api import in_check
from plyforge.search.kernels.context import ONE_PLY, Context, Node
from plyforge.search.kernels.extending import extend

NAME = "check"
SUMMARY = "moves that give check are extended by a ply"
PAPER = "Anantharaman, Campbell, Hsu 1990"
EXACT = False
ON = False
HOOKS = ("in_check",)
COUNTERS = {"check_extensions": "moves that were extended because they give check"}


def plan_move(position: Any, child: Any, level: int, node: Node, context: Context) -> bool:
    if in_check(child) and extend(ONE_PLY, level, node, context):
        context.check_extensions += 1
    return True
