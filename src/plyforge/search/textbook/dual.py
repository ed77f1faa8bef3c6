"""DUAL*: null windows, starting below all values."""

from plyforge.core.scores import LOSS
from plyforge.search.textbook.memory_test import Memory
from plyforge.search.textbook.mtd import mtd
from plyforge.search.textbook.view import Node, View


def dual(view: View, node: Node, depth: int, memory: Memory | None = None) -> float:
    """Return the true value for the side to move.

    The mirror image of SSS*: MTD(-infinity).  (Marsland, Reinefeld and Schaeffer 1987; Plaat,
    Schaeffer, Pijls and de Bruin 1996.)
    """
    # Every value is at least LOSS, so the first pass fails high, as one at -infinity would.
    return mtd(view, node, depth, float(LOSS), memory)
