"""Root splitting: the moves of the root are shared out from the start, and nothing else is.

The baseline that fails: all workers search with the window of the root, which the first move would
have narrowed.
"""

from plyforge.search.kernels.context import Context, Node
from plyforge.search.kernels.team import Frame

NAME = "root-split"
SUMMARY = "the moves of the root are shared out, all at once"
PAPER = "the simplest method; Marsland, Campbell 1982 discuss why it fails"


def may_split(level: int, finished: int, node: Node, frame: Frame, context: Context) -> bool:
    return level == 0
