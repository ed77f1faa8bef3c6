"""Where a search stops: at ends of the game, and at leaves on the horizon."""

from typing import Any

from plyforge.compilation.hooks_api import (
    can_move,
    chance,
    drawn,
    evaluate,
    move_limit,
    moves,
    offset,
    outcome,
    probe,
    result_value,
    stuck,
)
from plyforge.core.scores import DRAW, ONGOING
from plyforge.game.kernels.path_ends import ILLEGAL, lacks_progress, repetition_value
from plyforge.search.kernels.context import (
    BAD_EVALUATION,
    NO_VALUE,
    SOUND,
    TOO_MANY_MOVES,
    Context,
    Node,
)
from plyforge.search.kernels.cycles import (
    is_repeated,
    keep_new_positions,
    proven_by_path,
    watches_cycles,
)
from plyforge.search.kernels.values import from_root, to_float32


def report_fault(fault: int, level: int, context: Context) -> None:
    """Stop because of a fault; the moves of the nodes above `level` lead to the position."""
    if context.fault == 0:
        context.fault = fault
        context.fault_level = level
    context.stop = 1


def list_moves(position: Any, level: int, node: Node, context: Context) -> int:
    """Write the legal moves to the node's part of the buffer; return their number."""
    buffer = offset(context.moves, node.moves_start)
    count = moves(position, buffer)
    if count > move_limit():
        context.fault_count = count
        report_fault(TOO_MANY_MOVES, level, context)
        return 0
    if watches_cycles(context) and context.repetition == ILLEGAL:
        count = keep_new_positions(position, count, node, context)
    if node.ply == 0 and context.root_move_count > 0:
        count = keep_root_moves(count, buffer, context)
    return count


def keep_root_moves(count: int, buffer: Any, context: Context) -> int:
    """Keep the moves that the caller allows at the root; return their number."""
    chosen = context.root_moves
    kept = 0
    for index in range(count):
        for other in range(context.root_move_count):
            if buffer[index] == chosen[other]:
                buffer[kept] = buffer[index]
                kept += 1
                break
    return kept


def end_value(position: Any, position_key: Any, level: int, node: Node, context: Context) -> float:
    """The value of a finished game for the side to move, or `NO_VALUE`.

    The order is that of `History.verdict`.  At the root the game is not over.
    """
    value = outcome(position)
    if value != ONGOING:
        return from_root(to_float32(result_value(value)), node.ply)
    if node.ply == 0:
        return NO_VALUE
    if drawn(position):
        return drawn_value(position, level, node, context)
    if watches_cycles(context):
        # A repeated position has a move: it had one when it occurred before.
        if is_repeated(position_key, node, context):
            value = result_value(repetition_value(context.repetition, node.flipped == 0))
            node.proven = proven_by_path(value, context)
            return from_root(value, node.ply)
        if lacks_progress(context.no_progress_limit, node.reversible_plies):
            value = drawn_value(position, level, node, context)
            node.proven = proven_by_path(value, context)
            return value
    return NO_VALUE


def game_value(position: Any, node: Node) -> float:
    """The exact value of a position if the game's hook `probe` knows it, or `NO_VALUE`."""
    value = probe(position)
    if value == ONGOING:
        return NO_VALUE
    return from_root(to_float32(value), node.ply)


def drawn_value(position: Any, level: int, node: Node, context: Context) -> float:
    """The value of a position that is a draw by rule, unless the side to move has no move."""
    if not chance(position) and list_moves(position, level, node, context) == 0:
        return stuck_value(position, node.ply)
    return float(DRAW)


def is_stuck(position: Any, level: int, node: Node, context: Context) -> bool:
    """Whether the side to move has no move."""
    banned = watches_cycles(context) and context.repetition == ILLEGAL
    if chance(position) or (not banned and can_move(position)):
        return False
    return list_moves(position, level, node, context) == 0


def stuck_value(position: Any, ply: int) -> float:
    return from_root(to_float32(result_value(stuck(position))), ply)


def leaf_value(position: Any, level: int, node: Node, context: Context) -> float:
    """The value at the horizon: the evaluation, unless the side to move has no move."""
    if context.horizon_moves != 0 and is_stuck(position, level, node, context):
        return stuck_value(position, node.ply)
    node.proven = SOUND
    return evaluate_node(position, level, context)


def evaluate_node(position: Any, level: int, context: Context) -> float:
    """The evaluation of the position at a level, or a fault if it is outside its range."""
    value = evaluate(position, context.states, level, context.weights)
    if not context.min_evaluation <= value <= context.max_evaluation:
        if context.fault == 0:
            context.fault_value = value
        report_fault(BAD_EVALUATION, level, context)
        return 0.0
    return to_float32(value)
