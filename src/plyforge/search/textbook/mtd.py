"""The loop of all MTD algorithms: null windows that converge on the value."""

from plyforge.search.textbook.memory_test import Memory, memory_test
from plyforge.search.textbook.view import Node, View
from plyforge.search.values import INFINITY


def mtd(view: View, node: Node, depth: int, first: float, memory: Memory | None = None) -> float:
    """Return the true value for the side to move; `first` is the bound to test first.

    Each pass tests whether the value is at least `bound`; its result is the next bound.  The loop
    ends when the lower bound meets the upper one.  (Plaat, Schaeffer, Pijls and de Bruin 1996.)
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
