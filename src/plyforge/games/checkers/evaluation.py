"""A weighted sum of features, for the side to move.

The weights are real numbers, so that few positions have equal values.  A man is worth about 4; the
greatest possible sum stays below 100 without being cut off.
"""

from plyforge.games.checkers import features as count
from plyforge.rules import linear

EVALUATION_RANGE = (-100.0, 100.0)

FEATURES = {
    "men": (count.men, 4.07),
    "kings": (count.kings, 5.61),
    "majority": (count.majority, 7.3),
    "advancement": (count.advancement, -0.047),
    "back row": (count.back_row, 0.37),
    "men in centre": (count.men_in_centre, 0.13),
    "kings in centre": (count.kings_in_centre, 0.29),
    "mobility": (count.mobility, 0.113),
    "attacking": (count.attacking, 1.9),
    "attacked": (count.attacked, -0.71),
    "runaway men": (count.runaways, 0.71),
    "dog holes": (count.dog_holes, -0.83),
    "the move": (count.the_move, 0.13),
}
EVALUATION = linear(FEATURES)
