"""The left-first minimal graph: the nodes of a search that tries the best move first everywhere.

A position is searched once more, with the window just around its known value and with the table
of a search that has found it.  The old entries propose moves and settle nothing; what the search
itself stores is used as ever, so that transpositions count once.  Each pass leaves better moves for
the next, and the least of some passes is taken: no true minimum, but near it.
"""

from __future__ import annotations

import numpy as np

from plyforge.core.game import Game
from plyforge.core.history import History
from plyforge.search.hashtable import HashTable
from plyforge.search.kernels.table import MOST_DEPTH
from plyforge.search.options import Options
from plyforge.search.searcher import Searcher
from plyforge.search.textbook.values import next_above, next_below

PASSES = 4
OPTIONS = Options.preset("exact").changed(
    off=["all"], on=["table", "table-move"], settings={"replace": "newer"}
)


def keep_only_moves(table: HashTable) -> None:
    """Give all entries a depth that no node has: under the rule `equal` they settle nothing."""
    data = table.words[1::2]
    keys = table.words[0::2] ^ data
    used = data != 0
    deep = np.where(used, data | np.uint64(MOST_DEPTH << 32), data)
    table.words[1::2] = deep
    table.words[0::2] = np.where(used, keys ^ deep, np.uint64(0))


def leaves_of_minimal_graph(
    game: Game, root: History, depth: int, value: float, warm: HashTable
) -> int:
    """The leaves that prove `value`; `warm` is the table, by the rule `newer`, that found it."""
    table = HashTable(warm.entries)
    table.words[:] = warm.words
    searcher = Searcher(game, OPTIONS, table)
    searcher.set_root(root)
    least = 0
    for _ in range(PASSES):
        keep_only_moves(table)
        searcher.reset_counts()
        answer = searcher.search(next_below(value), next_above(value), depth)
        if answer.value != value:
            raise ArithmeticError(f"the search found {value}, the proof {answer.value}")
        leaves = searcher.counts.leaves
        least = min(least or leaves, leaves)
    return least
