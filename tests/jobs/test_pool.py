"""The process pool: a job that fails does not disturb the others."""

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.pool import JobResult, ProcessPool, _block_sigint, usable_cores
from tests.jobs.pool_jobs import mark, misbehave, square
from tests.processes import default_sigint, popen

TIMEOUT = 60.0
"""Seconds after which a test gives up."""
FINE = ("fine", 1)


def wait_until(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def alive(pid: int) -> bool:
    """Return whether a process is running; a zombie is not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def pids(folder: Path) -> list[int]:
    return [int(path.name) for path in folder.iterdir()]


@pytest.mark.parametrize("processes", [0, 1, 2, 3])
def test_every_job_is_done_once_with_any_number_of_processes(processes):
    found = list(ProcessPool(square, processes).run(range(7)))
    assert sorted((done.job, done.result) for done in found) == [(n, n * n) for n in range(7)]
    assert all(done.failure is None for done in found)


@pytest.mark.parametrize("processes", [0, 2])
def test_no_jobs_give_no_results(processes):
    assert list(ProcessPool(square, processes).run([])) == []


@pytest.mark.parametrize("processes", [0, 2])
def test_a_job_that_raises_reports_its_stage_and_the_others_continue(processes):
    jobs = [FINE, ("raise", "no such thing"), FINE]
    found = {done.job: done for done in ProcessPool(misbehave, processes).run(jobs)}
    assert found[FINE].result == 1
    raised = found["raise", "no such thing"]
    assert (raised.failure, raised.stage, raised.result) == ("raised", "raise", None)
    assert "ValueError: no such thing" in raised.detail


@pytest.mark.parametrize("processes", [0, 2])
def test_a_user_error_ends_the_run(processes):
    with pytest.raises(PlyforgeError, match="correct this"):
        list(ProcessPool(misbehave, processes).run([("user error", "correct this"), FINE]))


@pytest.mark.parametrize(
    ("job", "code"),
    [(("exit", 5), 5), (("abort", None), -signal.SIGABRT), (("system exit", 3), 3)],
)
def test_a_process_that_dies_costs_only_its_own_job(job, code):
    found = list(ProcessPool(misbehave, 2).run([FINE, job, FINE, FINE]))
    assert sum(done.result == 1 for done in found) == 3
    (dead,) = [done for done in found if done.failure]
    detail = f"exit code {code}"
    assert dead == JobResult(job, failure="died", stage=job[0], detail=detail, code=code)


def test_a_process_that_dies_between_jobs_is_noticed():
    jobs = [("delayed exit", 1), ("sleep", None)]
    found = list(ProcessPool(misbehave, 1).run(jobs))
    assert [done.failure for done in found] == [None, "died"]


def test_a_job_that_exceeds_its_deadline_is_killed_and_the_others_continue():
    jobs = [("hang", 0.3), FINE, FINE, ("hang", 0.2), FINE]
    found = list(ProcessPool(misbehave, 2).run(jobs))
    assert sorted(done.job for done in found) == sorted(jobs)
    hung = [done for done in found if done.failure]
    assert [(done.failure, done.stage) for done in hung] == [("hung", "hang")] * 2


def test_jobs_are_taken_only_when_a_process_is_free():
    taken = []

    def jobs() -> Iterator[int]:
        for n in range(6):
            taken.append(n)
            yield n

    run = ProcessPool(square, 2).run(jobs())
    assert taken == []
    for finished, _ in enumerate(run):
        assert len(taken) <= finished + 2
    assert taken == list(range(6))


def test_the_next_job_is_taken_after_the_caller_has_seen_the_last_result():
    seen: list[int] = []
    jobs = (n for n in range(10) if len(seen) < 3)
    for done in ProcessPool(square, 1).run(jobs):
        seen.append(done.job)
    assert seen == [0, 1, 2]


def test_leaving_the_loop_ends_the_processes(tmp_path):
    run = ProcessPool(mark, 2).run([(str(tmp_path), 0.0), *[(str(tmp_path), 1000.0)] * 3])
    next(run)
    assert wait_until(lambda: len(pids(tmp_path)) == 2)
    run.close()
    assert not any(alive(pid) for pid in pids(tmp_path))


def test_an_error_in_the_loop_ends_the_processes(tmp_path):
    def interrupted() -> None:
        for _ in ProcessPool(mark, 1).run([(str(tmp_path), 0.0), (str(tmp_path), 1000.0)]):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert wait_until(lambda: not any(alive(pid) for pid in pids(tmp_path)))


def busy_program(folder: Path) -> subprocess.Popen[bytes]:
    program = f"from tests.jobs.pool_jobs import keep_busy\nkeep_busy({str(folder)!r})\n"
    return popen(
        [sys.executable, "-c", program],
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        start_new_session=True,
    )


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_survives_the_parent(tmp_path, number):
    parent = busy_program(tmp_path)
    try:
        assert wait_until(lambda: len(pids(tmp_path)) == 2)
        parent.send_signal(number)
        parent.communicate(timeout=TIMEOUT)
        assert wait_until(lambda: not any(alive(pid) for pid in pids(tmp_path)))
    finally:
        parent.kill()
        parent.wait()


def test_ctrl_c_in_a_terminal_is_handled_by_the_parent_alone(tmp_path):
    """A terminal sends SIGINT to the whole group; the workers must not print tracebacks."""
    parent = busy_program(tmp_path)
    try:
        assert wait_until(lambda: len(pids(tmp_path)) == 2)
        os.killpg(parent.pid, signal.SIGINT)
        _, errors = parent.communicate(timeout=TIMEOUT)
        assert errors.count(b"Traceback") == 1
        assert b"Process SpawnProcess" not in errors
        assert wait_until(lambda: not any(alive(pid) for pid in pids(tmp_path)))
    finally:
        parent.kill()
        parent.wait()


def test_ctrl_c_while_a_process_starts_is_not_lost():
    with default_sigint(), pytest.raises(KeyboardInterrupt), _block_sigint():
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_pool_runs_in_a_thread():
    found: list[JobResult] = []
    thread = threading.Thread(target=lambda: found.extend(ProcessPool(square, 1).run([3])))
    thread.start()
    thread.join(TIMEOUT)
    assert [done.result for done in found] == [9]


@pytest.mark.parametrize("processes", [-1, 257, 1.5, True, "2", None])
def test_an_invalid_number_of_processes_is_an_error(processes):
    with pytest.raises(PlyforgeError, match=f"between 1 and 256, or 0 .* not {processes!r}"):
        ProcessPool(square, processes)


def test_at_least_one_core_is_usable():
    assert usable_cores() >= 1
