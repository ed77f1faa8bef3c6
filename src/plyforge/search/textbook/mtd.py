"""The frame of all MTD algorithms: close in on the value with null windows alone."""

from plyforge.search.textbook.memory_test import Memory, memory_test
from plyforge.search.textbook.view import Node, View
from plyforge.search.values import INFINITY


def mtd(view: View, node: Node, depth: int, first: float, memory: Memory | None = None) -> float:
    """The true value in view of the side to move, whatever bound comes first.

    Each pass asks whether the value is at least `bound`; the answer is a bound in its turn.  It
    ends when the lower bound has met the upper one.  (Plaat, Schaeffer, Pijls and de Bruin 1996.)
    """
    memory = {} if memory is None else memory
    lower, upper = -INFINITY, INFINITY
    bound = first
    while True:
        value = memory_test(view, node, depth, view.below(bound), bound, memory)
        if value < bound:
            upper = value
        else:
            lower = value
        if lower >= upper:
            return value
        bound = view.above(value) if value == lower else value
