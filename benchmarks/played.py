"""Our count of a tree whose last ply is played, not only listed."""

from __future__ import annotations

from typing import Any

import numpy as np

import plyforge
from benchmarks.clock import Contender, Settings, in_process
from plyforge.compilation.hooks_api import moves, offset, outcome, play, pointer
from plyforge.compilation.kernel import Kernel, build
from plyforge.core.scores import ONGOING


def play_leaves(position: Any, depth: int, buffer: Any) -> int:
    """The leaves `depth` >= 1 plies below, those that ended the game counted twice."""
    total = 0
    count = moves(position, buffer)
    below = offset(buffer, count)
    for index in range(count):
        child = play(position, buffer[index])
        if depth == 1:
            total += 1 if outcome(child) == ONGOING else 2
        elif outcome(child) == ONGOING:
            total += play_leaves(child, depth - 1, below)
    return total


def played(position: Any, depth: int, buffer: Any) -> int:
    """`play_leaves` with the address of a buffer for the moves of `depth` positions."""
    return play_leaves(position, depth, pointer(buffer))


PLAYED = Kernel(
    "played",
    played,
    "int64(position, int64, address)",
    {play_leaves: "int64(position, int64, words)"},
)


def plyforge_played(name: str, depth: int, settings: Settings) -> Contender:
    """The count from the start position, compiled beforehand."""
    game = plyforge.load(name)
    kernel = build(PLAYED, game.rules, game.position_type)
    buffer = np.empty((depth + 1) * int(game.rules.constant("MAX_MOVES")), np.int64)
    start = game.initial()
    return in_process(
        lambda: int(kernel.call(start, depth, buffer.ctypes.data)), settings.least_seconds
    )
