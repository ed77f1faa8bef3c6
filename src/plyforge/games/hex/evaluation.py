"""Hex's evaluation: how much closer a side is to joining its edges, after van Rijswijck.

`docs/games/hex.md` explains it.  The parameters below are the only numbers in it.
"""

from typing import Any

from plyforge.games.hex.distance import net, potential
from plyforge.games.hex.rules import Position, may_swap

WEIGHTS = {
    # For each step that a side is closer: more than all cells of most boards.
    "potential": 100,
    # For each cell that has the minimum sum of distances.
    "mobility": 1,
}
FAR_BY_SIZE, FAR_MORE = 2, 2
"""Where no cell has two-distances from both edges, the minimum sum counts as 2 n + 2."""

EVALUATION_RANGE = (-6100.0, 6100.0)
"""54 steps and 676 cells, on a board of 26 x 26."""
EVALUATION_MEANING = "points"


def evaluate(position: Position, weights: Any) -> Any:
    """How many steps the side to move is closer, and how many more cells it has to get there.

    A side that may swap plays the better of the two sides: after the swap the board is the same
    with the colours exchanged, its stone reflected and the other side to move.
    """
    far = FAR_BY_SIZE * position.size + FAR_MORE
    minimum, count = potential(net(position, position.side), far)
    other_minimum, other_count = potential(net(position, 1 - position.side), far)
    value = (other_minimum - minimum) * weights[0] + (count - other_count) * weights[1]
    return abs(value) if may_swap(position) else value
