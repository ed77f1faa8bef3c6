"""The executor on Ray: what is true of it alone.  One private cluster serves all tests.

Only two of them are in the fast tier: starting Ray takes seconds.
"""

import contextlib
import os
import signal
import threading
from collections.abc import Callable

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.cluster import pool
from plyforge.jobs.cluster.connection import connect
from plyforge.jobs.cluster.pool import MAX_LOSSES, RayPool
from plyforge.jobs.executor import JobResult, run_jobs
from tests.jobs.executors import MAX_WORKERS, private_cluster
from tests.jobs.job_functions import freeze_supervisor, lose_supervisor, mark, misbehave, square

FINE = ("fine", 1)


@pytest.fixture
def lines() -> list[str]:
    return []


@pytest.fixture
def make(lines) -> Callable[[int], RayPool]:
    def make(workers: int) -> RayPool:
        private_cluster()
        # Other lines say that the machine is slow.
        return RayPool(limit=workers, notify=lambda text: "is lost" in text and lines.append(text))

    return make


@pytest.mark.long
def test_jobs_run_on_ray_and_a_process_that_dies_costs_only_its_own_job(make, lines):
    executor = make(2)
    assert (executor.workers, executor.place) == (2, "1 node, 2 workers")
    found = list(run_jobs(executor, misbehave, [FINE, ("exit", 5), FINE]))
    assert sum(done.result == 1 for done in found) == 2
    (dead,) = [done for done in found if done.failure]
    assert dead == JobResult(("exit", 5), None, "died", "exit", "exit code 5", 5)
    assert lines == []


@pytest.mark.long
def test_a_job_whose_supervisor_is_lost_runs_again(make, lines, tmp_path):
    (done,) = run_jobs(make(1), lose_supervisor, [(str(tmp_path), 1)])
    assert (done.result, done.failure) == (1, None)
    (line,) = lines
    assert "is lost" in line
    assert "its job runs again" in line


@pytest.mark.long
def test_a_job_that_always_loses_its_supervisor_fails(make, lines, tmp_path):
    (done,) = run_jobs(make(1), lose_supervisor, [(str(tmp_path), 1000)])
    assert (done.failure, done.stage, done.code) == ("died", "", None)
    assert f"its worker was lost {MAX_LOSSES} times" in done.detail
    assert len(lines) == MAX_LOSSES - 1


@pytest.mark.long
def test_a_supervisor_that_does_not_answer_is_replaced(make, lines, tmp_path, monkeypatch):
    monkeypatch.setattr(pool, "_PING_PERIOD", 0.5)
    monkeypatch.setattr(pool, "_PING_TIMEOUT", 10.0)
    try:
        (done,) = run_jobs(make(1), freeze_supervisor, [str(tmp_path)])
    finally:
        frozen = int((tmp_path / "frozen").read_text(encoding="utf-8"))
        with contextlib.suppress(ProcessLookupError):
            os.kill(frozen, signal.SIGKILL)
    assert done.result == "done"
    assert any("no answer for 10 s" in line for line in lines)


@pytest.mark.long
def test_two_queues_share_the_processors_of_the_cluster(make, tmp_path):
    """The second queue waits for processors, and gets its results when the first has ended."""
    found: list[JobResult] = []
    with make(MAX_WORKERS).open(mark) as first:
        for _ in range(MAX_WORKERS):
            first.submit((str(tmp_path), 0.5))
        list(first.results())
        # All processors still belong to the workers of the first queue.
        thread = threading.Thread(
            target=lambda: found.extend(run_jobs(make(1), square, [3])), daemon=True
        )
        thread.start()
        thread.join(3)
        assert found == []
    thread.join(120)
    assert [done.result for done in found] == [9]


@pytest.mark.long
def test_a_process_has_one_cluster(make):
    make(1)
    with pytest.raises(PlyforgeError, match=r"is connected to .* already, and cannot connect to"):
        connect("ray://10.0.0.1:1")
