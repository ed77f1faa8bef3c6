"""An evaluation for any game, found from its rules: nobody has to write features.

`layout` says where a position stores the content of each cell, `finding` finds that out from
positions of `random_games`, `shapes` chooses groups of neighbouring cells, and `building` makes the
form: an entry for the content of each cell and of each group, and the number of moves.  All weights
are 0 until they are learned.
"""

from plyforge.evaluate.automatic.building import AUTOMATIC_RANGE, build_evaluation, evaluation_like
from plyforge.evaluate.automatic.finding import find_layout

__all__ = ["AUTOMATIC_RANGE", "build_evaluation", "evaluation_like", "find_layout"]
