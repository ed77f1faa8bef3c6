"""Where a search stops: at ends of the game, and at leaves on the horizon."""

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
from plyforge.game.kernels.path_ends import ILLEGAL, lacks_progress, repetition_value
from plyforge.search.kernels.context import (
    BAD_EVALUATION,
    FAULT,
    FAULT_COUNT,
    FAULT_PLY,
    FAULT_VALUE,
    HORIZON_MOVES,
    MAX_EVALUATION,
    MIN_EVALUATION,
    MOVES,
    MOVES_START,
    NO_PROGRESS_LIMIT,
    NO_VALUE,
    PROVEN,
    REALS,
    REPETITION,
    REVERSIBLE_PLIES,
    ROOT_MOVE_COUNT,
    ROOT_MOVES,
    STOP,
    TOO_MANY_MOVES,
    option,
)
from plyforge.search.kernels.cycles import is_repeated, keep_new_positions, watches_cycles
from plyforge.search.kernels.values import from_root, to_float32


def report_fault(fault: int, ply: int, context: Any) -> None:
    """Stop because of a fault of the game; the moves in the frames lead to the position."""
    if context[FAULT] == 0:
        context[FAULT] = fault
        context[FAULT_PLY] = ply
    context[STOP] = 1


def list_moves(position: Any, ply: int, frame: Any, context: Any) -> int:
    """Write the legal moves to the node's part of the buffer; return their number."""
    buffer = offset(pointer(context[MOVES]), frame[MOVES_START])
    count = moves(position, buffer)
    if count > move_limit():
        context[FAULT_COUNT] = count
        report_fault(TOO_MANY_MOVES, ply, context)
        return 0
    if watches_cycles(context) and option(context, REPETITION) == ILLEGAL:
        count = keep_new_positions(position, count, ply, frame, context)
    if ply == 0 and context[ROOT_MOVE_COUNT] > 0:
        count = keep_root_moves(count, buffer, context)
    return count


def keep_root_moves(count: int, buffer: Any, context: Any) -> int:
    """Keep the moves that the caller allows at the root; return their number."""
    chosen = pointer(context[ROOT_MOVES])
    kept = 0
    for index in range(count):
        for other in range(context[ROOT_MOVE_COUNT]):
            if buffer[index] == chosen[other]:
                buffer[kept] = buffer[index]
                kept += 1
                break
    return kept


def end_value(
    position: Any, position_key: Any, ply: int, flipped: bool, frame: Any, context: Any
) -> float:
    """The value of a finished game for the side to move, or `NO_VALUE`.

    The order is that of `History.verdict`.  At the root the game is not over.
    """
    value = outcome(position)
    if value != ONGOING:
        return from_root(to_float32(value), ply)
    if ply == 0:
        return NO_VALUE
    if drawn(position):
        return drawn_value(position, ply, frame, context)
    if watches_cycles(context):
        # A repeated position has a move: it had one when it occurred before.
        if is_repeated(position_key, ply, frame, context):
            return from_root(repetition_value(option(context, REPETITION), not flipped), ply)
        if lacks_progress(option(context, NO_PROGRESS_LIMIT), frame[REVERSIBLE_PLIES]):
            return drawn_value(position, ply, frame, context)
    return NO_VALUE


def drawn_value(position: Any, ply: int, frame: Any, context: Any) -> float:
    """The value of a position that is a draw by rule, unless the side to move has no move."""
    if list_moves(position, ply, frame, context) == 0:
        return stuck_value(position, ply)
    return float(DRAW)


def is_stuck(position: Any, ply: int, frame: Any, context: Any) -> bool:
    """Whether the side to move has no move."""
    banned = watches_cycles(context) and option(context, REPETITION) == ILLEGAL
    if not banned and can_move(position):
        return False
    return list_moves(position, ply, frame, context) == 0


def stuck_value(position: Any, ply: int) -> float:
    return from_root(to_float32(stuck(position)), ply)


def leaf_value(position: Any, state: Any, ply: int, frame: Any, context: Any) -> float:
    """The value at the horizon: the evaluation, unless the side to move has no move."""
    if option(context, HORIZON_MOVES) != 0 and is_stuck(position, ply, frame, context):
        return stuck_value(position, ply)
    frame[PROVEN] = 0
    value = evaluate(position, state)
    reals = floats(context[REALS])
    if not reals[MIN_EVALUATION] <= value <= reals[MAX_EVALUATION]:
        if context[FAULT] == 0:
            reals[FAULT_VALUE] = value
        report_fault(BAD_EVALUATION, ply, context)
        return 0.0
    return to_float32(value)
