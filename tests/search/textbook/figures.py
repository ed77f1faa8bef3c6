"""Trees with known values and visits, and functions to search them."""

from collections.abc import Callable
from typing import Any

import plyforge
from plyforge.search.textbook import (
    Trace,
    View,
    alpha_beta,
    alpha_beta_fail_hard,
    alpha_beta_table,
    dual,
    for_max,
    minimax,
    mtdf,
    negamax,
    negascout,
    sss,
    vision_draughts,
)

tree = plyforge.load("tree")

DEEP = 62
"""As deep as any tree."""

Algorithm = Callable[..., float]


def mtdf_far_off(view: View, node: Any, depth: int) -> float:
    """MTD(f) from a guess that is far off and no float32."""
    return mtdf(view, node, depth, guess=1234.1)


def negascout_skipping_research(view: View, node: Any, depth: int) -> float:
    return negascout(view, node, depth, skip_research=True)


ALGORITHMS: dict[str, Algorithm] = {
    "negamax": negamax,
    "fail-hard": alpha_beta_fail_hard,
    "fail-soft": alpha_beta,
    "NegaScout": negascout,
    "NegaScout, skip_research": negascout_skipping_research,
    "MTD(f)": mtdf,
    "MTD(f) far off": mtdf_far_off,
    "SSS*": sss,
    "DUAL*": dual,
    "table": alpha_beta_table,
}
"""The algorithms that return the value for the side to move."""


def values(view: View, position: Any, depth: int) -> dict[str, float]:
    """Return the value of each algorithm, for MAX."""
    root = view.root(position)
    found = {name: for_max(root, search(view, root, depth)) for name, search in ALGORITHMS.items()}
    found["VisionDraughts"] = vision_draughts(view, root, depth)
    found["minimax"] = minimax(view, root, depth)
    return found


def record_search(search: Algorithm, position: Any, depth: int = DEEP, game: Any = tree) -> Trace:
    """Return the trace of a search."""
    trace = Trace()
    view = View(game, trace=trace)
    search(view, view.root(position), depth)
    return trace


def leaf_values(trace: Trace) -> list[float]:
    """Return the values of the visited leaves of a tree, for MAX."""
    found = ((tree.outcome(visit.position), visit.side) for visit in trace.leaves())
    return [-value if side else value for value, side in found]


AIMA = "[[3,12,8],[2,4,6],[14,5,2]]"
FIGURES = {
    AIMA: (3, 6, "3 12 8 2 14 5 2", 7),
    "[[3,12,8],[2,4,6],[2,5,14]]": (3, 6, "3 12 8 2 2", 9),
    "[[[[5,6],[7,4,5]],[[3]]],[[[6],[6,9]],[[7]]],[[[5]],[[9,8],[6]]]]": (
        6, 6, "5 6 7 4 3 6 6 7 5", 9,
    ),
    "[[[3,5],[6,9]],[[1,2],[0,-1]]]": (5, 1, "3 5 6 1 2", 7),
    "[[[2,3],[5,9]],[[0,1],[7,5]]]": (3, 5, "2 3 5 0 1", 8),
    "[[[[8,7],[3,9]],[[9,8],[2,4]]],[[[1,8],[8,9]],[[9,9],[3,4]]]]": (
        8, 8, "8 7 3 9 8 1 8 9 9 9", 11,
    ),
}  # fmt: skip
"""By tree: value with MAX and with MIN at the root; the leaves that alpha-beta visits from left to
right with MAX at the root, and how many with MIN there."""
