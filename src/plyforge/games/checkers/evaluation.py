"""A weighted sum of features, for the side to move.

The weights are real numbers, so that few positions have equal values.  A man is worth about 4; the
greatest possible sum stays below 100 without being cut off.
"""

from plyforge.games.checkers import features as count
from plyforge.games.checkers.rules import Position
from plyforge.rules import weighted_sum

EVALUATION_RANGE = (-100.0, 100.0)

TERMS = (
    ("men", 4.07),
    ("kings", 5.61),
    ("majority", 7.3),
    ("advancement", -0.047),
    ("back row", 0.37),
    ("men in centre", 0.13),
    ("kings in centre", 0.29),
    ("mobility", 0.113),
    ("attacking", 1.9),
    ("attacked", -0.71),
    ("runaway men", 0.71),
    ("dog holes", -0.83),
    ("the move", 0.13),
)
"""The name and the weight of each feature, in the order of `features`."""
WEIGHTS = tuple(weight for _, weight in TERMS)


def features(position: Position) -> tuple[float, ...]:
    return (
        count.men(position),
        count.kings(position),
        count.majority(position),
        count.advancement(position),
        count.back_row(position),
        count.men_in_centre(position),
        count.kings_in_centre(position),
        count.mobility(position),
        count.attacking(position),
        count.attacked(position),
        count.runaways(position),
        count.dog_holes(position),
        count.the_move(position),
    )


def evaluate(position: Position) -> float:
    return weighted_sum(features(position), WEIGHTS)


def terms(position: Position) -> list[tuple[str, float, float]]:
    """Return the name, the value and the weight of every feature."""
    values = features(position)
    return [(name, value, weight) for (name, weight), value in zip(TERMS, values, strict=True)]
