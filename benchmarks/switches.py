"""The cost of reading options at run time.

The same kernel is built a second time with every option as a constant, so that the compiler removes
the tests of options and all code that is switched off.  Both visit the same nodes.  A ratio of 0.9
means that the switches cost a tenth of the speed; in return one compiled kernel serves all
combinations of them.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import plyforge
from benchmarks.clock import Contender, Sample, Settings
from benchmarks.compare import compare
from benchmarks.table import Row
from plyforge.compilation.kernel import Kernel, build
from plyforge.search.hashtable import HashTable
from plyforge.search.request import SearchRequest, root_of
from plyforge.search.searcher import Searcher
from plyforge.search.steps.linking import search_kernel

ENTRIES = 1 << 20
INFINITY = float("inf")


@dataclass(frozen=True)
class Case:
    """A game and the depth to which its start position is searched."""

    game: str
    depth: int


CASES = (Case("checkers", 15), Case("othello", 11), Case("connect4", 14))
QUICK_CASES = (Case("checkers", 11), Case("othello", 7), Case("connect4", 10))
CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "the defaults": {},
    "table and history": {
        "driver": "alphabeta",
        "off": ["all", "cycles"],
        "on": ["table", "table-move", "history"],
    },
}


def freeze(searcher: Searcher) -> Kernel:
    """Return the search kernel with the options of a searcher as constants."""
    kernel = search_kernel(searcher.options.kernel_steps)
    names = [step.field for step in searcher.options.steps]
    names += [p.field for step in searcher.options.steps for p in step.parameters]
    names += ["sorts_moves", "uses_slots", "look_ahead_depth", "child_entry_depth", "needs_keys"]
    values = {name: getattr(searcher.context, name) for name in names}
    context = type(kernel.context.__name__, (kernel.context,), values)
    return replace(kernel, name="frozen", context=context)


def prepare(case: Case, configuration: str, constant: bool) -> Contender:
    """Prepare searches with deepening, each from an empty table."""
    game = plyforge.load(case.game)
    options = plyforge.Engine(game, entries=256, **CONFIGURATIONS[configuration]).options
    searcher = Searcher(game, options, HashTable(ENTRIES))
    if constant:
        kernel = freeze(searcher)
        searcher._kernel = build(kernel, game.rules, game.position_type)
    root = root_of(game.history(), game)
    requests = [
        SearchRequest.of(root, -INFINITY, INFINITY, depth) for depth in range(1, case.depth + 1)
    ]

    def sample() -> Sample:
        searcher.clear()
        searcher.reset_counts()
        start = time.process_time()
        for request in requests:
            searcher.search(request)
        return Sample(searcher.counts.nodes, time.process_time() - start)

    sample()
    return sample


def rows(settings: Settings) -> Iterator[Row]:
    for case in QUICK_CASES if settings.quick else CASES:
        for configuration in CONFIGURATIONS:
            nodes = prepare(case, configuration, False)().nodes
            yield compare(
                "switches",
                case.game,
                f"start d{case.depth}, {configuration}: run time over constants",
                rival=partial(prepare, case, configuration, True),
                ours=partial(prepare, case, configuration, False),
                depth=case.depth,
                nodes=nodes,
                settings=settings,
            )
