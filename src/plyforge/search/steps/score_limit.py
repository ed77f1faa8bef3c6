"""Cuts by a final score that the side to move cannot exceed."""

from typing import Any

from plyforge.compilation.hooks_api import max_score, plies_left
from plyforge.search.kernels.context import NO_VALUE, Context, Node
from plyforge.search.kernels.values import to_float32
from plyforge.search.parameters import real

NAME = "score-limit"
SUMMARY = (
    "a node is cut if the game's `max_score` is not above the window, where all games end within"
    " the depth"
)
PAPER = "stability cut-offs: as in Logistello, Zebra and Edax"
EXACT = True
ON = False
HOOKS = ("max_score", "plies_left")
PARAMETERS = (
    real(
        "score-limit-gate",
        1.0,
        "the window must begin at this or more for each ply that is left",
        -1e6,
        1e6,
    ),
)
COUNTERS = {"score_limit_cuts": "nodes that were cut because of `max_score`"}


def before_moves(position: Any, level: int, node: Node, context: Context) -> float:
    if node.to_end == 0 or node.low < context.score_limit_gate * plies_left(position):
        return NO_VALUE
    limit = to_float32(max_score(position))
    if limit > node.low:
        return NO_VALUE
    context.score_limit_cuts += 1
    return limit
