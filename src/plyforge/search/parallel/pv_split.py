"""PV splitting: only nodes on the principal variation are split, after their first move."""

from plyforge.search.kernels.context import Context, Node
from plyforge.search.kernels.team import Frame

NAME = "pv-split"
SUMMARY = "nodes on the leftmost path are split once their first move was searched"
PAPER = "Marsland, Campbell 1982"


def may_split(level: int, finished: int, node: Node, frame: Frame, context: Context) -> bool:
    return frame.leftmost != 0 and finished > 0
