"""Hex's evaluation: how much closer a side is to joining its edges, after van Rijswijck.

`docs/games/hex.md` explains it.  The parameters below are the only numbers in it.
"""

from plyforge.games.hex.distance import net, potential
from plyforge.games.hex.rules import Position, may_swap
from plyforge.rules import weighted_sum

TERMS = (
    # For each step that a side is closer: more than all cells of most boards.
    ("potential", 100),
    # For each cell that has the minimum sum of distances.
    ("mobility", 1),
)
"""The name and the weight of each feature, in the order of `features`."""
WEIGHTS = tuple(weight for _, weight in TERMS)
FAR_BY_SIZE, FAR_MORE = 2, 2
"""Where no cell has two-distances from both edges, the minimum sum counts as 2 n + 2."""

EVALUATION_RANGE = (-6100.0, 6100.0)
"""54 steps and 676 cells, on a board of 26 x 26."""
EVALUATION_MEANING = "points"


def evaluate(position: Position) -> int:
    return weighted_sum(features(position), WEIGHTS)


def terms(position: Position) -> list[tuple[str, int, int]]:
    """Return the name, the value and the weight of every feature."""
    values = map(int, features(position))
    return [(name, value, weight) for (name, weight), value in zip(TERMS, values, strict=True)]


def features(position: Position) -> tuple[int, int]:
    """How many steps the side to move is closer, and how many more cells it has to get there.

    A side that may swap plays the better of the two sides: after the swap the board is the same
    with the colours exchanged, its stone reflected and the other side to move.
    """
    far = FAR_BY_SIZE * position.size + FAR_MORE
    minimum, count = potential(net(position, position.side), far)
    other_minimum, other_count = potential(net(position, 1 - position.side), far)
    closer, wider = other_minimum - minimum, count - other_count
    if may_swap(position) and weighted_sum((closer, wider), WEIGHTS) < 0:
        return -closer, -wider
    return closer, wider
