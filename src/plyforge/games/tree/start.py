"""Start positions: the root of a tree, from its row or from a variant."""

from typing import Final

import numpy as np

from plyforge.games.tree import lists
from plyforge.games.tree.layout import EXPLICIT, KIND, ORDERED, ROOT, SEED, VALUES, Position, Row
from plyforge.games.tree.parameters import PARAMETERS, generate_row, kind_number
from plyforge.games.tree.randomness import COARSE, VALUE, digest_of, draw_value, word_at

EXAMPLE: Final = "[[3,12,8],[2,4,6],[14,5,2]]"
"""Russell and Norvig, Artificial Intelligence: A Modern Approach, figure 5.2."""
VARIANTS = (
    "uniform,branching=3,depth=5,seed=1",
    "uniform,4,5,values=3",
    "incremental,3,6",
    "ordered,3,6,p=0.7",
    "layered,3,8,width=10",
    "skipping,3,9,width=6",
    "cyclic,3,6,width=6",
)


def initial(
    kind: str = "explicit",
    branching: int = 3,
    depth: int = 4,
    seed: int = 1,
    values: int = 101,
    p: float = 1.0,
    width: int = 16,
) -> Position:
    """The root of a generated tree, or of an example of an explicit one; MAX is to move."""
    number = kind_number(kind)
    settings = dict(zip(PARAMETERS, (branching, depth, seed, values, p, width), strict=True))
    row = generate_row(number, settings)
    return root_of(row if number != EXPLICIT else lists.to_row(lists.read(EXAMPLE)[0], 0))


def root_of(row: Row) -> Position:
    """The root of the tree that a row of numbers describes."""
    row.flags.writeable = False  # all positions of the tree share it
    with np.errstate(over="ignore"):
        digest = digest_of(row)
        value = 0.0
        if row[KIND] == ORDERED:
            value = draw_value(word_at(row[SEED], VALUE, 0, 0), int(row[VALUES]), COARSE)
    return Position(row, digest, 0, 0, int(row[ROOT]), value)
