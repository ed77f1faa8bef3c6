"""Killers, history and continuation history: moves that cut elsewhere are tried earlier here.

All of them are written at a cut, and read when moves are sorted.
"""

from typing import Any

from plyforge.compilation.hooks_api import move_kind, offset, pointer, slot_limit, slot_of
from plyforge.search.kernels.context import (
    BASE,
    CONTINUATION,
    CONTINUATION_BITS,
    DEPTH,
    HISTORY,
    HISTORY_GROWTH,
    HISTORY_PENALTY,
    INDEX,
    KILLERS,
    MOVE,
    MOVES,
    NEXT,
    ONE_PLY,
    ORDER,
    ORDERED,
    SIDE,
    SLOT,
    SQUARE,
    USE_CONTINUATION,
    USE_HISTORY,
    USE_KILLERS,
    option,
)

MOST = 1 << 40
"""Histories stay within ± this; a float64 holds their sums exactly."""
_MAX_POWER = 30
_SPREAD = 0x7F4A7C15


def bonus_of(depth: int, context: Any) -> int:
    """What a cut at a remaining depth is worth: d^2, or 2^d."""
    plies = (depth + ONE_PLY - 1) // ONE_PLY
    if option(context, HISTORY_GROWTH) == SQUARE:
        return plies * plies
    return 1 << min(plies, _MAX_POWER)


def continuation_place(previous: int, slot: int, context: Any) -> int:
    """Where the pair of a move and its predecessor stands."""
    pair = previous * slot_limit() + slot
    bits = option(context, CONTINUATION_BITS)
    if slot_limit() * slot_limit() <= 1 << bits:
        return pair
    return (pair * _SPREAD >> 12) & ((1 << bits) - 1)


def history_score(position: Any, move: int, frame: Any, context: Any) -> int:
    """What the histories say of a move."""
    slot = slot_of(position, move)
    score = 0
    if option(context, USE_HISTORY) != 0:
        score += pointer(context[HISTORY])[frame[SIDE] * slot_limit() + slot]
    if option(context, USE_CONTINUATION) != 0 and frame[SLOT] >= 0:
        score += pointer(context[CONTINUATION])[continuation_place(frame[SLOT], slot, context)]
    return score


def added(old: int, change: int) -> int:
    return max(-MOST, min(MOST, old + change))


def change_history(position: Any, move: int, change: int, frame: Any, context: Any) -> None:
    slot = slot_of(position, move)
    if option(context, USE_HISTORY) != 0:
        table = pointer(context[HISTORY])
        place = frame[SIDE] * slot_limit() + slot
        table[place] = added(table[place], change)
    if option(context, USE_CONTINUATION) != 0 and frame[SLOT] >= 0:
        table = pointer(context[CONTINUATION])
        place = continuation_place(frame[SLOT], slot, context)
        table[place] = added(table[place], change)


def remember_cut(position: Any, ply: int, frame: Any, context: Any) -> None:
    """Write down that the present move has cut, and that those before it have not."""
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
        punish_others(position, bonus, frame, context)


def punish_others(position: Any, bonus: int, frame: Any, context: Any) -> None:
    """Take from the quiet moves that were tried in vain."""
    list_ = offset(pointer(context[MOVES]), frame[BASE])
    order = offset(pointer(context[ORDER]), frame[BASE])
    for rank in range(frame[NEXT] - 1):
        index = order[rank] if option(context, ORDERED) != 0 else rank
        if index != frame[INDEX] and move_kind(position, list_[index]) == 0:
            change = -(bonus * option(context, HISTORY_PENALTY) >> 4)
            change_history(position, list_[index], change, frame, context)
