"""Mate search: important nodes are searched for a win by threats, however long."""

from typing import Any, Final

from plyforge.compilation.hooks_api import in_check
from plyforge.core.scores import LOSS, WIN
from plyforge.search.kernels.context import NO_VALUE, Context, Node
from plyforge.search.kernels.forced_wins import (
    FAILURE_BITS,
    MAX_PLIES,
    NOT_FOUND,
    TABLE_BITS,
    WIDTH,
    find_forced_win,
)
from plyforge.search.kernels.values import from_root, is_decided, is_null_window
from plyforge.search.parameters import choice, integer, plies
from plyforge.search.steps.step import Array, Sizes

NAME = "mate-search"
SUMMARY = (
    "checks at the root, the principal variation and moves that raise alpha are searched for a win"
    " in which every move makes a threat"
)
PAPER = "tsume-shogi solvers in alpha-beta: Kishimoto, Müller; df-pn: Nagai 2002"
EXACT = False
ON = False
SHARED = False
HOOKS = ("in_check",)
_ALL: Final = 1
PARAMETERS = (
    plies("mate-search-depth", 1, "the minimum remaining depth", 1),
    integer("mate-search-nodes", 200, "the maximum number of nodes of one such search", 1, 100_000),
    choice(
        "mate-search-at",
        "open-windows",
        "at nodes with an open window, or at all nodes",
        {"open-windows": 0, "all": _ALL},
    ),
)
MIN_DEPTH = "mate-search-depth"
COUNTERS = {
    "mate_searches": "searches for a win by threats",
    "mate_nodes": "nodes of these searches, which are among the others",
    "mates_found": "wins that they found",
}
_SLACK: Final = 4096
"""Words after the moves, for rules that write a little more than they declared."""


def _children(sizes: Sizes) -> int:
    return (MAX_PLIES + 1) * sizes.max_moves + _SLACK


ARRAYS = (
    Array("forced_table", lambda sizes: 2 << TABLE_BITS),
    Array("forced_failures", lambda sizes: 1 << FAILURE_BITS, "clear"),
    Array("forced_searches", lambda sizes: 1),
    Array("forced_levels", lambda sizes: WIDTH * (MAX_PLIES + 1)),
    Array("forced_moves", _children),
    Array("forced_keys", _children),
    Array("forced_numbers", _children),
)


def known_value(position: Any, level: int, node: Node, context: Context) -> float:
    """Return the value of a win of the root's side after one of its moves that gives check.

    The root itself is always searched, because it needs a move, and null windows would not look at
    its sacrifices.  This comes before the table, whose entry may be that of a search without it.
    """
    if node.ply != 1 or node.flipped == 0 or node.passed != 0 or not in_check(position):
        return NO_VALUE
    if is_won(context.nodes[level - 1].low):
        return NO_VALUE
    length = find_forced_win(position, 0, context.mate_search_nodes, node, context)
    if length == NOT_FOUND:
        return NO_VALUE
    context.mates_found += 1
    return from_root(float(LOSS + length), node.ply)


def before_moves(position: Any, level: int, node: Node, context: Context) -> float:
    """Return the value of a win of the side to move; it is a bound, as there may be a faster one.

    With PVS, a move that raises alpha is searched again with an open window, so that the other
    side's wins after it are looked for.
    """
    if node.passed != 0 or is_won(node.low):
        return NO_VALUE
    if context.mate_search_at != _ALL and is_null_window(node.low, node.high):
        return NO_VALUE
    length = find_forced_win(position, 1, context.mate_search_nodes, node, context)
    if length == NOT_FOUND:
        return NO_VALUE
    context.mates_found += 1
    return from_root(float(WIN - length), node.ply)


def is_won(low: float) -> bool:
    """Whether a win is known already, so that only a faster one would be better."""
    return is_decided(low) and low > 0.0
