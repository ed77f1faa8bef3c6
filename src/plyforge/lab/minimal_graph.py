"""The left-first minimal graph: the nodes of a search that tries the best move first everywhere.

A position is searched once more, with the window just around its known value and with the table
of a search that has found it.  The old entries propose moves and settle nothing; what the search
itself stores is used as ever, so that transpositions count once.  Each pass leaves better moves for
the next, and the least of some passes is taken: no true minimum, but near it.

The table must be far larger than the graph.  Where an entry was overwritten its move is lost, and
a search without it takes many times the leaves: in connect four at depth 14, 2^22 entries in place
of 2^24 doubled the "minimal" graph, and made searches look better than is possible.  So the usual
order of moves stands in for a lost one.  There are no enhanced transposition cut-offs here; a
search that has them may use a little less than its share.
"""

import numpy as np

from plyforge.engine import Engine
from plyforge.game.game import Game, History
from plyforge.search.hashtable import MIN_ENTRIES, HashTable
from plyforge.search.kernels.table import MAX_DEPTH
from plyforge.search.searcher import Searcher
from plyforge.search.values import next_above, next_below

PASSES = 4
ENTRIES = 1 << 24


def keep_only_moves(table: HashTable) -> None:
    """Give all entries a depth that no node has: under the rule `equal` they settle nothing."""
    words = table.words
    used = 2 * np.flatnonzero(words[1::2])
    data = words[used + 1]
    deep = data | np.uint64(MAX_DEPTH << 32)
    words[used] ^= data ^ deep
    words[used + 1] = deep


class MinimalGraphs:
    """Finds the values of positions of a game, and the leaves that prove them."""

    def __init__(self, game: Game, entries: int = ENTRIES) -> None:
        settings = {"replace": "newer"}
        self._engine = Engine(game, settings=settings, entries=entries)
        proof = Engine(
            game, driver="alphabeta", off=["etc"], settings=settings, entries=MIN_ENTRIES
        )
        self._prover = Searcher(game, proof.options, self._engine.searcher.table)

    def find(self, root: History, depth: int) -> tuple[float, int]:
        """The value at a depth, and the leaves of its minimal graph."""
        engine, prover = self._engine, self._prover
        engine.clear()
        prover.clear()  # what it has learned of other positions would change its counts
        value = engine.analyse(root, depth=depth).score
        prover.set_root(root)
        least = 0
        for _ in range(PASSES):
            keep_only_moves(engine.searcher.table)
            prover.reset_counts()
            answer = prover.search(next_below(value), next_above(value), depth)
            if answer.value != value:
                raise ArithmeticError(f"the search found {value}, the proof {answer.value}")
            leaves = prover.counts.leaves
            least = min(least or leaves, leaves)
        return value, least
