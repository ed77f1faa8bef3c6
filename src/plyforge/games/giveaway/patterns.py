"""Give-away checkers by patterns: the features by hand, and the patterns of `checkers`.

The weights are in weights/patterns.npz; docs/games/giveaway.md says how they were made.
"""

from plyforge.games.checkers.patterns import with_patterns
from plyforge.games.giveaway.evaluation import FEATURES

EVALUATION_RANGE = (-100.0, 100.0)
WEIGHTS_FILE = "weights/patterns.npz"

EVALUATION = with_patterns(FEATURES)
