"""Where a proof search ends: at ends of the game and at repeated positions.

Earlier positions are of two kinds.  Those before the root are the same on every path: a move back
to one of them always means the same, as an end of the game does.  A position on the path from the
root comes back on some paths only; what a search concludes from that depends on the path.

Where repetition is a draw, the second occurrence on the path from the root counts, whatever the
rules say: a side that can win can do so without going round, so both have the same value.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import (
    canonical_key,
    drawn,
    has_cycles,
    irreversible,
    key,
    move_limit,
    moves,
    offset,
    outcome,
    play,
    probe,
    proven_result,
    stuck,
)
from plyforge.compilation.keys import mix
from plyforge.core.scores import DRAW, ONGOING, WIN
from plyforge.game.kernels.path_ends import ALLOWED, DRAWS, ILLEGAL, repetition_value
from plyforge.search.proof.kernels.context import (
    BAD_RESULT,
    INFINITE,
    NO_CYCLE,
    NO_END,
    TOO_MANY_MOVES,
    Frame,
    ProofContext,
)

_SALT = np.uint64(0x6A09E667F3BCC909)
_FIRST_SIDE = np.uint64(0xBB67AE8584CAA73B)


def report_fault(fault: int, context: ProofContext) -> None:
    """Stop the search for a reason that the caller explains."""
    if context.fault == 0:
        context.fault = fault
    context.stop = 1


def list_moves(position: Any, start: int, context: ProofContext) -> int:
    """Write the moves to the buffer from index `start`; return their number."""
    count = moves(position, offset(context.moves, start))
    if count > move_limit():
        context.fault_count = count
        report_fault(TOO_MANY_MOVES, context)
        return 0
    return count


def end_value(position: Any, start: int, context: ProofContext) -> float:
    """The value of an end of the game for the side to move, or `NO_END`.

    That a side cannot move is seen only where a draw by rule depends on it; `start` is where the
    buffer of moves is free.
    """
    value = outcome(position)
    if value != ONGOING:
        return value
    if drawn(position):
        if list_moves(position, start, context) == 0:
            return stuck(position)
        return float(DRAW)
    return known_end(position, context)


def known_end(position: Any, context: ProofContext) -> float:
    """The value of a position that is known without its moves, or `NO_END`; see `databases`."""
    return NO_END


def known_value(position: Any) -> float:
    """The value of an unfinished game for the side to move if the game knows it, or `NO_END`."""
    value = probe(position)
    if value == ONGOING:
        value = proven_result(position)
    return NO_END if value == ONGOING else value


def is_yes(value: float, side: int, context: ProofContext) -> bool:
    """Whether a final value for `side` answers the question with yes; it is noted, too."""
    if not -float(WIN) <= value <= float(WIN):
        context.fault_value = value
        report_fault(BAD_RESULT, context)
    if side != context.attacker:
        value = 0.0 - value
    context.lowest = min(context.lowest, value)
    context.highest = max(context.highest, value)
    if value >= context.threshold:
        context.best_above = min(context.best_above, value)
        return True
    context.best_below = max(context.best_below, value)
    return False


def proof_of(yes: bool) -> int:
    """The proof number of a node whose answer is known."""
    return 0 if yes else INFINITE


def disproof_of(yes: bool) -> int:
    """The disproof number of a node whose answer is known."""
    return INFINITE if yes else 0


# The path


def enter_path(position_key: Any, index: int, context: ProofContext) -> None:
    """Put a position on the path from the root."""
    context.path[index] = position_key
    if context.counts_size > 0:
        place = np.int64(position_key & np.uint64(context.counts_size - 1))
        context.counts[place] += 1


def leave_path(index: int, context: ProofContext) -> None:
    """Take the last position off the path."""
    if context.counts_size > 0:
        place = np.int64(context.path[index] & np.uint64(context.counts_size - 1))
        context.counts[place] -= 1


def repeated_index(position_key: Any, first: int, end: int, context: ProofContext) -> int:
    """What a position repeats: -1 for none, an index on the path, or `NO_CYCLE`.

    `NO_CYCLE` stands for positions before the root, which are the same on every path.  The path is
    compared from index `first` up to `end`.
    """
    if not has_cycles() or context.repetition == ALLOWED or first >= end:
        return -1
    before, needed = 0, 1
    if context.repetition != ILLEGAL:
        needed = context.repetition_count - 1
    for index in range(first, min(context.before_root, end)):
        if context.path[index] == position_key:
            before += 1
    if before >= needed:
        return NO_CYCLE
    if context.counts_size > 0:
        place = np.int64(position_key & np.uint64(context.counts_size - 1))
        if context.counts[place] == 0:
            return -1
    if context.repetition == DRAWS:
        before, needed = 0, 1
    lowest = -1
    for index in range(max(first, context.before_root), end):
        if context.path[index] == position_key:
            before += 1
            if lowest < 0:
                lowest = index
    return lowest if before >= needed else -1


def repetition_end(flipped: bool, context: ProofContext) -> float:
    """The value of a repeated position for the side to move."""
    return repetition_value(context.repetition, not flipped)


def prepare_child(
    position: Any, move: int, flips: bool, index: int, frame: Frame, child: Frame
) -> None:
    """Write to the child's frame how a move changes the path; the node is at `index` on it."""
    child.side = 1 - frame.side if flips else frame.side
    child.flipped = 1 if flips else 0
    child.first = frame.first
    child.path_hash = frame.path_hash
    if not has_cycles():
        return
    if irreversible(position, move):
        child.first = index + 1
        child.path_hash = 0
    else:
        total = np.int64(frame.path_hash).view(np.uint64) + mix(
            _SALT, np.int64(frame.key).view(np.uint64)
        )
        child.path_hash = np.uint64(total).view(np.int64)


