"""Counting the move sequences of a given length.

The control words: 0 is set by another thread to stop the count; 1 is set by the kernel to the
number of moves of a position that has more than `MAX_MOVES`.
"""

from typing import Any

from plyforge.core.compilation.holes import (
    load_flag,
    move_limit,
    moves,
    offset,
    outcome,
    play,
    pointer,
)
from plyforge.core.compilation.kernel import Kernel
from plyforge.core.scores import ONGOING


def count_leaves(position: Any, depth: int, buffer: Any, control: Any) -> int:
    """The number of move sequences of length `depth` >= 1; finished games have no moves.

    The last ply is counted, not played.  `buffer` has room for the moves of `depth` positions.
    """
    if outcome(position) != ONGOING:
        return 0
    count = moves(position, buffer)
    if count > move_limit():
        control[1] = count
        return 0
    if depth == 1:
        return count
    if load_flag(control) != 0:
        return 0
    total = 0
    below = offset(buffer, count)
    for index in range(count):
        total += count_leaves(play(position, buffer[index]), depth - 1, below, control)
    return total


def perft(position: Any, depth: int, buffer: Any, control: Any) -> int:
    """`count_leaves` from addresses of the buffer and of the control words."""
    return count_leaves(position, depth, pointer(buffer), pointer(control))


PERFT = Kernel(
    "perft",
    perft,
    "int64(position, int64, address, address)",
    {count_leaves: "int64(position, int64, words, words)"},
)
