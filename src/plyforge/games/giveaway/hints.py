"""What captures are worth to selective search."""

from plyforge.games.checkers.rules import CAPTURED, Position
from plyforge.rules import popcount

MAN_WORTH, KING_WORTH = 4, 2
"""About the weights of men and kings in the evaluation, where they are a burden to their side."""


def move_gain(position: Position, move: int) -> int:
    """What the captured pieces cost the side that takes them, as a negative number."""
    captured = move & CAPTURED
    kings = popcount(captured & position.kings)
    return -MAN_WORTH * (popcount(captured) - kings) - KING_WORTH * kings
