"""Enhanced transposition cutoffs: a child's entry may make its parent fail high."""

from typing import Any

import numpy as np

from plyforge.search.kernels.context import NO_VALUE, ONE_PLY, Context, Node
from plyforge.search.kernels.table import (
    LOWER,
    UPPER,
    bound_of,
    is_valid,
    proven_of,
    value_at,
)
from plyforge.search.kernels.values import value_above
from plyforge.search.parameters import plies

NAME = "etc"
SUMMARY = "enhanced transposition cut-offs: all children are looked up before the first is searched"
PAPER = "Plaat, Schaeffer, Pijls, de Bruin 1996 (AAAI)"
EXACT = True
NEEDS = ("table",)
PARAMETERS = (plies("etc-depth", 3, "the minimum remaining depth, in plies", 2),)
MIN_DEPTH = "etc-depth"
COUNTERS = {"etc_cuts": "nodes cut by a child's entry before any child was searched"}
LOOKS_UP_CHILDREN = True

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
    if entry == _NOTHING:
        return NO_VALUE
    value = value_above(flips, value_at(entry, node.ply + 1))
    # The child's upper bound is its parent's lower bound, unless the same side moves again.
    useful = UPPER if flips else LOWER
    if (
        value < node.high
        or bound_of(entry) & useful == 0
        or not is_valid(entry, node.depth - ONE_PLY, context)
    ):
        return NO_VALUE
    node.proven = proven_of(entry) & node.table_proven
    context.etc_cuts += 1
    context.transpositions += 1
    return value
