"""The entry of a parallel search."""

from typing import Any

from plyforge.compilation.hooks_api import context_at
from plyforge.search.kernels.simulation import simulate
from plyforge.search.kernels.turns import run_in_turns
from plyforge.search.kernels.workers import run_thread

THREAD = 0
"""The caller is one of several threads, and runs the worker of its context."""
TURNS = 1
"""The caller runs all workers, in turns."""
SIMULATION = 2
"""The caller runs all workers, in virtual time."""


def run_team(root: Any, mode: int, address: Any) -> int:
    """Run a worker until the search ends; `address` is that of its context."""
    context = context_at(address)
    if mode == THREAD:
        run_thread(root, context)
    elif mode == TURNS:
        run_in_turns(root, context)
    else:
        simulate(root, context)
    return context.worker
