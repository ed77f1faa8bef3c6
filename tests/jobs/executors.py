"""All executors, for the tests that every one of them must pass: a new one is a new row."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import pytest

from plyforge.jobs.cluster.connection import Cluster, connect
from plyforge.jobs.cluster.pool import RayPool
from plyforge.jobs.executor import Executor
from plyforge.jobs.pool import ProcessPool
from plyforge.jobs.serial import SerialExecutor

MAX_WORKERS: Final = 3
"""The most workers that a test asks for."""


@dataclass(frozen=True)
class Row:
    """One executor."""

    make: Callable[[int], Executor]
    """Make it with this many workers; it may have fewer."""
    protected: bool
    """Whether jobs run in other processes, which may die or hang."""
    marks: tuple[Any, ...] = ()


@cache
def private_cluster() -> Cluster:
    """Start a Ray cluster that all tests of this process use; it takes seconds."""
    return connect(cpus=MAX_WORKERS)


def make_ray_pool(workers: int) -> Executor:
    private_cluster()
    return RayPool(limit=workers)


EXECUTORS: Final = {
    "serial": Row(lambda workers: SerialExecutor(), protected=False),
    "processes": Row(ProcessPool, protected=True),
    "ray": Row(make_ray_pool, protected=True, marks=(pytest.mark.long,)),
}
