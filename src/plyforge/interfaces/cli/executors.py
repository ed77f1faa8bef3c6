"""The executor that `--executor` and `--jobs` ask for."""

from dataclasses import dataclass

from plyforge.core.errors import PlyforgeError
from plyforge.jobs import choosing
from plyforge.jobs.executor import Executor


@dataclass(frozen=True)
class ExecutorOptions:
    """Where jobs run, as typed."""

    jobs: int | None = None
    name: str = choosing.LOCAL

    def choose(self, allow_zero: bool = False) -> Executor:
        """Return the executor; it may connect to other machines.  0 jobs use this process."""
        if self.jobs is not None and self.jobs < 1 and not allow_zero:
            raise PlyforgeError(f"--jobs must be at least 1, not {self.jobs}")
        return choosing.choose_executor(self.name, self.jobs)
