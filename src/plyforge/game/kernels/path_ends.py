"""Ends that depend on the path to a position: repetition and lack of progress, for every kernel.

A path is an array of position keys, with that of the current position at index `here`.  Keys before
`first` are not compared: a kernel that tracks irreversible moves knows that those positions cannot
recur; other kernels pass 0.  `game.history` is the slow reference.
"""

from typing import Any, Final

import numpy as np

from plyforge.compilation.hooks_api import key, play
from plyforge.core.scores import DRAW, LOSS, WIN

# The meaning of a repeated position.
ALLOWED: Final = 0
DRAWS: Final = 1
LOSES: Final = 2
"""The side that made the last move loses."""
ILLEGAL: Final = 3

REPETITION_CODES: Final = {None: ALLOWED, "draw": DRAWS, "loss": LOSES, "illegal": ILLEGAL}
"""The values of a game's constant `REPETITION`."""


def count_occurrences(position_key: Any, path: Any, first: int, here: int) -> int:
    """Count how often the position at `here` occurs on the path, this time included."""
    count = 1
    for index in range(first, here):
        if path[index] == position_key:
            count += 1
    return count


def is_repetition_end(
    rule: int, limit: int, position_key: Any, path: Any, first: int, here: int
) -> bool:
    """Return whether the position ends the game because it occurs on the path `limit` times."""
    if rule in (ALLOWED, ILLEGAL) or first >= here:
        return False
    return count_occurrences(position_key, path, first, here) >= limit


def repetition_value(rule: int, same_side: bool) -> float:
    """Return the value of a repetition for the side to move.

    `same_side` says whether that side also made the last move, the one that repeated.
    """
    if rule == DRAWS:
        return float(DRAW)
    return float(LOSS) if same_side else float(WIN)


def lacks_progress(limit: int, plies: int) -> bool:
    """Return whether so many plies without progress reach the limit; -1 means no limit."""
    return 0 <= limit <= plies


def drop_repeating_moves(
    position: Any, count: int, buffer: Any, path: Any, first: int, here: int
) -> int:
    """Keep the moves in `buffer` that lead to positions not yet on the path; return their number.

    The key of `position` itself is at `here`.
    """
    kept = 0
    for index in range(count):
        move = buffer[index]
        child_key = np.uint64(key(play(position, move)))
        if count_occurrences(child_key, path, first, here + 1) == 1:
            buffer[kept] = move
            kept += 1
    return kept
