"""Connect four with a hand-written buffer in place of the generator."""

from plyforge.games.connect4 import *  # noqa: F403
from plyforge.games.connect4 import MAX_MOVES, Position  # noqa: F401


def moves(position, out):
    count = 0
    top = 1 << (position.rows - 1)
    for column in range(position.columns):
        if not position.stones & top:
            out[count] = column
            count += 1
        top <<= position.rows + 1
    return count
