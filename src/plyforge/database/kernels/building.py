"""The building kernel: one entry for all the tasks of building and verifying a slice."""

from typing import Any, Final

from plyforge.compilation.hooks_api import context_at
from plyforge.compilation.kernel import Kernel
from plyforge.database.kernels.context import Build
from plyforge.database.kernels.lookup import known_value
from plyforge.database.kernels.retrograde import (
    decide_outside,
    propagate,
    settle_draws,
    sum_starts,
)
from plyforge.database.kernels.scanning import (
    count_moves,
    decide,
    leave_out,
    list_predecessors,
    restore,
    verify,
)

COUNT_MOVES: Final = 0
SUM_STARTS: Final = 1
LIST_PREDECESSORS: Final = 2
DECIDE_OUTSIDE: Final = 3
PROPAGATE: Final = 4
SETTLE_DRAWS: Final = 5
DECIDE: Final = 6
VERIFY: Final = 7
LEAVE_OUT: Final = 8
RESTORE: Final = 9


def run_task(root: Any, task: int, address: Any) -> int:
    """Run a task; `root` is any position of the variant, `address` that of the context."""
    context = context_at(address)
    if task == COUNT_MOVES:
        count_moves(root, context)
    elif task == SUM_STARTS:
        sum_starts(root, context)
    elif task == LIST_PREDECESSORS:
        list_predecessors(root, context)
    elif task == DECIDE_OUTSIDE:
        decide_outside(root, context)
    elif task == PROPAGATE:
        propagate(root, context)
    elif task == SETTLE_DRAWS:
        settle_draws(root, context)
    elif task == DECIDE:
        decide(root, context)
    elif task == VERIFY:
        verify(root, context)
    elif task == LEAVE_OUT:
        leave_out(root, context)
    else:
        restore(root, context)
    return 0


BUILDING: Final = Kernel(
    "database",
    run_task,
    "int64(position, int64, address)",
    {known_value: "int64(position, int64, int64, words, context)"},
    Build,
)
