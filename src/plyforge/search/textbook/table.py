"""A transposition table that never forgets and never confuses: a dict.

An entry holds the result of one search of a node.  Wins in it are counted from the node, because
the node may be met again at another ply.  A new result takes the place of the old one.
"""

from enum import Enum
from typing import NamedTuple

from plyforge.search.textbook.view import Node, View
from plyforge.search.values import from_node, from_root


class Flag(Enum):
    """How a stored value relates to the true one."""

    EXACT = "exact"
    LOWER = "at least"
    UPPER = "at most"


class Entry(NamedTuple):
    """The result of a search of a node to a depth, and the move that looked best."""

    value: float
    flag: Flag
    depth: int
    move: int | None


Table = dict[tuple[int, int], Entry]
"""Entries by the position's key and the side to move."""


def flag_of(score: float, alpha: float, beta: float) -> Flag:
    """What a fail-soft score says, by the window that the node was *entered* with.

    A window that has been narrowed or raised since then would call a fail high, or an exact
    score, a fail low.
    """
    if score <= alpha:
        return Flag.UPPER
    return Flag.LOWER if score >= beta else Flag.EXACT


def look_up(view: View, table: Table, node: Node) -> Entry | None:
    """The node's entry, if any, with wins counted from the root."""
    entry = table.get((view.game.key(node.position), node.side))
    return None if entry is None else entry._replace(value=from_root(entry.value, node.ply))


def save(view: View, table: Table, node: Node, entry: Entry) -> None:
    """Keep an entry whose wins are counted from the root."""
    stored = entry._replace(value=from_node(entry.value, node.ply))
    table[view.game.key(node.position), node.side] = stored


def narrowed(
    entry: Entry | None, depth: int, alpha: float, beta: float, at_least: bool = False
) -> tuple[float, float]:
    """The window that is left to search; it is empty if the entry answers already.

    The entry must come from a search of the same depth; with `at_least`, of that depth or more,
    which finds other values than minimax does.
    """
    if entry is None or entry.depth < depth or (entry.depth > depth and not at_least):
        return alpha, beta
    if entry.flag is Flag.EXACT:
        return entry.value, entry.value
    if entry.flag is Flag.LOWER:
        return max(alpha, entry.value), beta
    return alpha, min(beta, entry.value)
