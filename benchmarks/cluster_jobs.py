"""What jobs on a Ray cluster cost: the overhead of a job, and two nodes against one.

The cluster has two nodes of one worker each on this machine, so the second figure needs two cores
that are idle.
"""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Iterator, Sequence

from benchmarks.clock import Settings
from benchmarks.table import Row
from benchmarks.targets import Target
from plyforge.core.errors import PlyforgeError
from plyforge.jobs.cluster.address import is_port_free
from plyforge.jobs.cluster.local_nodes import start_nodes, stop_nodes
from plyforge.jobs.cluster.pool import RayPool
from plyforge.jobs.executor import Executor, Report, Work
from plyforge.jobs.pool import ProcessPool

OVERHEAD_SECONDS = Target(5e-3, at_least=False)
TWO_NODES_RATIO = Target(1.8)
EMPTY_JOBS = 400
"""In each round."""
LONG_JOBS, QUICK_LONG_JOBS = 24, 8
JOB_SECONDS = 0.5
PORTS = range(6400, 6500)


def do_nothing(job: int, report: Report) -> int:
    return job


def burn(job: float, report: Report) -> float:
    """Use a processor for this many seconds."""
    end = time.process_time() + job
    while time.process_time() < end:
        pass
    return job


def wall_seconds(executor: Executor, work: Work, jobs: Sequence[float], rounds: int = 1) -> float:
    """Return the seconds that jobs take when all workers have started, in the best round."""
    with executor.open(work) as queue:
        # Two rounds: in the first, a worker may do all jobs while others start.
        for _ in range(2):
            for _ in range(2 * executor.workers):
                queue.submit(0.05)
            list(queue.results())
        found = []
        for _ in range(rounds):
            started = time.perf_counter()
            for job in jobs:
                queue.submit(job)
            assert sum(done.failure is None for done in queue.results()) == len(jobs)
            found.append(time.perf_counter() - started)
        return min(found)


def rows(settings: Settings) -> Iterator[Row]:
    """Yield a row for the overhead and one for two nodes."""
    before = os.environ.get("PLYFORGE_DATA")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["PLYFORGE_DATA"] = folder  # not the cluster of the user
        try:
            state = start_nodes(2, 1, next(port for port in PORTS if is_port_free(port)))
            yield from _measure(settings, state.address, state.token)
        except PlyforgeError as error:
            yield Row("ray", "", "jobs on Ray", unit="s", note=str(error))
        finally:
            stop_nodes()
            if before is None:
                del os.environ["PLYFORGE_DATA"]
            else:
                os.environ["PLYFORGE_DATA"] = before


def _measure(settings: Settings, address: str, token: str) -> Iterator[Row]:
    one, two = RayPool(address, 1, token), RayPool(address, None, token)
    try:
        jobs = list(range(EMPTY_JOBS))
        local = wall_seconds(ProcessPool(1), do_nothing, jobs, settings.rounds) / EMPTY_JOBS
        remote = wall_seconds(one, do_nothing, jobs, settings.rounds) / EMPTY_JOBS
        yield Row(
            "ray", "", "overhead of a job", EMPTY_JOBS, remote, local, "s",
            target=OVERHEAD_SECONDS, note="one worker; the rival is a process of the local pool",
        )  # fmt: skip
        long_jobs = [JOB_SECONDS] * (QUICK_LONG_JOBS if settings.quick else LONG_JOBS)
        single = wall_seconds(one, burn, long_jobs)
        double = wall_seconds(two, burn, long_jobs)
        yield Row(
            "ray", "", f"two nodes over one, jobs of {JOB_SECONDS} s", len(long_jobs),
            len(long_jobs) / double, len(long_jobs) / single, "jobs/s", single / double,
            TWO_NODES_RATIO, "needs two idle cores",
        )  # fmt: skip
    finally:
        two.close()
        one.close()
