"""Counting and logging the nodes that a search visits."""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import key
from plyforge.search.kernels.context import Context

_NOTHING = np.uint64(0)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)


def count_leaf(context: Context) -> None:
    """Count a position that was evaluated or that ends the game."""
    context.leaves += 1
    spend_node(context)


def count_interior(context: Context) -> None:
    """Count a position whose moves were generated."""
    context.interior += 1
    spend_node(context)


def spend_node(context: Context) -> None:
    """Stop the search when the budget is used up."""
    context.budget -= 1
    if context.budget <= 0:
        context.stop = 1


def log_visit(
    position: Any, ply: int, depth: int, alpha: float, beta: float, context: Context
) -> None:
    """Log a node as it is opened: its key, ply, depth and window."""
    visit = context.log[context.logged]
    visit.key = np.uint64(key(position)).view(np.int64)
    visit.ply = ply
    visit.depth = depth
    visit.alpha = alpha
    visit.beta = beta
    context.logged += 1


def count_distinct(position_key: Any, context: Context) -> None:
    """Count an interior node if its position is new; once the set is full, count no more."""
    keys = context.distinct_keys
    size = 1 << context.distinct_bits
    if context.distinct_interior >= size - (size >> 3):
        return
    stored = position_key if position_key != _NOTHING else _SPREAD
    place = np.int64(stored * _SPREAD >> np.uint64(64 - context.distinct_bits))
    while keys[place] != _NOTHING:
        if keys[place] == stored:
            return
        place = (place + 1) & (size - 1)
    keys[place] = stored
    context.distinct_interior += 1
