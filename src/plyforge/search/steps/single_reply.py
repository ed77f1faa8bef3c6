"""Single reply: where there is only one move, it is searched deeper."""

from typing import Any

from plyforge.search.kernels.context import ONE_PLY, Context, Node
from plyforge.search.kernels.extending import extend

NAME = "single-reply"
SUMMARY = "a side's only move is extended by a ply"
PAPER = "Anantharaman, Campbell, Hsu 1990; Campbell, Hoane, Hsu 2002"
EXACT = False
ON = False
COUNTERS = {"single_reply_extensions": "only moves that were extended"}


def plan_move(position: Any, child: Any, level: int, node: Node, context: Context) -> bool:
    if node.move_count == 1 and extend(ONE_PLY, level, node, context):
        context.single_reply_extensions += 1
    return True
