"""Counting a tree whose last ply is played, not only listed."""

from __future__ import annotations

from typing import Any

import numpy as np

import plyforge
from benchmarks.clock import Contender, Settings, in_process
from plyforge.compilation.hooks_api import moves, offset, outcome, play, pointer
from plyforge.compilation.kernel import Kernel, build
from plyforge.core.scores import ONGOING


def count_leaves(position: Any, depth: int, buffer: Any) -> int:
    """Count the leaves `depth` >= 1 plies below; a leaf that ends the game counts twice."""
    total = 0
    count = moves(position, buffer)
    below = offset(buffer, count)
    for index in range(count):
        child = play(position, buffer[index])
        if depth == 1:
            total += 1 if outcome(child) == ONGOING else 2
        elif outcome(child) == ONGOING:
            total += count_leaves(child, depth - 1, below)
    return total


def count_from_root(position: Any, depth: int, buffer: Any) -> int:
    """Run `count_leaves` with the address of a buffer for the moves of `depth` positions."""
    return count_leaves(position, depth, pointer(buffer))


PLAYED_LEAVES = Kernel(
    "played_leaves",
    count_from_root,
    "int64(position, int64, address)",
    {count_leaves: "int64(position, int64, words)"},
)


def plyforge_leaves(name: str, depth: int, settings: Settings) -> Contender:
    """Return our count from the start position, compiled beforehand."""
    game = plyforge.load(name)
    kernel = build(PLAYED_LEAVES, game.rules, game.position_type)
    buffer = np.empty((depth + 1) * int(game.rules.constant("MAX_MOVES")), np.int64)
    start = game.initial()
    return in_process(
        lambda: int(kernel.call(start, depth, buffer.ctypes.data)), settings.min_seconds
    )
