"""Counting and logging the nodes that a search visits."""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import floats, key, pointer, unsigned
from plyforge.search.kernels.context import (
    BUDGET,
    DISTINCT,
    DISTINCT_BITS,
    DISTINCT_INTERIOR,
    LEAVES,
    LOG,
    LOG_WORDS,
    LOGGED,
    STOP,
)

_NOTHING = np.uint64(0)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


def count_node(kind: int, context: Any) -> None:
    """Count a leaf or an interior node; stop the search when the budget is used up."""
    context[kind] += 1
    context[BUDGET] -= 1
    if context[BUDGET] <= 0:
        context[STOP] = 1


def count_leaf(context: Any) -> None:
    """Count a position that was evaluated or that ends the game."""
    count_node(LEAVES, context)


def log_visit(position: Any, ply: int, depth: int, alpha: float, beta: float, context: Any) -> None:
    """Log a node as it is entered: its key, ply, depth and window."""
    place = LOG_WORDS * context[LOGGED]
    unsigned(context[LOG])[place] = np.uint64(key(position))
    words, reals = pointer(context[LOG]), floats(context[LOG])
    words[place + 1] = ply
    words[place + 2] = depth
    reals[place + 3] = alpha
    reals[place + 4] = beta
    context[LOGGED] += 1


def count_distinct(position_key: Any, context: Any) -> None:
    """Count an interior node if its position is new; once the set is full, count no more."""
    words = unsigned(context[DISTINCT])
    size = 1 << context[DISTINCT_BITS]
    if context[DISTINCT_INTERIOR] >= size - (size >> 3):
        return
    stored = position_key if position_key != _NOTHING else _SPREAD
    place = np.int64(stored * _SPREAD >> np.uint64(64 - context[DISTINCT_BITS]))
    while words[place] != _NOTHING:
        if words[place] == stored:
            return
        place = (place + 1) & (size - 1)
    words[place] = stored
    context[DISTINCT_INTERIOR] += 1
