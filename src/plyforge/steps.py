"""What a file with a search step imports; see docs/search/steps.md.

The functions about positions are those of the game that is searched.
"""

from plyforge.compilation.hooks_api import (
    in_check,
    keeps_turn,
    key,
    move_gain,
    move_kind,
    outcome,
    pass_move,
    play,
    turn,
    zugzwang_prone,
)
from plyforge.search.kernels.context import ASK, NO_VALUE, ONE_PLY, Context, Node
from plyforge.search.kernels.ends import evaluate_node
from plyforge.search.kernels.node import ask_search
from plyforge.search.kernels.values import is_decided, next_above, next_below, value_above
from plyforge.search.parameters import choice, integer, plies, real
from plyforge.search.steps.step import Array

__all__ = [
    "ASK",
    "NO_VALUE",
    "ONE_PLY",
    "Array",
    "Context",
    "Node",
    "ask_search",
    "choice",
    "evaluate_node",
    "in_check",
    "integer",
    "is_decided",
    "keeps_turn",
    "key",
    "move_gain",
    "move_kind",
    "next_above",
    "next_below",
    "outcome",
    "pass_move",
    "play",
    "plies",
    "real",
    "turn",
    "value_above",
    "zugzwang_prone",
]
