"""Jobs in processes: whatever one of them does, the others go on."""

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
from plyforge.jobs.pool import JobResult, ProcessPool, _no_interrupts, usable_cores
from tests.jobs.pool_jobs import mark, misbehave, square

PATIENCE = 60.0
"""Seconds after which a test gives up; no machine is that slow."""
FINE = ("fine", 1)


def until(holds: Callable[[], bool]) -> bool:
    end = time.monotonic() + PATIENCE
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.02)
    return True


def alive(pid: int) -> bool:
    """Whether a process runs; one that has ended and was not asked for does not."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


def pids(folder: Path) -> list[int]:
    return [int(path.name) for path in folder.iterdir()]


@pytest.mark.parametrize("processes", [0, 1, 2, 3])
def test_every_job_is_done_once_whatever_the_number_of_processes(processes):
    found = list(ProcessPool(square, processes).run(range(7)))
    assert sorted((done.job, done.result) for done in found) == [(n, n * n) for n in range(7)]
    assert all(done.failure is None for done in found)


@pytest.mark.parametrize("processes", [0, 2])
def test_no_jobs_no_results(processes):
    assert list(ProcessPool(square, processes).run([])) == []


@pytest.mark.parametrize("processes", [0, 2])
def test_a_job_that_raises_tells_where_and_the_others_go_on(processes):
    jobs = [FINE, ("raise", "no such thing"), FINE]
    found = {done.job: done for done in ProcessPool(misbehave, processes).run(jobs)}
    assert found[FINE].result == 1
    raised = found["raise", "no such thing"]
    assert (raised.failure, raised.at, raised.result) == ("raised", "raise", None)
    assert "ValueError: no such thing" in raised.detail


@pytest.mark.parametrize("processes", [0, 2])
def test_an_error_of_the_user_s_ends_the_run(processes):
    with pytest.raises(PlyforgeError, match="mend this"):
        list(ProcessPool(misbehave, processes).run([("wrong", "mend this"), FINE]))


@pytest.mark.parametrize(
    ("job", "code"),
    [(("exit", 5), 5), (("abort", None), -signal.SIGABRT), (("leave", 3), 3)],
)
def test_a_process_that_dies_costs_its_own_job_alone(job, code):
    found = list(ProcessPool(misbehave, 2).run([FINE, job, FINE, FINE]))
    assert sum(done.result == 1 for done in found) == 3
    (dead,) = [done for done in found if done.failure]
    assert dead == JobResult(job, failure="died", at=job[0], detail=f"exit code {code}", code=code)


def test_a_process_that_dies_between_jobs_is_noticed():
    jobs = [("quiet death", 1), ("sleep", None)]
    found = list(ProcessPool(misbehave, 1).run(jobs))
    assert [done.failure for done in found] == [None, "died"]


def test_a_job_that_hangs_past_its_deadline_is_killed_and_the_others_go_on():
    jobs = [("hang", 0.3), FINE, FINE, ("hang", 0.2), FINE]
    found = list(ProcessPool(misbehave, 2).run(jobs))
    assert sorted(done.job for done in found) == sorted(jobs)
    hung = [done for done in found if done.failure]
    assert [(done.failure, done.at) for done in hung] == [("hung", "hang")] * 2


def test_jobs_are_taken_only_when_a_process_is_free_for_them():
    taken = []

    def jobs() -> Iterator[int]:
        for n in range(6):
            taken.append(n)
            yield n

    run = ProcessPool(square, 2).run(jobs())
    assert taken == []
    for ended, _ in enumerate(run):
        assert len(taken) <= ended + 2
    assert taken == list(range(6))


def test_jobs_are_not_taken_before_the_result_of_the_last_was_looked_at():
    ended: list[int] = []
    jobs = (n for n in range(10) if len(ended) < 3)
    for done in ProcessPool(square, 1).run(jobs):
        ended.append(done.job)
    assert ended == [0, 1, 2]


def test_leaving_the_loop_ends_the_processes(tmp_path):
    run = ProcessPool(mark, 2).run([(str(tmp_path), 0.0), *[(str(tmp_path), 1000.0)] * 3])
    next(run)
    assert until(lambda: len(pids(tmp_path)) == 2)
    run.close()
    assert not any(alive(pid) for pid in pids(tmp_path))


def test_an_error_in_the_loop_ends_the_processes(tmp_path):
    def interrupted() -> None:
        for _ in ProcessPool(mark, 1).run([(str(tmp_path), 0.0), (str(tmp_path), 1000.0)]):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert until(lambda: not any(alive(pid) for pid in pids(tmp_path)))


def busy_program(folder: Path) -> subprocess.Popen[bytes]:
    program = f"from tests.jobs.pool_jobs import keep_busy\nkeep_busy({str(folder)!r})\n"
    return subprocess.Popen(
        [sys.executable, "-c", program],
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        start_new_session=True,
    )


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_no_process_is_left_when_the_parent_is_killed(tmp_path, number):
    parent = busy_program(tmp_path)
    try:
        assert until(lambda: len(pids(tmp_path)) == 2)
        parent.send_signal(number)
        parent.communicate(timeout=PATIENCE)
        assert until(lambda: not any(alive(pid) for pid in pids(tmp_path)))
    finally:
        parent.kill()
        parent.wait()


def test_ctrl_c_for_the_whole_group_is_left_to_the_parent(tmp_path):
    """As from a terminal: the workers get the signal, too, and print no traceback of their own."""
    parent = busy_program(tmp_path)
    try:
        assert until(lambda: len(pids(tmp_path)) == 2)
        os.killpg(parent.pid, signal.SIGINT)
        _, errors = parent.communicate(timeout=PATIENCE)
        assert errors.count(b"Traceback") == 1
        assert b"Process SpawnProcess" not in errors
        assert until(lambda: not any(alive(pid) for pid in pids(tmp_path)))
    finally:
        parent.kill()
        parent.wait()


def test_ctrl_c_while_a_process_starts_is_not_lost():
    with pytest.raises(KeyboardInterrupt), _no_interrupts():
        os.kill(os.getpid(), signal.SIGINT)
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_it_works_in_a_thread():
    found: list[JobResult] = []
    thread = threading.Thread(target=lambda: found.extend(ProcessPool(square, 1).run([3])))
    thread.start()
    thread.join(PATIENCE)
    assert [done.result for done in found] == [9]


@pytest.mark.parametrize("processes", [-1, 257, 1.5, True, "2", None])
def test_a_number_of_processes_that_is_none_is_named(processes):
    with pytest.raises(PlyforgeError, match=f"{processes!r} processes"):
        ProcessPool(square, processes)


def test_there_is_a_core():
    assert usable_cores() >= 1
