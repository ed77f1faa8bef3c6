"""The features of checkers with weights for the opposite aim, for the side to move."""

from plyforge.games.checkers import features as count
from plyforge.games.checkers.rules import Position
from plyforge.rules import weighted_sum

EVALUATION_RANGE = (-100.0, 100.0)

# Pieces are a burden, but a king less than a man: it can choose what it is forced to take.
TERMS = (
    ("men", -4.13),
    ("kings", -2.29),
    ("advancement", 0.09),
    ("kings in centre", 0.67),
    ("mobility", 0.53),
    ("attacking", -2.17),
    ("the move", -2.3),
)
"""The name and the weight of each feature, in the order of `features`."""
WEIGHTS = tuple(weight for _, weight in TERMS)


def features(position: Position) -> tuple[float, ...]:
    return (
        count.men(position),
        count.kings(position),
        count.advancement(position),
        count.kings_in_centre(position),
        count.mobility(position),
        count.attacking(position),
        count.the_move(position),
    )


def evaluate(position: Position) -> float:
    return weighted_sum(features(position), WEIGHTS)


def terms(position: Position) -> list[tuple[str, float, float]]:
    """Return the name, the value and the weight of every feature."""
    values = features(position)
    return [(name, value, weight) for (name, weight), value in zip(TERMS, values, strict=True)]
