"""Where the time of a perft goes: the share of listing moves and of playing them.

A kernel that lists every position's moves again takes longer by the cost of listing; one that plays
every move again, by the cost of playing. The rest is the walk itself: calls, saved registers and
mispredicted branches. The compiler may detect that repeated work gives the same result and do it
only once, so the shares are lower bounds, most of all in Othello, where listing is mostly
arithmetic on two words.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

import plyforge
from benchmarks.clock import Contender, Settings, in_process, interleave
from benchmarks.table import Row
from plyforge.compilation.hooks_api import moves, offset, outcome, play, pointer
from plyforge.compilation.kernel import Kernel, build
from plyforge.core.scores import ONGOING

CASES = {
    "connect4": 9,
    "checkers": 10,
    "othello": 9,
    "hex": 3,
    "andantino": 8,
    "kalah": 9,
    "chess": 5,
}


def list_moves(position: Any, buffer: Any) -> int:
    if outcome(position) != ONGOING:
        return 0
    return moves(position, buffer)


def walk(position: Any, count: int, depth: int, lists: int, plays: int, buffer: Any) -> int:
    """Count the leaves; `lists` and `plays` say how often each list and each move is made."""
    total = 0
    below = offset(buffer, count)
    for index in range(count):
        child = play(position, buffer[index])
        for again in range(1, plays):
            # Another move, or the compiler would see that the result is the same.
            child = play(position, buffer[(index + again) % count])
        replies = list_moves(child, below)
        for _ in range(1, lists):
            replies = list_moves(child, below)
        if depth == 2:
            total += replies
        else:
            total += walk(child, replies, depth - 1, lists, plays, below)
    return total


def walk_root(position: Any, depth: int, lists: int, plays: int, buffer: Any) -> int:
    words = pointer(buffer)
    return walk(position, moves(position, words), depth, lists, plays, words)


WALK = Kernel(
    "walk",
    walk_root,
    "int64(position, int64, int64, int64, address)",
    {walk: "int64(position, int64, int64, int64, int64, words)"},
)


def contenders(name: str, depth: int, settings: Settings) -> list[Contender]:
    """Return three kernels: everything once; listing three times; playing three times."""
    game = plyforge.load(name)
    kernel = build(WALK, game.rules, game.position_type)
    buffer = np.empty((depth + 1) * int(game.rules.constant("MAX_MOVES")), np.int64)
    start = game.initial()

    def contender(lists: int, plays: int) -> Contender:
        return in_process(
            lambda: int(kernel.call(start, depth, lists, plays, buffer.ctypes.data)),
            settings.min_seconds,
        )

    return [contender(1, 1), contender(3, 1), contender(1, 3)]


def rows(settings: Settings) -> Iterator[Row]:
    for name, depth in CASES.items():
        once, lists, plays = interleave(contenders(name, depth, settings), settings.rounds)
        listing = (lists.seconds - once.seconds) / 2 / once.seconds
        # Playing other moves leads to other positions, so this tree is another: per node.
        per_node = once.seconds / once.nodes
        playing = (plays.seconds / plays.nodes - per_node) / 2 / per_node
        rest = 1 - listing - playing
        note = f"listing {listing:.0%}, playing {playing:.0%}, the rest {rest:.0%}"
        yield Row("shares", name, f"start d{depth}", nodes=once.nodes, ours=once.rate, note=note)
