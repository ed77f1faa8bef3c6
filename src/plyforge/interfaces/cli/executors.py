"""The executor that `--jobs` asks for."""

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.executor import Executor
from plyforge.jobs.local import local_executor


def choose_executor(jobs: int | None, allow_zero: bool = False) -> Executor:
    """Return an executor with this many processes, by default one per core; 0 uses this process."""
    if jobs is not None and jobs < 1 and not allow_zero:
        raise PlyforgeError(f"--jobs must be at least 1, not {jobs}")
    return local_executor(jobs)
