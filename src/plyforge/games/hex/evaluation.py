"""Hex's evaluation: how much closer a side is to joining its edges, after van Rijswijck.

`docs/games/hex.md` explains it.  The parameters below are the only numbers in it.
"""

from plyforge.games.hex.distance import net, potential
from plyforge.games.hex.rules import Position, may_swap

POTENTIAL = 100
"""For each step that a side is closer: more than all cells of most boards."""
MOBILITY = 1
"""For each cell that has the least sum of distances."""
FAR_BY_SIZE, FAR_MORE = 2, 2
"""Where no cell has two-distances from both edges, 2 n + 2 stands for the least sum."""

EVALUATION_RANGE = (-6100.0, 6100.0)
"""54 steps and 676 cells, on a board of 26 x 26."""
EVALUATION_MEANING = "points"


def evaluate(position: Position) -> int:
    closer, wider = differences(position)
    return POTENTIAL * closer + MOBILITY * wider


def terms(position: Position) -> list[tuple[str, int, int]]:
    """The features of the side to move against those of the other side, with their weights."""
    closer, wider = differences(position)
    return [("potential", int(closer), POTENTIAL), ("mobility", int(wider), MOBILITY)]


def differences(position: Position) -> tuple[int, int]:
    """How many steps the side to move is closer, and how many more cells it has to get there.

    A side that may swap plays the better of the two sides: after the swap the board is the same
    with the colours exchanged, its stone reflected and the other side to move.
    """
    far = FAR_BY_SIZE * position.size + FAR_MORE
    least, count = potential(net(position, position.side), far)
    other_least, other_count = potential(net(position, 1 - position.side), far)
    closer, wider = other_least - least, count - other_count
    if may_swap(position) and POTENTIAL * closer + MOBILITY * wider < 0:
        return -closer, -wider
    return closer, wider
