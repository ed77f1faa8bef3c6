"""Parity: moves in regions where the side to move also has the last move come first."""

from typing import Any

from plyforge.compilation.hooks_api import odd_region, plies_left
from plyforge.search.kernels.context import NO_VALUE, Context, Node
from plyforge.search.parameters import integer, real

NAME = "parity"
SUMMARY = (
    "moves in a region with the last move for the same side are preferred, where all games end"
    " within the depth"
)
PAPER = "Andersson, Writing an Othello program; Edax"
EXACT = True
ON = False
NEEDS = ("fastest-first",)
HOOKS = ("odd_region", "plies_left")
PARAMETERS = (
    integer("parity-plies", 24, "the maximum number of plies that are left", 1, 1000),
    real("parity-weight", 1.0, "the number of replies that such a move outweighs", 0.0, 1000.0),
)
MIN_DEPTH = 2
ESTIMATES = True


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
    if (
        node.to_end != 0
        and plies_left(position) <= context.parity_plies
        and odd_region(position, move)
    ):
        node.estimate += context.parity_weight
    return NO_VALUE
