"""The cost of reading options at run time.

The same kernel is built a second time with every option as a constant, so that the compiler removes
the tests of options and all code that is switched off.  Both visit the same nodes.  A ratio of 0.9
means that the switches cost a tenth of the speed; in return one compiled kernel serves all
combinations of them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from types import FunctionType
from typing import Any

import plyforge
from benchmarks.clock import Contender, Sample, Settings
from benchmarks.compare import compare
from benchmarks.table import Row
from plyforge.compilation.kernel import Kernel, build
from plyforge.search.hashtable import HashTable
from plyforge.search.kernels import context
from plyforge.search.kernels.alpha_beta import SEARCH, search
from plyforge.search.searcher import Searcher

ENTRIES = 1 << 20
INFINITY = float("inf")
KERNELS = context.__name__.rpartition(".")[0]


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


class Freezer:
    """Clones functions of a kernel with `option` replaced by constants."""

    def __init__(self, words: Any) -> None:
        # Words before the sizes are addresses, which `option` never reads.
        known = range(context.BUCKETS, context.LEAVES)
        values = tuple(int(words[at]) if at in known else 0 for at in range(context.LEAVES))

        def option(words: Any, name: int) -> int:
            return values[name]

        self._clones: dict[FunctionType, FunctionType] = {context.option: option}  # type: ignore[dict-item]

    def clone(self, function: FunctionType) -> FunctionType:
        if function in self._clones:
            return self._clones[function]
        scope = dict(function.__globals__)
        made = FunctionType(function.__code__, scope, function.__name__)
        self._clones[function] = made
        for name in function.__code__.co_names:
            value = scope.get(name)
            if isinstance(value, FunctionType) and value.__module__.startswith(KERNELS):
                scope[name] = self.clone(value)
        return made


def freeze(words: Any) -> Kernel:
    """Return the search kernel with the options of a context as constants."""
    freezer = Freezer(words)
    entry: Any = SEARCH.entry
    recursive: Any = search
    signatures: dict[Callable[..., Any], str] = {freezer.clone(recursive): SEARCH.recursive[search]}
    return Kernel("frozen", freezer.clone(entry), SEARCH.signature, signatures)


def prepare(case: Case, configuration: str, constant: bool) -> Contender:
    """Prepare searches with deepening, each from an empty table."""
    game = plyforge.load(case.game)
    options = plyforge.Engine(game, entries=256, **CONFIGURATIONS[configuration]).options
    searcher = Searcher(game, options, HashTable(ENTRIES))
    if constant:
        kernel = freeze(searcher.context)
        searcher._kernel = build(kernel, game.rules, game.position_type)
    searcher.set_root(game.history())

    def sample() -> Sample:
        searcher.clear()
        searcher.reset_counts()
        start = time.process_time()
        for depth in range(1, case.depth + 1):
            searcher.search(-INFINITY, INFINITY, depth)
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
