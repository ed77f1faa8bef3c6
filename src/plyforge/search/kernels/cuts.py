"""Learning from cuts: moves that cut are tried earlier elsewhere, by their slots."""

from typing import Any

from plyforge.compilation.hooks_api import move_kind, offset, slot_of
from plyforge.search.kernels.context import ONE_PLY, Context, Node
from plyforge.search.kernels.phases import learn_move

# The meaning of `history_growth`: what a cut at a remaining depth of d plies adds.
SQUARE = 0
POWER = 1
_MAX_POWER = 30
MAX_HISTORY = 1 << 40
"""The limit of scores in either direction; a float64 holds their sums exactly."""


def learn_from_cut(position: Any, level: int, node: Node, context: Context) -> None:
    """Tell steps that the present move has cut, and that the quiet moves before it have not."""
    bonus = bonus_of(node.depth, context)
    learn_move(slot_of(position, node.move), bonus, level, node, context)
    if context.history_penalty != 0:
        penalise_others(position, bonus, level, node, context)


def bonus_of(depth: int, context: Context) -> int:
    """The bonus for a cut at a remaining depth of d plies: d^2 or 2^d."""
    plies = (depth + ONE_PLY - 1) // ONE_PLY
    if context.history_growth == SQUARE:
        return plies * plies
    return 1 << min(plies, _MAX_POWER)


def penalise_others(position: Any, bonus: int, level: int, node: Node, context: Context) -> None:
    """Lower the scores of the quiet moves that were tried before the cut."""
    buffer = offset(context.moves, node.moves_start)
    order = offset(context.move_order, node.moves_start)
    change = -(bonus * context.history_penalty >> 4)
    for rank in range(node.tried - 1):
        index = order[rank] if context.sorts_moves != 0 else rank
        if index != node.move_index and move_kind(position, buffer[index]) == 0:
            learn_move(slot_of(position, buffer[index]), change, level, node, context)


def add_clamped(old: int, change: int) -> int:
    """Add to a score within its limits."""
    return max(-MAX_HISTORY, min(MAX_HISTORY, old + change))
