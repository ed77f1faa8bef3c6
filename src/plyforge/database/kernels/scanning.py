"""Scans of a slice: every position is looked at by its moves.

`count_moves` finds the ends of games, the best moves to other slices, and the predecessors of each
position.  `decide` is one pass of the method that needs no more memory than the values: it decides
the positions whose value is certain at a distance.  `verify` compares every value with those of
its children.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import (
    halves,
    in_check,
    index,
    keeps_turn,
    load_flag,
    octets,
    offset,
    play,
    shorts,
    unindex,
)
from plyforge.core.ranking import SLICE_SHIFT
from plyforge.database.kernels.context import Build
from plyforge.database.kernels.lookup import end_value, known_value, list_moves
from plyforge.database.kernels.values import (
    INVALID,
    LEFT_OUT,
    UNKNOWN,
    WON,
    distance_of,
    is_decided,
    move_value,
)

MAX_INNER = 255
"""The number of moves within a slice that fits the counters."""
_DEPTH = 0


def count_moves(root: Any, context: Build) -> None:
    """Fill `outside` and `remaining`, and count the predecessors of each position in `starts`."""
    values, outside = shorts(context.values), shorts(context.outside)
    remaining, starts = octets(context.remaining), halves(context.starts)
    for place in range(context.first, context.last):
        if load_flag(context) != 0:
            return
        number = context.code << SLICE_SHIFT | place
        position = unindex(root, number)
        if index(position) != number:
            values[place] = INVALID
            continue
        context.positions += 1
        best, inner = look_at_moves(position, number, starts, context)
        outside[place] = best
        remaining[place] = min(inner, MAX_INNER)
        if inner > MAX_INNER:
            context.keeps += 1  # the method that counts cannot be used
        if best != UNKNOWN and is_decided(best):
            context.max_outside = max(context.max_outside, distance_of(best))


def look_at_moves(position: Any, number: int, starts: Any, context: Build) -> Any:
    """The best value by moves to other slices, and the number of moves within the slice."""
    count = list_moves(position, number, context.moves, context)
    best = end_value(position, count, number, context)
    if best != UNKNOWN:
        note_value(best, context)
        return best, 0
    inner = 0
    below = offset(context.moves, count)
    for place in range(count):
        child = play(position, context.moves[place])
        flips = not keeps_turn(position, child)
        if not flips:
            context.keeps += 1
        child_number = np.int64(index(child))
        if child_number >> SLICE_SHIFT == context.code:
            inner += 1
            target = child_number & ((1 << SLICE_SHIFT) - 1)
            if target < context.size:
                starts[target] = starts[target] + 1
            else:
                known_value(child, child_number, np.int64(_DEPTH), below, context)
            continue
        value = known_value(child, child_number, np.int64(_DEPTH), below, context)
        if value == UNKNOWN:
            continue  # a slice is missing: the scan will be repeated, or a position without slice
        best = max(best, move_value(position, child, value, flips))
    context.inner_moves += inner
    note_value(best, context)
    return best, inner


def note_value(value: int, context: Build) -> None:
    """Count values that are scores."""
    if value != 0 and not is_decided(value):
        context.scores += 1


def list_predecessors(root: Any, context: Build) -> None:
    """Write each position to the lists of predecessors of its children within the slice."""
    values, remaining = shorts(context.values), octets(context.remaining)
    starts, edges = halves(context.starts), halves(context.edges)
    for place in range(context.first, context.last):
        if load_flag(context) != 0:
            return
        if values[place] == INVALID or remaining[place] == 0:
            continue
        number = context.code << SLICE_SHIFT | place
        position = unindex(root, number)
        count = list_moves(position, number, context.moves, context)
        for move in range(count):
            child_number = np.int64(index(play(position, context.moves[move])))
            if child_number >> SLICE_SHIFT == context.code:
                target = child_number & ((1 << SLICE_SHIFT) - 1)
                starts[target] = starts[target] - 1
                edges[starts[target]] = place


def decide(root: Any, context: Build) -> None:
    """Decide the positions whose value is certain when all wins and losses up to `level` are known.

    Values are final when they are written, so the order of the positions does not matter.
    """
    values = shorts(context.values)
    for place in range(context.first, context.last):
        if load_flag(context) != 0:
            return
        if values[place] != UNKNOWN:
            continue
        number = context.code << SLICE_SHIFT | place
        position = unindex(root, number)
        if index(position) != number:
            values[place] = INVALID
            continue
        value, unknown, _ = value_by_moves(position, number, context)
        if unknown > 0:
            if value <= 0 or not is_decided(value):
                continue
            if WON - value > context.level:
                context.waiting += 1
                continue
        values[place] = value
        context.changed += 1


def value_by_moves(position: Any, number: int, context: Build) -> Any:
    """The best of the known values of moves, the number of other moves, and of inner ones."""
    count = list_moves(position, number, context.moves, context)
    best = end_value(position, count, number, context)
    unknown = inner = 0
    if best != UNKNOWN:
        note_value(best, context)
        return best, unknown, inner
    below = offset(context.moves, count)
    for place in range(count):
        child = play(position, context.moves[place])
        flips = not keeps_turn(position, child)
        child_number = np.int64(index(child))
        if child_number >> SLICE_SHIFT == context.code:
            inner += 1
        value = known_value(child, child_number, np.int64(_DEPTH), below, context)
        if value == UNKNOWN:
            unknown += 1
        else:
            best = max(best, move_value(position, child, value, flips))
    return best, unknown, inner


def verify(root: Any, context: Build) -> None:
    """Count the positions whose value does not follow from those of their children."""
    values = shorts(context.values)
    for place in range(context.first, context.last):
        if load_flag(context) != 0:
            return
        number = context.code << SLICE_SHIFT | place
        position = unindex(root, number)
        stored = np.int64(values[place])
        if index(position) != number:
            right = stored == INVALID
        else:
            context.positions += 1
            value, unknown, inner = value_by_moves(position, number, context)
            right = unknown == 0 and value == stored
            if in_check(position):
                context.checks += 1
                if inner > 0:
                    context.kept_checks += 1
        if not right:
            if context.wrong == 0:
                context.wrong_number = number
            context.wrong += 1


def restore(root: Any, context: Build) -> None:
    """Mark the numbers that stand for no position, and find the values that a file leaves out.

    A value from a file means nothing there.  With `level` 1, the file leaves positions out.
    """
    values = shorts(context.values)
    for place in range(context.first, context.last):
        if load_flag(context) != 0:
            return
        number = context.code << SLICE_SHIFT | place
        position = unindex(root, number)
        if index(position) != number:
            values[place] = INVALID
        elif context.level != 0 and in_check(position):
            value, _, _ = value_by_moves(position, number, context)
            values[place] = value


def leave_out(root: Any, context: Build) -> None:
    """Take the values of positions with `in_check` away; their moves tell them."""
    values = shorts(context.values)
    for place in range(context.first, context.last):
        if load_flag(context) != 0:
            return
        if values[place] != INVALID:
            position = unindex(root, context.code << SLICE_SHIFT | place)
            if in_check(position):
                values[place] = LEFT_OUT
