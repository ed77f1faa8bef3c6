"""One measurement: a position searched in one configuration.

Engines are reused for later measurements of the same configuration, with an empty table.
"""

from collections import OrderedDict
from typing import Any, Final

from plyforge.compilation.notices import Notices
from plyforge.engine import Engine
from plyforge.engine.result import SearchResult
from plyforge.game.game import History
from plyforge.games import load
from plyforge.jobs.user_files import files_fingerprint
from plyforge.lab.cases import Case
from plyforge.lab.fixed_defaults import engine_options
from plyforge.lab.variations import Variation
from plyforge.search.parallel.methods import DEFAULT as DEFAULT_METHOD

_MAX_ENGINES: Final = 48
_MAX_ENTRIES: Final = 12 << 20
"""Entries of the tables of all engines that are kept."""
_engines: OrderedDict[tuple[Any, ...], tuple[Engine, int]] = OrderedDict()
"""Engines, each with the entries of its table, the one used last at the end."""


class _WithoutWarnings(Notices):
    """Says what is compiled; an experiment may use more threads than there are cores."""

    def warn(self, text: str) -> None:
        """Write nothing."""


def open_engine(
    case: Case,
    variation: Variation,
    clear: bool = True,
    *,
    threads: int = 1,
    parallel: str = DEFAULT_METHOD,
) -> tuple[Engine, History]:
    """Return an engine with the variation's options, its memory cleared, and the position."""
    key = (case.game, variation.identity, files_fingerprint(), threads, parallel)
    if key not in _engines:
        _make_room(variation.entries)
        game = load(case.game)
        engine = Engine(game, **engine_options(game, variation), threads=threads, parallel=parallel)
        engine.prepare()  # so that clearing brings its table into memory before the search
        _engines[key] = engine, variation.entries
    _engines.move_to_end(key)
    engine, _ = _engines[key]
    if clear:
        engine.clear()
    return engine, case.history(engine.game)


def _make_room(entries: int) -> None:
    """Drop the engines that were not used for longest, so that another one can be kept."""
    while _engines:
        total = entries + sum(kept for _, kept in _engines.values())
        if len(_engines) < _MAX_ENGINES and total <= _MAX_ENTRIES:
            return
        _engines.popitem(last=False)


def measure_search(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Search a position, and return its counts and time."""
    engine, history = open_engine(case, variation)
    return search_figures(engine.analyse(history, depth=depth))


def search_figures(result: SearchResult) -> dict[str, float]:
    """Return the figures of a search, summed over all iterations.

    Distinct interior nodes are present only if they were counted. `seconds` is the processor time
    of the searches themselves; all other time of the analysis is in `fixed_seconds`.
    """
    counts = result.counts
    distinct = {"distinct": counts.distinct_interior} if counts.distinct_interior else {}
    last = [step for step in result.steps if step.depth == result.steps[-1].depth]
    return {
        "value": result.score,
        "depth": result.depth,
        "leaves": counts.leaves,
        "interior": counts.interior,
        "nodes": counts.nodes,
        **distinct,
        "transpositions": counts.transpositions,
        "first_cuts": counts.first_share,
        "searches": len(last),
        "all_searches": len(result.steps),
        "last_nodes": sum(step.nodes for step in last),
        "seconds": result.kernel_seconds,
        "fixed_seconds": max(0.0, result.seconds - result.kernel_seconds),
    }
