"""SSS*: null windows, starting above all values."""

from plyforge.search.textbook.memory_test import Memory
from plyforge.search.textbook.mtd import mtd
from plyforge.search.textbook.view import Node, View
from plyforge.search.values import BEYOND_ALL


def sss(view: View, node: Node, depth: int, memory: Memory | None = None) -> float:
    """Return the true value for the side to move.

    Expands the leaves of Stockman's best-first SSS* (1979) in the same order, without its sorted
    list: it is MTD(+infinity).  (Plaat, Schaeffer, Pijls and de Bruin 1996.)
    """
    return mtd(view, node, depth, BEYOND_ALL, memory)
