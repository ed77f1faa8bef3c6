"""The left-first minimal graph: the nodes of a search that tries the best move first everywhere.

A position is searched again, with a window just around its known value and with the table of the
search that found it. The old entries propose moves but cause no cutoffs. Entries that the new
search stores are used as usual, so transpositions count once. Each pass leaves better moves for the
next, and the smallest count of several passes is taken, which is close to the minimum.

The table must be far larger than the graph. If an entry was overwritten, its move is lost, and the
search takes many more leaves: in connect four at depth 14, 2^22 entries instead of 2^24 doubled the
"minimal" graph, and made searches look better than possible. The usual move order replaces a lost
move. There are no enhanced transposition cutoffs here; a search that has them may visit slightly
fewer leaves than this graph has.
"""

from dataclasses import replace

import numpy as np

from plyforge.engine import Engine
from plyforge.game.game import Game, History
from plyforge.lab.fixed_defaults import engine_options
from plyforge.lab.variations import Variation
from plyforge.search.hashtable import MIN_ENTRIES, HashTable
from plyforge.search.kernels.table import MAX_DEPTH
from plyforge.search.request import SearchRequest, root_of
from plyforge.search.searcher import Searcher
from plyforge.search.values import next_above, next_below

PASSES = 4
ENTRIES = 1 << 24


def keep_only_moves(table: HashTable) -> None:
    """Give all entries a depth that no node has, so they cause no cutoffs under rule `equal`."""
    words = table.words
    used = 2 * np.flatnonzero(words[1::2])
    data = words[used + 1]
    deep = data | np.uint64(MAX_DEPTH << 32)
    words[used] ^= data ^ deep
    words[used + 1] = deep


class MinimalGraphs:
    """Finds the values of positions of a game, and the leaves that prove them."""

    def __init__(self, game: Game, entries: int = ENTRIES, defaults: str = "") -> None:
        """`defaults` names a table of fixed defaults, as in a `Variation`."""
        settings = {"replace": "newer"}
        search = Variation("search", settings=settings, entries=entries, defaults=defaults)
        proof = replace(search, driver="alphabeta", off=("etc",), entries=MIN_ENTRIES)
        self._engine = Engine(game, **engine_options(game, search))
        prover = Engine(game, **engine_options(game, proof))
        self._prover = Searcher(prover.game, prover.options, self._engine.searcher.table)

    def find(self, root: History, depth: int) -> tuple[float, int]:
        """Return the value at a depth, and the leaves of its minimal graph."""
        engine, prover = self._engine, self._prover
        engine.clear()
        prover.clear()  # its history of other positions would change the counts
        value = engine.analyse(root, depth=depth).score
        window = next_below(value), next_above(value)
        request = SearchRequest.of(root_of(root, prover.game), *window, depth)
        fewest = 0
        for _ in range(PASSES):
            keep_only_moves(engine.searcher.table)
            prover.reset_counts()
            result = prover.search(request)
            if result.value != value:
                raise ArithmeticError(f"the search found {value}, the proof {result.value}")
            leaves = prover.counts.leaves
            fewest = min(fewest or leaves, leaves)
        return value, fewest
