"""Losing moves: those that allow a win with the next move are left out.

They lose in two plies, and no other move is worse.  If all moves do, the last one is searched.
"""

from typing import Any

from plyforge.compilation.hooks_api import loses_at_once
from plyforge.search.kernels.context import ONE_PLY, Context, Node

NAME = "losing-moves"
SUMMARY = "moves that lose at once, as the game says, are left out"
PAPER = "Pons, solver of connect four"
EXACT = True
ON = False
HOOKS = ("loses_at_once",)
COUNTERS = {"losing_moves_skipped": "moves left out because they lose at once"}


def plan_move(position: Any, child: Any, level: int, node: Node, context: Context) -> bool:
    if node.depth < 2 * ONE_PLY or node.skipped + 1 >= node.move_count:
        return True
    if not loses_at_once(position, node.move):
        return True
    context.losing_moves_skipped += 1
    return False
