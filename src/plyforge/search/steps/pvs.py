"""Principal variation search: moves after the first are only tested for being better."""

from typing import Any

import numpy as np

from plyforge.search.kernels.context import ONE_PLY, Context, Node
from plyforge.search.kernels.phases import has_inexact_steps
from plyforge.search.kernels.values import next_above
from plyforge.search.parameters import YES_NO, choice

NAME = "pvs"
SUMMARY = (
    "all moves but the first are searched with a null window, and again if they turn out better"
)
PAPER = "Pearl 1980; Marsland, Campbell 1982; Reinefeld 1983"
EXACT = True
PARAMETERS = (
    choice(
        "skip-research",
        "yes",
        "skip searches near the horizon that cannot change the value (Reinefeld's condition)",
        YES_NO,
    ),
)


def plan_move(position: Any, child: Any, level: int, node: Node, context: Context) -> bool:
    # The value of a leaf costs the same in any window.
    if node.tried > 1 and node.child_depth > 0 and node.low > -np.inf:
        node.child_high = min(next_above(node.low), node.high)
    return True


def search_again(value: float, flips: bool, level: int, node: Node, context: Context) -> bool:
    if not node.child_high < node.high or not node.low < value < node.high:
        return False
    exact = not has_inexact_steps()
    # Near the end of all games, steps may value a child by a bound.
    sees_leaves = flips and node.depth <= 2 * ONE_PLY and node.to_end == 0
    if exact and context.skip_research != 0 and sees_leaves:
        # A child one ply above the leaves that failed low has seen all of them.  If the same side
        # moves again, the child failed high instead and has seen only some.
        return False
    if exact:
        node.child_low = value
    # Other steps may find a smaller value this time, which must not be taken for a bound.
    node.child_high = node.high
    return True
