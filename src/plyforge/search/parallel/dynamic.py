"""Dynamic splitting: a node is split when it probably needs all of its moves.

Before its first move, a node is expected to be cut or not according to its kind.  Each move that
did not cut makes a cut less likely: it is estimated from the share of cuts that the first move
makes in this search, and from a fixed share for later ones.
"""

from plyforge.search.kernels.context import Context, Node
from plyforge.search.kernels.team import ALL_NODE, CUT_NODE, Frame

NAME = "dynamic"
SUMMARY = "a node is split once it is likely that no move will cut it"
PAPER = "after Hyatt 1988 (dynamic tree splitting)"

_LATER_CUTS = 0.3
"""The share of cuts that each move after the first makes, of those that remain."""
_MIN_CUTS = 100
"""Cuts that must have been counted before their shares are used."""
_USUAL_FIRST_CUTS = 0.9
_ENOUGH = 0.5
"""The probability that all moves are needed from which a node is split."""


def may_split(level: int, finished: int, node: Node, frame: Frame, context: Context) -> bool:
    return finished > 0 and chance_of_all(finished, frame.kind, context) >= _ENOUGH


def chance_of_all(finished: int, kind: int, context: Context) -> float:
    """The probability that no move cuts a node, given that the finished ones did not."""
    expected = 0.95 if kind == CUT_NODE else 0.05 if kind == ALL_NODE else 0.2
    first = _USUAL_FIRST_CUTS
    if context.cuts > _MIN_CUTS:
        first = float(context.first_cuts) / float(context.cuts)
    still = expected * (1.0 - first)
    for _ in range(finished - 1):
        still *= 1.0 - _LATER_CUTS
    return (1.0 - expected) / (1.0 - expected + still)
