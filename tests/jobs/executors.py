"""All executors, for the tests that every one of them must pass: a new one is a new row."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from plyforge.jobs.executor import Executor
from plyforge.jobs.pool import ProcessPool
from plyforge.jobs.serial import SerialExecutor


@dataclass(frozen=True)
class Row:
    """One executor."""

    make: Callable[[int], Executor]
    """Make it with this many workers; it may have fewer."""
    protected: bool
    """Whether jobs run in other processes, which may die or hang."""


EXECUTORS: Final = {
    "serial": Row(lambda workers: SerialExecutor(), protected=False),
    "processes": Row(ProcessPool, protected=True),
}
