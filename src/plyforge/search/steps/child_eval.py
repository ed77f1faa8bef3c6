"""Moves ordered by the static evaluation of the children."""

from typing import Any

from plyforge.compilation.hooks_api import plies_left
from plyforge.search.kernels.context import NO_VALUE, Context, Node
from plyforge.search.kernels.ordering import static_value
from plyforge.search.parameters import integer, plies

NAME = "child-eval"
SUMMARY = "moves are ordered by the static evaluation of the children"
PAPER = "Koneru; Kishimoto, Müller, tutorial on alpha-beta"
EXACT = True
ON = False
SOURCE = "child-eval"
PARAMETERS = (
    plies("child-eval-depth", 2, "the minimum remaining depth, in plies", 1),
    integer(
        "child-eval-end",
        0,
        "the maximum number of plies to the end of all games at which it does not act",
        0,
        1000,
    ),
)
MIN_DEPTH = "child-eval-depth"
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
    if node.to_end != 0 and plies_left(position) <= context.child_eval_end:
        return NO_VALUE
    node.estimate = static_value(position, move, child, flips, level, context)
    return NO_VALUE
