"""The executors of this machine."""

import os

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.executor import Executor
from plyforge.jobs.pool import MAX_PROCESSES, ProcessPool
from plyforge.jobs.serial import SerialExecutor


def local_executor(processes: int | None = None) -> Executor:
    """Return an executor with this many processes, by default one per core; 0 uses this process."""
    if processes is None:
        processes = min(usable_cores(), MAX_PROCESSES)
    whole = isinstance(processes, int) and not isinstance(processes, bool)
    if not whole or not 0 <= processes <= MAX_PROCESSES:
        raise PlyforgeError(
            f"the number of processes must be an integer between 1 and {MAX_PROCESSES}, or 0 to"
            f" work in this process, not {processes!r}"
        )
    return ProcessPool(processes) if processes else SerialExecutor()


def usable_cores() -> int:
    """Return the number of processor cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not available on every system
        return os.cpu_count() or 1
