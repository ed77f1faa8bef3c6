"""The features of the hand-made evaluation with weights that were learned by TD(λ).

scripts/learned_sums.py made them; docs/games/giveaway.md says how.  They are rounded to 0.01;
weights/td.npz has them as they were.
"""

from plyforge.games.checkers import features as count
from plyforge.rules import linear

EVALUATION_RANGE = (-100.0, 100.0)

FEATURES = {
    "men": (count.men, -1.38),
    "kings": (count.kings, -3.59),
    "advancement": (count.advancement, -0.23),
    "kings in centre": (count.kings_in_centre, 1.75),
    "mobility": (count.mobility, 0.09),
    "attacking": (count.attacking, -2.94),
    "the move": (count.the_move, -2.2),
}
EVALUATION = linear(FEATURES)
