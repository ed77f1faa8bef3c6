"""A guess at who is winning: a weighted sum of features, in view of the side to move.

The weights are real numbers, so that nearly every position has a value of its own.  A man is worth
about 4; the greatest possible sum stays below 100 without being cut off.
"""

from plyforge.games.checkers import features
from plyforge.games.checkers.rules import Position

EVALUATION_RANGE = (-100.0, 100.0)

MAN = 4.07
KING = 5.61
MAJORITY = 7.3
ADVANCEMENT = -0.047
BACK_ROW = 0.37
MAN_IN_CENTRE = 0.13
KING_IN_CENTRE = 0.29
MOBILITY = 0.113
ATTACKING = 1.9
ATTACKED = -0.71
RUNAWAY = 0.71
DOG_HOLE = -0.83
THE_MOVE = 0.13


def evaluate(position: Position) -> float:
    return (
        MAN * features.men(position)
        + KING * features.kings(position)
        + MAJORITY * features.majority(position)
        + ADVANCEMENT * features.advancement(position)
        + BACK_ROW * features.back_row(position)
        + MAN_IN_CENTRE * features.men_in_centre(position)
        + KING_IN_CENTRE * features.kings_in_centre(position)
        + MOBILITY * features.mobility(position)
        + ATTACKING * features.attacking(position)
        + ATTACKED * features.attacked(position)
        + RUNAWAY * features.runaways(position)
        + DOG_HOLE * features.dog_holes(position)
        + THE_MOVE * features.the_move(position)
    )


def terms(position: Position) -> list[tuple[str, float, float]]:
    """Every feature of the sum: its name, its value and its weight."""
    return [
        ("men", features.men(position), MAN),
        ("kings", features.kings(position), KING),
        ("majority", features.majority(position), MAJORITY),
        ("advancement", features.advancement(position), ADVANCEMENT),
        ("back row", features.back_row(position), BACK_ROW),
        ("men in centre", features.men_in_centre(position), MAN_IN_CENTRE),
        ("kings in centre", features.kings_in_centre(position), KING_IN_CENTRE),
        ("mobility", features.mobility(position), MOBILITY),
        ("attacking", features.attacking(position), ATTACKING),
        ("attacked", features.attacked(position), ATTACKED),
        ("runaway men", features.runaways(position), RUNAWAY),
        ("dog holes", features.dog_holes(position), DOG_HOLE),
        ("the move", features.the_move(position), THE_MOVE),
    ]
