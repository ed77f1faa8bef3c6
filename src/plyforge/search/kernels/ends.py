"""Where a search stops: ends of the game, and leaves at the horizon."""

from typing import Any

from plyforge.compilation.hooks_api import (
    can_move,
    drawn,
    evaluate,
    floats,
    move_limit,
    moves,
    offset,
    outcome,
    pointer,
    stuck,
)
from plyforge.core.scores import DRAW, ONGOING
from plyforge.search.kernels.context import (
    BAD_EVALUATION,
    BASE,
    CHOSEN,
    CHOSEN_COUNT,
    EVALUATION_GREATEST,
    EVALUATION_LEAST,
    FAULT,
    FAULT_COUNT,
    FAULT_PLY,
    FAULT_VALUE,
    HORIZON_MOVES,
    ILLEGAL,
    MOVES,
    OPEN,
    PROVEN,
    REALS,
    REPETITION,
    STOP,
    TOO_MANY_MOVES,
    option,
)
from plyforge.search.kernels.cycles import (
    keep_new,
    repetition_value,
    watched,
    without_progress,
)
from plyforge.search.kernels.values import from_root, rounded


def report(fault: int, ply: int, context: Any) -> None:
    """Stop because the game is at fault; the moves in the frames tell the position."""
    if context[FAULT] == 0:
        context[FAULT] = fault
        context[FAULT_PLY] = ply
    context[STOP] = 1


def list_moves(position: Any, ply: int, frame: Any, context: Any) -> int:
    """Write the legal moves to the node's place in the buffer; return how many there are."""
    list_ = offset(pointer(context[MOVES]), frame[BASE])
    count = moves(position, list_)
    if count > move_limit():
        context[FAULT_COUNT] = count
        report(TOO_MANY_MOVES, ply, context)
        return 0
    if watched(context) and option(context, REPETITION) == ILLEGAL:
        count = keep_new(position, count, ply, frame, context)
    if ply == 0 and context[CHOSEN_COUNT] > 0:
        count = keep_chosen(count, list_, context)
    return count


def keep_chosen(count: int, list_: Any, context: Any) -> int:
    """Keep the moves that the caller allows at the root."""
    chosen = pointer(context[CHOSEN])
    kept = 0
    for index in range(count):
        for other in range(context[CHOSEN_COUNT]):
            if list_[index] == chosen[other]:
                list_[kept] = list_[index]
                kept += 1
                break
    return kept


def end_value(
    position: Any, position_key: Any, ply: int, flipped: bool, frame: Any, context: Any
) -> float:
    """The value of a finished game for the side to move, or `OPEN`.

    The order is that of `History.verdict`.  At the root the game is not over.
    """
    value = outcome(position)
    if value != ONGOING:
        return from_root(rounded(value), ply)
    if ply == 0:
        return OPEN
    if drawn(position):
        return drawn_value(position, ply, frame, context)
    if watched(context):
        # A position that has come back had a move when it was there before.
        value = repetition_value(position_key, ply, flipped, frame, context)
        if value != OPEN:
            return from_root(value, ply)
        if without_progress(frame, context):
            return drawn_value(position, ply, frame, context)
    return OPEN


def drawn_value(position: Any, ply: int, frame: Any, context: Any) -> float:
    """The value of a position that a rule makes a draw, unless the side to move cannot move."""
    if list_moves(position, ply, frame, context) == 0:
        return stuck_value(position, ply)
    return float(DRAW)


def is_stuck(position: Any, ply: int, frame: Any, context: Any) -> bool:
    """Whether the side to move has no move."""
    banned = watched(context) and option(context, REPETITION) == ILLEGAL
    if not banned and can_move(position):
        return False
    return list_moves(position, ply, frame, context) == 0


def stuck_value(position: Any, ply: int) -> float:
    return from_root(rounded(stuck(position)), ply)


def leaf_value(position: Any, state: Any, ply: int, frame: Any, context: Any) -> float:
    """The value at the horizon: that of a side that cannot move, or the evaluation."""
    if option(context, HORIZON_MOVES) != 0 and is_stuck(position, ply, frame, context):
        return stuck_value(position, ply)
    frame[PROVEN] = 0
    value = evaluate(position, state)
    reals = floats(context[REALS])
    if not reals[EVALUATION_LEAST] <= value <= reals[EVALUATION_GREATEST]:
        if context[FAULT] == 0:
            reals[FAULT_VALUE] = value
        report(BAD_EVALUATION, ply, context)
        return 0.0
    return rounded(value)
