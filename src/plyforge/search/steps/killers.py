"""Killers: the last two quiet moves that caused a cut at the same ply."""

from typing import Any

from plyforge.compilation.hooks_api import move_kind, offset
from plyforge.search.kernels.context import Context, Node
from plyforge.search.steps.step import Array

NAME = "killers"
SUMMARY = "the last two quiet moves that caused a cut at the same ply are tried early"
PAPER = "Akl, Newborn 1977; Koneru"
EXACT = True
SOURCE = "killers"
COUNTERS = {"cuts_by_killer": "cuts by a killer that the table did not propose"}
ARRAYS = (Array("killer_moves", lambda sizes: 2 * sizes.levels, between="clear"),)

_FIRST_KILLER = float(1 << 45)
"""The lead of the newer killer over the older one: more than any history."""


def promote_move(
    move: int, index: int, position: Any, level: int, node: Node, context: Context
) -> float:
    killers = offset(context.killer_moves, 2 * node.ply)
    if move == killers[0]:
        return context.killers_bonus + _FIRST_KILLER
    if move == killers[1]:
        return context.killers_bonus
    return 0.0


def on_cut(position: Any, level: int, node: Node, context: Context) -> None:
    killers = offset(context.killer_moves, 2 * node.ply)
    if node.cut_source == 0 and (node.move == killers[0] or node.move == killers[1]):
        node.cut_source = 1
        context.cuts_by_killer += 1
    if killers[0] != node.move and move_kind(position, node.move) == 0:
        killers[1] = killers[0]
        killers[0] = node.move
