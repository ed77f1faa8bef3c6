"""A transposition table as a dict, which loses no entry and confuses no positions.

An entry holds the result of one search of a node.  Wins in it are counted from the node, because
the node may occur at another ply.  A new result replaces the old one.
"""

from enum import Enum
from typing import NamedTuple

from plyforge.search.textbook.view import Node, View
from plyforge.search.values import from_node, from_root


class Flag(Enum):
    """The kind of a stored value: exact, or a bound."""

    EXACT = "exact"
    LOWER = "at least"
    UPPER = "at most"


class Entry(NamedTuple):
    """The result of a search of a node to a depth, with the best move."""

    value: float
    flag: Flag
    depth: int
    move: int | None


Table = dict[tuple[int, int], Entry]
"""Entries by the position's key and the side to move."""


def flag_of(score: float, alpha: float, beta: float) -> Flag:
    """Return the kind of a fail-soft score, by the window with which the node was *entered*.

    A window that has been narrowed since then would make a fail high or an exact score a fail low.
    """
    if score <= alpha:
        return Flag.UPPER
    return Flag.LOWER if score >= beta else Flag.EXACT


def look_up(view: View, table: Table, node: Node) -> Entry | None:
    """Return the node's entry, if any, with wins counted from the root."""
    entry = table.get((view.game.key(node.position), node.side))
    return None if entry is None else entry._replace(value=from_root(entry.value, node.ply))


def save(view: View, table: Table, node: Node, entry: Entry) -> None:
    """Store an entry whose wins are counted from the root."""
    stored = entry._replace(value=from_node(entry.value, node.ply))
    table[view.game.key(node.position), node.side] = stored


def narrow_window(
    entry: Entry | None, depth: int, alpha: float, beta: float, at_least: bool = False
) -> tuple[float, float]:
    """Return the window that is left to search; it is empty if the entry answers the node.

    The entry must come from a search of the same depth; with `at_least`, of that depth or more,
    which gives other values than minimax.
    """
    if entry is None or entry.depth < depth or (entry.depth > depth and not at_least):
        return alpha, beta
    if entry.flag is Flag.EXACT:
        return entry.value, entry.value
    if entry.flag is Flag.LOWER:
        return max(alpha, entry.value), beta
    return alpha, min(beta, entry.value)
