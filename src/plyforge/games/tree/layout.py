"""A tree as one row of numbers, and a position in it.

All kinds of trees share this layout, so that they share one kernel: a second tree is just other
numbers.  The row belongs to every position of its tree and is never copied or changed.

The first numbers are the kind, the side to move at the root and the parameters (see
`parameters.py`).  An explicit tree's nodes follow, two numbers each: how many children a node has,
then the number of its first child, or the value of a leaf.  Nodes are numbered level by level from
the root, 0, so that the children of a node have consecutive numbers.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyforge.rules import u64

NAME = "Artificial tree"
PLAYERS = ("MAX", "MIN")
MAX_MOVES = 256
MAX_DEPTH: Final = 62
"""Levels below the root; the nodes of a level are numbered within 62 bits."""
LEVELS: Final = 64
MOVE_SLOTS = LEVELS * MAX_MOVES

KINDS: Final = (
    "explicit", "uniform", "incremental", "ordered", "layered", "skipping", "cyclic",
)  # fmt: skip
EXPLICIT, UNIFORM, INCREMENTAL, ORDERED, LAYERED, SKIPPING, CYCLIC = range(len(KINDS))

KIND, ROOT, BRANCHING, DEPTH, SEED, VALUES, P, WIDTH, GAPS = range(9)
"""Where the row keeps the kind, the side to move at the root, each parameter, and how many
different gaps a sibling in an ordered tree may have."""
REAL_STEPS: Final = 1 << 16
"""Steps in a unit; gaps between real-valued siblings are multiples of a step."""
NODES: Final = 9
"""Where an explicit tree's nodes begin."""

Row = NDArray[np.float64]


class Position(NamedTuple):
    """A node of a tree."""

    tree: Row
    digest: u64
    """A digest of the tree, so that a key need not read the whole row."""
    node: int
    """The node's number: among all nodes of an explicit tree, else among those of its level."""
    level: int
    side: int
    """0 when MAX is to move, 1 when MIN is."""
    value: float
    """Incremental: the sum of the edges so far.  Ordered: the minimax value for MAX."""
