"""Moves ordered by the bounds that the table has for the children."""

from typing import Any

import numpy as np

from plyforge.search.kernels.context import NO_VALUE, Context, Node
from plyforge.search.kernels.ordering import clamp
from plyforge.search.kernels.table import value_at
from plyforge.search.kernels.values import value_above

NAME = "eib"
SUMMARY = (
    "moves are ordered by the bounds that the table has for the children (the source only names"
    " EIB; this reading is ours)"
)
PAPER = "named in Mańdziuk, Osman 2004"
EXACT = True
ON = False
NEEDS = ("table",)
MIN_DEPTH = 2
LOOKS_UP_CHILDREN = True
ESTIMATES = True

_NOTHING = np.uint64(0)


def look_at_child(
    move: int,
    index: int,
    position: Any,
    child: Any,
    flips: bool,
    entry: Any,
    level: int,
    node: Node,
    context: Context,
) -> float:
    if entry != _NOTHING:
        node.estimate = clamp(value_above(flips, value_at(entry, node.ply + 1)))
    return NO_VALUE
