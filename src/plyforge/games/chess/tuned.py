"""The positional evaluation with weights that were fitted to games of the engine against itself.

The weights are in weights/tuned.npz; docs/results/tuning.md says how they were made, and what they
are worth.
"""

from plyforge.games.chess.positional import AHEAD, EVALUATION, EVALUATION_RANGE

WEIGHTS_FILE = "weights/tuned.npz"

__all__ = ["AHEAD", "EVALUATION", "EVALUATION_RANGE", "WEIGHTS_FILE"]
