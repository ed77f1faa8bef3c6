"""MTD(f): null windows, starting at a guess."""

from plyforge.search.textbook.memory_test import Memory
from plyforge.search.textbook.mtd import mtd
from plyforge.search.textbook.view import Node, View
from plyforge.search.values import to_float32


def mtdf(
    view: View, node: Node, depth: int, guess: float = 0.0, memory: Memory | None = None
) -> float:
    """Return the true value for the side to move; the nearer the guess, the fewer the passes.

    The guess usually comes from a search one or two plies shallower.  (Plaat, Schaeffer, Pijls and
    de Bruin 1996.)
    """
    return mtd(view, node, depth, to_float32(guess), memory)
