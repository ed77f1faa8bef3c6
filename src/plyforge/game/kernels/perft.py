"""The perft kernel, which counts the move sequences of a given length.

The control words: another thread sets word 0 to stop the count; the kernel sets word 1 to the
number of moves of a position that has more than `MAX_MOVES`; word 2 is what a game that has ended
adds at every later depth, 0 or 1; word 3 is the address of a buffer for the probabilities of
chance's outcomes, which count as moves.
"""

from typing import Any

from plyforge.compilation.hooks_api import (
    chance,
    chance_outcomes,
    floats,
    load_flag,
    move_limit,
    moves,
    offset,
    outcome,
    play,
    pointer,
)
from plyforge.compilation.kernel import Kernel
from plyforge.core.scores import ONGOING


def list_moves(position: Any, buffer: Any, control: Any) -> int:
    """Write the moves of a position to `buffer` and return their number: 0 if the game is over."""
    if outcome(position) != ONGOING:
        return 0
    if chance(position):
        count = chance_outcomes(position, buffer, floats(control[3]))
    else:
        count = moves(position, buffer)
    if count > move_limit():
        control[1] = count
        return 0
    return count


def count_leaves(position: Any, count: int, depth: int, buffer: Any, control: Any) -> int:
    """Return the number of move sequences of length `depth` >= 2 from a position.

    Its `count` moves are already in `buffer`: a parent lists its children's moves, so that the
    last ply, most of the tree, is counted without a call.
    """
    if load_flag(control) != 0:
        return 0
    total = 0
    below = offset(buffer, count)
    for index in range(count):
        child = play(position, buffer[index])
        replies = list_moves(child, below, control)
        if replies == 0:
            total += control[2]
        elif depth == 2:
            total += replies
        else:
            total += count_leaves(child, replies, depth - 1, below, control)
    return total


def perft(position: Any, depth: int, buffer: Any, control: Any) -> int:
    """Return the number of move sequences of length `depth` >= 1.

    `buffer` is the address of a buffer for the moves of `depth` positions, `control` that of the
    control words.
    """
    words, flags = pointer(buffer), pointer(control)
    count = list_moves(position, words, flags)
    if count == 0:
        return int(flags[2])
    if depth == 1:
        return count
    return count_leaves(position, count, depth, words, flags)


PERFT = Kernel(
    "perft",
    perft,
    "int64(position, int64, address, address)",
    {count_leaves: "int64(position, int64, int64, words, words)"},
)
