"""Young brothers wait: every node may be split once its first move was searched."""

from plyforge.search.kernels.context import Context, Node
from plyforge.search.kernels.team import Frame

NAME = "ybwc"
SUMMARY = "any node is split once its first move was searched; workers without work join"
PAPER = "Feldmann, Monien, Mysliwietz, Vornberger 1989"


def may_split(level: int, finished: int, node: Node, frame: Frame, context: Context) -> bool:
    return finished > 0
