"""Multi-ProbCut: at many depths, shallow searches predict whether the value is outside."""

from typing import Any

from plyforge.search.kernels.context import NO_VALUE, Context, Node
from plyforge.search.kernels.probcut import ask_next, predicted_cut
from plyforge.search.parameters import plies, probability, real
from plyforge.search.predictions import FORM

NAME = "multi-probcut"
SUMMARY = "a node is cut if one of several shallow searches predicts a value outside of the window"
PAPER = "Buro 2000"
EXACT = False
ON = False
CONFLICTS = ("probcut",)
FIT = FORM
PARAMETERS = (
    plies("multi-probcut-depth", 3, "the minimum remaining depth", 2),
    probability(
        "multi-probcut-probability", 0.93, "how probable it must be that the value is outside"
    ),
    real(
        "multi-probcut-gate",
        1.0,
        "no search is made if the evaluation is so many deviations on the wrong side",
        -10.0,
        1e9,
    ),
)
MIN_DEPTH = "multi-probcut-depth"
COUNTERS = {
    "multi_probcut_searches": "shallow searches for a prediction",
    "multi_probcut_cuts": "nodes that were cut by a prediction",
}


def before_moves(position: Any, level: int, node: Node, context: Context) -> float:
    return ask(0, position, level, node, context)


def after_search(value: float, position: Any, level: int, node: Node, context: Context) -> float:
    context.multi_probcut_searches += 1
    bound = predicted_cut(value, node)
    if bound != NO_VALUE:
        context.multi_probcut_cuts += 1
        return bound
    return ask(node.asked_number + 1, position, level, node, context)


def ask(number: int, position: Any, level: int, node: Node, context: Context) -> float:
    """Ask for a shallow search, if one is left."""
    fit, gate = context.multi_probcut_fit, context.multi_probcut_gate
    threshold = context.multi_probcut_probability
    return ask_next(number, fit, threshold, gate, position, level, node, context)
