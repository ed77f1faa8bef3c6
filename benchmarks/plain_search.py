"""Our side of the comparisons with other searches: plain alpha-beta.

No table, no ordering, no deepening, and 0 for every position at the horizon: it visits the same
nodes as the alpha-beta of any other program.
"""

from __future__ import annotations

from pathlib import Path

import plyforge
from benchmarks.clock import Contender, Settings, in_process

RULES = Path(__file__).with_name("rules") / "connect4_plain.py"


def plain_search(depth: int, settings: Settings) -> Contender:
    """Return a search of connect four from the start that counts all nodes."""
    engine = plyforge.Engine(str(RULES), driver="alphabeta", off=["all", "cycles"])
    searcher = engine.searcher
    request = engine.request(None, depth=depth)

    def count() -> int:
        searcher.reset_counts()
        searcher.search(request)
        return searcher.counts.nodes

    count()
    return in_process(count, settings.min_seconds)
