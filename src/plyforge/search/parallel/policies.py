"""Where the methods of parallel search split: one function for all of them."""

from plyforge.search.kernels.context import Context, Node
from plyforge.search.kernels.team import Frame
from plyforge.search.parallel.dynamic import may_split as dynamic_may_split
from plyforge.search.parallel.pv_split import may_split as pv_split_may_split
from plyforge.search.parallel.root_split import may_split as root_split_may_split
from plyforge.search.parallel.ybwc import may_split as ybwc_may_split

# The values of `Team.method`; from `ABDADA` on, nothing is split.
ROOT_SPLIT = 0
PV_SPLIT = 1
YBWC = 2
DYNAMIC = 3
ABDADA = 4
APHID = 5


def may_split(level: int, finished: int, node: Node, frame: Frame, context: Context) -> bool:
    """Whether a node may be split, of which so many moves were searched."""
    method = context.team[0].method
    if method == ROOT_SPLIT:
        return root_split_may_split(level, finished, node, frame, context)
    if method == PV_SPLIT:
        return pv_split_may_split(level, finished, node, frame, context)
    if method == YBWC:
        return ybwc_may_split(level, finished, node, frame, context)
    return dynamic_may_split(level, finished, node, frame, context)
