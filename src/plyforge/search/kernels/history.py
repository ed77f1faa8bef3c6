"""Killers, history and continuation history: moves that cut elsewhere are tried earlier.

All of them are written at a cut and read when moves are sorted.
"""

from typing import Any

from plyforge.compilation.hooks_api import move_kind, offset, pointer, slot_limit, slot_of
from plyforge.search.kernels.context import (
    CONTINUATION,
    CONTINUATION_BITS,
    DEPTH,
    HISTORY,
    HISTORY_GROWTH,
    HISTORY_PENALTY,
    KILLERS,
    MOVE,
    MOVE_INDEX,
    MOVES,
    MOVES_START,
    ONE_PLY,
    ORDER,
    ORDERED,
    SIDE,
    SLOT,
    SQUARE,
    TRIED,
    USE_CONTINUATION,
    USE_HISTORY,
    USE_KILLERS,
    option,
)

MAX_HISTORY = 1 << 40
"""The limit of histories in either direction; a float64 holds their sums exactly."""
_MAX_POWER = 30
_SPREAD = 0x7F4A7C15


def bonus_of(depth: int, context: Any) -> int:
    """The bonus for a cut at a remaining depth of d plies: d^2 or 2^d."""
    plies = (depth + ONE_PLY - 1) // ONE_PLY
    if option(context, HISTORY_GROWTH) == SQUARE:
        return plies * plies
    return 1 << min(plies, _MAX_POWER)


def continuation_place(previous: int, slot: int, context: Any) -> int:
    """The index of a move and its predecessor in the table of pairs."""
    pair = previous * slot_limit() + slot
    bits = option(context, CONTINUATION_BITS)
    if slot_limit() * slot_limit() <= 1 << bits:
        return pair
    return (pair * _SPREAD >> 12) & ((1 << bits) - 1)


def history_score(position: Any, move: int, frame: Any, context: Any) -> int:
    """The sum of a move's histories."""
    slot = slot_of(position, move)
    score = 0
    if option(context, USE_HISTORY) != 0:
        score += pointer(context[HISTORY])[frame[SIDE] * slot_limit() + slot]
    if option(context, USE_CONTINUATION) != 0 and frame[SLOT] >= 0:
        score += pointer(context[CONTINUATION])[continuation_place(frame[SLOT], slot, context)]
    return score


def add_clamped(old: int, change: int) -> int:
    return max(-MAX_HISTORY, min(MAX_HISTORY, old + change))


def change_history(position: Any, move: int, change: int, frame: Any, context: Any) -> None:
    """Add to a move's histories."""
    slot = slot_of(position, move)
    if option(context, USE_HISTORY) != 0:
        table = pointer(context[HISTORY])
        place = frame[SIDE] * slot_limit() + slot
        table[place] = add_clamped(table[place], change)
    if option(context, USE_CONTINUATION) != 0 and frame[SLOT] >= 0:
        table = pointer(context[CONTINUATION])
        place = continuation_place(frame[SLOT], slot, context)
        table[place] = add_clamped(table[place], change)


def remember_cut(position: Any, ply: int, frame: Any, context: Any) -> None:
    """Record that the present move has cut, and that the moves before it have not."""
    move = frame[MOVE]
    if option(context, USE_KILLERS) != 0 and move_kind(position, move) == 0:
        killers = offset(pointer(context[KILLERS]), 2 * ply)
        if killers[0] != move:
            killers[1] = killers[0]
            killers[0] = move
    if option(context, USE_HISTORY) == 0 and option(context, USE_CONTINUATION) == 0:
        return
    bonus = bonus_of(frame[DEPTH], context)
    change_history(position, move, bonus, frame, context)
    if option(context, HISTORY_PENALTY) != 0:
        penalise_others(position, bonus, frame, context)


def penalise_others(position: Any, bonus: int, frame: Any, context: Any) -> None:
    """Lower the histories of the quiet moves that were tried before the cut."""
    buffer = offset(pointer(context[MOVES]), frame[MOVES_START])
    order = offset(pointer(context[ORDER]), frame[MOVES_START])
    for rank in range(frame[TRIED] - 1):
        index = order[rank] if option(context, ORDERED) != 0 else rank
        if index != frame[MOVE_INDEX] and move_kind(position, buffer[index]) == 0:
            change = -(bonus * option(context, HISTORY_PENALTY) >> 4)
            change_history(position, buffer[index], change, frame, context)
