"""The features of checkers weighed for the opposite aim, in view of the side to move."""

from plyforge.games.checkers import features
from plyforge.games.checkers.rules import Position

EVALUATION_RANGE = (-100.0, 100.0)

# Pieces are a burden, but a king less than a man: it can choose what it is forced to take.
MAN = -4.13
KING = -2.29
ADVANCEMENT = 0.09
KING_IN_CENTRE = 0.67
MOBILITY = 0.53
ATTACKING = -2.17
THE_MOVE = -2.3


def evaluate(position: Position) -> float:
    return (
        MAN * features.men(position)
        + KING * features.kings(position)
        + ADVANCEMENT * features.advancement(position)
        + KING_IN_CENTRE * features.kings_in_centre(position)
        + MOBILITY * features.mobility(position)
        + ATTACKING * features.attacking(position)
        + THE_MOVE * features.the_move(position)
    )


def terms(position: Position) -> list[tuple[str, float, float]]:
    """Every feature of the sum: its name, its value and its weight."""
    return [
        ("men", features.men(position), MAN),
        ("kings", features.kings(position), KING),
        ("advancement", features.advancement(position), ADVANCEMENT),
        ("kings in centre", features.kings_in_centre(position), KING_IN_CENTRE),
        ("mobility", features.mobility(position), MOBILITY),
        ("attacking", features.attacking(position), ATTACKING),
        ("the move", features.the_move(position), THE_MOVE),
    ]
