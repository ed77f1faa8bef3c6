"""The steps of the search, one module each.

The order of `BUILT_IN` is the order in which steps act within a phase; steps of users come last, in
the order in which they are given.
"""

from types import ModuleType
from typing import Final

from plyforge.search.steps import (
    check_extension,
    child_eval,
    continuation,
    cycles,
    databases,
    deepening,
    eib,
    etc,
    futility,
    gains,
    history,
    horizon_moves,
    internal_reduction,
    killers,
    late_move_pruning,
    lmr,
    multi_probcut,
    null_move,
    prefetch,
    probcut,
    pvs,
    quiescence,
    razoring,
    realization,
    recapture,
    reverse_futility,
    single_reply,
    singular,
    table,
    table_move,
    wins,
)
from plyforge.search.steps.step import Step, read_step

_MODULES: Final[tuple[ModuleType, ...]] = (
    table,
    table_move,
    etc,
    gains,
    killers,
    history,
    continuation,
    child_eval,
    eib,
    wins,
    check_extension,
    recapture,
    single_reply,
    quiescence,
    reverse_futility,
    razoring,
    null_move,
    probcut,
    multi_probcut,
    internal_reduction,
    singular,
    futility,
    late_move_pruning,
    realization,
    lmr,
    pvs,
    prefetch,
    horizon_moves,
    cycles,
    deepening,
    databases,
)

BUILT_IN: Final[tuple[Step, ...]] = tuple(read_step(module, module.__name__) for module in _MODULES)
