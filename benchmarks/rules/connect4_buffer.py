"""Connect four with a hand-written buffer instead of the generator."""

from plyforge.games.connect4 import *  # noqa: F403
from plyforge.games.connect4 import MAX_MOVES, Position  # noqa: F401
from plyforge.rules import ctz


def moves(position, out):
    board = position.floor * ((1 << position.rows) - 1)
    landing = position.stones + position.floor & board
    count = 0
    while landing:
        out[count] = ctz(landing)
        count += 1
        landing &= landing - 1
    return count
