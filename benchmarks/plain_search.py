"""Our side of the comparisons with other searches: alpha-beta and nothing else.

No table, no ordering, no deepening, and 0 for every position at the horizon: the nodes are those
of the textbook, so that another program's alpha-beta visits the same ones.
"""

from __future__ import annotations

from pathlib import Path

import plyforge
from benchmarks.clock import Contender, Settings, in_process

RULES = Path(__file__).with_name("rules") / "connect4_plain.py"
INFINITY = float("inf")


def plain_search(depth: int, settings: Settings) -> Contender:
    """One search of connect four from the start; counts all nodes."""
    engine = plyforge.Engine(str(RULES), driver="alphabeta", off=["all", "cycles"])
    searcher = engine.searcher
    searcher.set_root(engine.root())

    def count() -> int:
        searcher.reset_counts()
        searcher.search(-INFINITY, INFINITY, depth)
        return searcher.counts.nodes

    count()
    return in_process(count, settings.least_seconds)
