"""Retrograde analysis: decided positions decide their predecessors, one distance after the other.

Each position counts its moves within the slice that are not yet known to lose.  A position before a
lost one is won; one whose count reaches 0, and which has no better move to another slice, is lost.
Every predecessor is looked at once for each of its moves, however many distances there are.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import halves, load_flag, octets, shorts
from plyforge.database.kernels.context import Build
from plyforge.database.kernels.values import UNKNOWN, WON


def sum_starts(root: Any, context: Build) -> None:
    """Turn the numbers of predecessors in `starts` into the ends of their lists."""
    starts = halves(context.starts)
    total = 0
    for place in range(context.size):
        total += starts[place]
        starts[place] = total
    starts[context.size] = total


def decide_outside(root: Any, context: Build) -> None:
    """Decide the positions whose value at this level comes from another slice, or from an end."""
    values, outside = shorts(context.values), shorts(context.outside)
    remaining, queue = octets(context.remaining), halves(context.queue)
    won, lost = WON - context.level, context.level - WON
    for place in range(context.size):
        value = np.int64(outside[place])
        certain = value == won or (value == lost and remaining[place] == 0)
        if certain and values[place] == UNKNOWN:
            values[place] = value
            queue[context.queue_last] = place
            context.queue_last += 1


def propagate(root: Any, context: Build) -> None:
    """Decide the predecessors of the positions that were decided at this level."""
    values, outside = shorts(context.values), shorts(context.outside)
    remaining, queue = octets(context.remaining), halves(context.queue)
    starts, edges = halves(context.starts), halves(context.edges)
    last = context.queue_last
    won, lost = WON - context.level - 1, context.level + 1 - WON
    while context.queue_first < last:
        if load_flag(context) != 0:
            return
        place = np.int64(queue[context.queue_first])
        context.queue_first += 1
        is_loss = values[place] < 0
        for edge in range(np.int64(starts[place]), np.int64(starts[place + 1])):
            before = np.int64(edges[edge])
            if values[before] != UNKNOWN:
                continue
            if is_loss:
                values[before] = won
            else:
                remaining[before] = remaining[before] - 1
                if remaining[before] != 0 or outside[before] > lost:
                    continue
                values[before] = lost
            queue[context.queue_last] = before
            context.queue_last += 1


def settle_draws(root: Any, context: Build) -> None:
    """Give the positions that no side can decide their value: a draw."""
    values = shorts(context.values)
    for place in range(context.size):
        if values[place] == UNKNOWN:
            values[place] = 0