def node_key(position: Any, side: int, context: ProofContext) -> int:
    """The key of a position together with the question.

    Symmetric positions share one, except where the path matters: none of them is a repetition of
    another.  `side` is to move; images of a position with the colours swapped have other answers.
    """
    word = np.int64(context.salt).view(np.uint64)
    if context.symmetry == 0 or has_cycles():
        return np.uint64(word ^ np.uint64(key(position))).view(np.int64)
    if side == 0:
        word ^= _FIRST_SIDE
    return np.uint64(word ^ np.uint64(canonical_key(position))).view(np.int64)


def drop_repeating_moves(
    position: Any, index: int, frame: Frame, child: Frame, context: ProofContext
) -> int:
    """Keep the moves that are legal where positions may not come back; return their number.

    The lowest index of a position that makes a move illegal is noted in the frame.
    """
    kept = 0
    for number in range(frame.count):
        move = context.moves[frame.start + number]
        prepare_child(position, move, True, index, frame, child)
        found = repeated_index(
            np.uint64(key(play(position, move))), child.first, index + 1, context
        )
        if found < 0:
            context.moves[frame.start + kept] = move
            kept += 1
        elif found < NO_CYCLE:
            frame.dropped = min(frame.dropped, found)
    return kept


def find_end(child: Any, frame: Frame, level: int, context: ProofContext) -> bool:
    """Whether a child of the node at `level` is an end; if so, its answer is in the child's frame.

    That a side has no move is found only when its moves are listed.
    """
    frame.cycle = NO_CYCLE
    value = end_value(child, frame.start, context)
    if value == NO_END and has_cycles() and context.repetition != ILLEGAL:
        end = context.before_root + level + 1
        found = repeated_index(np.uint64(key(child)), frame.first, end, context)
        if found >= 0:
            context.repetitions += 1
            value = repetition_end(frame.flipped == 1, context)
            frame.cycle = found
    if value == NO_END:
        value = known_value(child)
    if value == NO_END:
        return False
    context.ends += 1
    yes = is_yes(value, frame.side, context)
    frame.proof, frame.disproof = proof_of(yes), disproof_of(yes)
    return True
