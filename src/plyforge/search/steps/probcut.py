"""ProbCut: at one depth, a shallow search predicts whether the value is outside of the window."""

from typing import Any

from plyforge.search.kernels.context import NO_VALUE, ONE_PLY, Context, Node
from plyforge.search.kernels.probcut import ask_next, predicted_cut
from plyforge.search.parameters import plies, probability, real
from plyforge.search.predictions import FORM

NAME = "probcut"
SUMMARY = "at one depth a node is cut if a shallow search predicts a value outside of the window"
PAPER = "Buro 1995"
EXACT = False
ON = False
CONFLICTS = ("multi-probcut",)
FIT = FORM
PARAMETERS = (
    plies("probcut-depth", 6, "the remaining depth at which it acts", 2),
    probability("probcut-probability", 0.93, "how probable it must be that the value is outside"),
    real(
        "probcut-gate",
        1.0,
        "no search is made if the evaluation is so many deviations on the wrong side",
        -10.0,
        1e9,
    ),
)
MIN_DEPTH = "probcut-depth"
COUNTERS = {
    "probcut_searches": "shallow searches for a prediction",
    "probcut_cuts": "nodes that were cut by a prediction",
}


def before_moves(position: Any, level: int, node: Node, context: Context) -> float:
    if node.depth // ONE_PLY != context.probcut_depth // ONE_PLY:
        return NO_VALUE
    return ask(0, position, level, node, context)


def after_search(value: float, position: Any, level: int, node: Node, context: Context) -> float:
    context.probcut_searches += 1
    bound = predicted_cut(value, node)
    if bound != NO_VALUE:
        context.probcut_cuts += 1
        return bound
    return ask(node.asked_number + 1, position, level, node, context)


def ask(number: int, position: Any, level: int, node: Node, context: Context) -> float:
    """Ask for a shallow search, if one is left."""
    fit, gate = context.probcut_fit, context.probcut_gate
    threshold = context.probcut_probability
    return ask_next(number, fit, threshold, gate, position, level, node, context)
