"""Continuation history: as the history heuristic, by the pair of a move and the move before it."""

from typing import Any

from plyforge.compilation.hooks_api import slot_limit
from plyforge.search.kernels.context import Context, Node
from plyforge.search.kernels.cuts import add_clamped
from plyforge.search.steps.step import Array

NAME = "continuation"
SUMMARY = "as `history`, by the pair of a move and the move before it"
PAPER = "the countermove heuristic of Uiterwijk 1992, as developed in Stockfish"
EXACT = True

_BITS = 16
_SPREAD = 0x7F4A7C15
ARRAYS = (Array("pair_scores", lambda sizes: min(sizes.slots**2, 1 << _BITS), between="age"),)


def pair_place(previous: int, slot: int) -> int:
    """The index of a move and its predecessor in the table of pairs."""
    pair = previous * slot_limit() + slot
    if slot_limit() * slot_limit() <= 1 << _BITS:
        return pair
    return (pair * _SPREAD >> 12) & ((1 << _BITS) - 1)


def score_move(
    move: int, slot: int, position: Any, level: int, node: Node, context: Context
) -> float:
    if node.slot < 0:
        return 0.0
    return context.pair_scores[pair_place(node.slot, slot)] * context.history_weight


def learn_move(slot: int, change: int, level: int, node: Node, context: Context) -> None:
    if node.slot >= 0:
        place = pair_place(node.slot, slot)
        context.pair_scores[place] = add_clamped(context.pair_scores[place], change)
