"""Values of positions: in the slice that is built, in finished slices, or by trying moves."""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import (
    drawn,
    in_check,
    index,
    keeps_turn,
    move_limit,
    moves,
    offset,
    outcome,
    play,
    secured_score,
    shorts,
    stuck,
)
from plyforge.core.ranking import SLICE_SHIFT
from plyforge.core.scores import LOSS, ONGOING, WIN
from plyforge.database.kernels.context import (
    BAD_INDEX,
    BAD_SCORE,
    ENDLESS,
    ENTRY_CODE,
    ENTRY_LEAVES_OUT,
    ENTRY_SIZE,
    ENTRY_VALUES,
    ENTRY_WORDS,
    MAX_DEPTH,
    MAX_MISSING,
    TOO_MANY_MOVES,
    Build,
)
from plyforge.database.kernels.values import (
    LEFT_OUT,
    MAX_SCORE,
    UNKNOWN,
    move_value,
    result_value,
)

PLACE_MASK = (1 << SLICE_SHIFT) - 1
_SPREAD = 0x9E3779B1


def find_entry(slices: Any, mask: int, code: int) -> int:
    """The place of a slice in the table, or -1 if it is not there."""
    slot = code * _SPREAD >> 8 & mask
    while slices[slot * ENTRY_WORDS + ENTRY_CODE] != 0:
        if slices[slot * ENTRY_WORDS + ENTRY_CODE] == code + 1:
            return slot * ENTRY_WORDS
        slot = slot + 1 & mask
    return -1


def report_fault(fault: int, number: int, context: Build) -> None:
    """Stop because of a fault of the rules or the index."""
    if context.fault == 0:
        context.fault = fault
        context.fault_number = number
    context.stop = 1


def report_missing(number: int, context: Build) -> None:
    """Note that a slice is needed and not there, once for each slice."""
    for place in range(context.missing_count):
        if context.missing[place] >> SLICE_SHIFT == number >> SLICE_SHIFT:
            return
    if context.missing_count < MAX_MISSING:
        context.missing[context.missing_count] = number
        context.missing_count += 1


def stored_value(position: Any, number: int, context: Build) -> int:
    """The value of a position with this number, `UNKNOWN`, or `LEFT_OUT` if moves must be tried."""
    if number < 0:
        return LEFT_OUT
    code, place = number >> SLICE_SHIFT, number & PLACE_MASK
    if code == context.code:
        if place >= context.size:
            report_fault(BAD_INDEX, number, context)
            return UNKNOWN
        return np.int64(shorts(context.values)[place])
    entry = find_entry(context.slices, context.slice_mask, code)
    if entry < 0:
        report_missing(number, context)
        return UNKNOWN
    if place >= context.slices[entry + ENTRY_SIZE]:
        report_fault(BAD_INDEX, number, context)
        return UNKNOWN
    if context.slices[entry + ENTRY_LEAVES_OUT] != 0 and in_check(position):
        return LEFT_OUT
    return np.int64(shorts(context.slices[entry + ENTRY_VALUES])[place])


def end_value(position: Any, count: int, number: int, context: Build) -> int:
    """The value of a position without moves, or with a result that is known; else `UNKNOWN`."""
    result = outcome(position)
    if result == ONGOING:
        if count == 0:
            result = stuck(position)
        elif drawn(position):
            return 0
        else:
            return UNKNOWN
    secured = secured_score(position)
    if result != WIN and result != LOSS:
        score = result - secured
        if score != np.floor(score) or abs(score) > MAX_SCORE:
            report_fault(BAD_SCORE, number, context)
            return 0
    return result_value(result, secured)


def list_moves(position: Any, number: int, buffer: Any, context: Build) -> int:
    """Write the moves of a position to a buffer; return their number."""
    if outcome(position) != ONGOING:
        return 0
    count = moves(position, buffer)
    if count > move_limit():
        report_fault(TOO_MANY_MOVES, number, context)
        return 0
    return count


def known_value(position: Any, number: int, depth: int, buffer: Any, context: Build) -> int:
    """The value of a position, which may be `UNKNOWN`; moves are tried where none is stored."""
    value = stored_value(position, number, context)
    if value != LEFT_OUT:
        return value
    if depth >= MAX_DEPTH:
        report_fault(ENDLESS, number, context)
        return UNKNOWN
    count = list_moves(position, number, buffer, context)
    best = end_value(position, count, number, context)
    if best != UNKNOWN:
        return best
    below = offset(buffer, count)
    unknown = False
    for place in range(count):
        child = play(position, buffer[place])
        value = known_value(child, np.int64(index(child)), depth + 1, below, context)
        if value == UNKNOWN:
            unknown = True
        else:
            best = max(best, move_value(position, child, value, not keeps_turn(position, child)))
    # A better move may follow once all values are known; only a win cannot wait for that.
    return UNKNOWN if unknown else best
