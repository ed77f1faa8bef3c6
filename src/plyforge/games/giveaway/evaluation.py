"""The features of checkers with weights for the opposite aim, for the side to move."""

from plyforge.games.checkers import features as count
from plyforge.rules import linear

EVALUATION_RANGE = (-100.0, 100.0)

# Pieces are a burden, but a king less than a man: it can choose what it is forced to take.
FEATURES = {
    "men": (count.men, -4.13),
    "kings": (count.kings, -2.29),
    "advancement": (count.advancement, 0.09),
    "kings in centre": (count.kings_in_centre, 0.67),
    "mobility": (count.mobility, 0.53),
    "attacking": (count.attacking, -2.17),
    "the move": (count.the_move, -2.3),
}
EVALUATION = linear(FEATURES)
