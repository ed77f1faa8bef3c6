"""The steps of the search, one module each.

The order of `BUILT_IN` is the order in which steps act within a phase; steps of users come last, in
the order in which they are given.
"""

from types import ModuleType
from typing import Final

from plyforge.search.steps import (
    child_eval,
    continuation,
    cycles,
    deepening,
    eib,
    etc,
    history,
    horizon_moves,
    killers,
    prefetch,
    pvs,
    table,
    table_move,
    wins,
)
from plyforge.search.steps.step import Step, read_step

_MODULES: Final[tuple[ModuleType, ...]] = (
    table,
    table_move,
    etc,
    killers,
    history,
    continuation,
    child_eval,
    eib,
    wins,
    pvs,
    prefetch,
    horizon_moves,
    cycles,
    deepening,
)

BUILT_IN: Final[tuple[Step, ...]] = tuple(read_step(module, module.__name__) for module in _MODULES)
