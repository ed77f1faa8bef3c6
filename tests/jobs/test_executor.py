"""What callers may rely on, for every executor in the table."""

import os
import pickle
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.jobs.executor import Executor, JobResult, run_jobs
from plyforge.jobs.user_files import read_user_file
from tests.games.tiers import with_long
from tests.jobs.executors import EXECUTORS
from tests.jobs.job_functions import (
    BrokenOnArrival,
    call_answer,
    fingerprint,
    mark,
    misbehave,
    square,
)
from tests.processes import popen

TIMEOUT = 180.0
"""Seconds after which a test gives up."""
FINE = ("fine", 1)
ALL = {name: pytest.param(name, marks=row.marks) for name, row in EXECUTORS.items()}
protected = pytest.mark.parametrize(
    "name", [ALL[n] for n, row in EXECUTORS.items() if row.protected]
)
everywhere = pytest.mark.parametrize("name", ALL.values())


@pytest.fixture
def make(name: str) -> Callable[[int], Executor]:
    return EXECUTORS[name].make


@pytest.fixture
def executor(make) -> Executor:
    """The executor with two workers, if it can have two."""
    return make(2)


def run(executor: Executor, work, jobs, *more) -> list[JobResult]:
    return list(run_jobs(executor, work, jobs, *more))


def wait_until(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + TIMEOUT
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def alive(pid: int) -> bool:
    """Return whether a thread of a process is running; a zombie is not."""
    try:
        states = [
            (thread / "stat").read_text(encoding="ascii").rpartition(")")[2].split()[0]
            for thread in Path(f"/proc/{pid}/task").iterdir()
        ]
    except OSError:  # the process is gone, or one of its threads while they were listed
        return Path(f"/proc/{pid}").exists()
    return states != ["Z"]


def pids(folder: Path) -> list[int]:
    return [int(path.name) for path in folder.iterdir()]


# Results


@everywhere
@pytest.mark.parametrize("workers", [1, 3])
def test_every_job_is_done_once_with_any_number_of_workers(make, workers):
    found = run(make(workers), square, range(7))
    assert sorted((done.job, done.result) for done in found) == [(n, n * n) for n in range(7)]
    assert all(done.failure is None for done in found)
    assert {done.stage for done in found} == {f"squaring {n}" for n in range(7)}


@everywhere
def test_no_jobs_give_no_results(executor):
    assert run(executor, square, []) == []


@everywhere
def test_a_result_comes_with_the_callers_own_job(executor):
    jobs = [("fine", [n]) for n in range(3)]
    found = run(executor, misbehave, jobs)
    assert {id(done.job) for done in found} == {id(job) for job in jobs}


@everywhere
def test_a_job_that_raises_reports_its_stage_and_the_others_continue(executor):
    found = {done.job: done for done in run(executor, misbehave, [FINE, ("raise", "no"), FINE])}
    assert found[FINE].result == 1
    raised = found["raise", "no"]
    assert (raised.failure, raised.stage, raised.result) == ("raised", "raise", None)
    assert "ValueError: no" in raised.detail


@everywhere
def test_a_user_error_ends_the_run(executor):
    with pytest.raises(PlyforgeError, match="correct this"):
        run(executor, misbehave, [("user error", "correct this"), FINE])


@everywhere
def test_an_executor_runs_in_a_thread(executor):
    found: list[JobResult] = []
    thread = threading.Thread(target=lambda: found.extend(run_jobs(executor, square, [3])))
    thread.start()
    thread.join(TIMEOUT)
    assert [done.result for done in found] == [9]


# The order in which jobs are taken


@everywhere
def test_jobs_are_taken_only_when_a_worker_is_free(executor):
    taken = []

    def jobs() -> Iterator[int]:
        for n in range(6):
            taken.append(n)
            yield n

    results = run_jobs(executor, square, jobs())
    assert taken == []
    for finished, _ in enumerate(results):
        assert len(taken) <= finished + executor.workers
    assert taken == list(range(6))


@everywhere
def test_the_next_job_is_taken_after_the_caller_has_seen_the_last_result(make):
    seen: list[int] = []
    jobs = (n for n in range(10) if len(seen) < 3)
    for done in run_jobs(make(1), square, jobs):
        seen.append(done.job)
    assert seen == [0, 1, 2]


@everywhere
def test_a_limit_keeps_workers_free(make):
    taken: list[int] = []
    jobs = (taken.append(n) or n for n in range(4))
    for finished, _ in enumerate(run_jobs(make(3), square, jobs, limit=1)):
        assert len(taken) == finished + 1


# Queues


@everywhere
def test_jobs_that_are_submitted_at_once_wait_for_workers(executor):
    with executor.open(square) as queue:
        assert len({queue.submit(n) for n in range(6)}) == 6
        assert sorted(done.result for done in queue.results()) == [0, 1, 4, 9, 16, 25]
        assert list(queue.results()) == []


@everywhere
def test_results_continue_after_the_loop_was_left_and_with_jobs_submitted_meanwhile(executor):
    with executor.open(square) as queue:
        for n in range(3):
            queue.submit(n)
        found = [next(queue.results()).job]
        for done in queue.results():
            found.append(done.job)
            if len(found) < 6:
                queue.submit(10 + len(found))
    assert sorted(found) == [0, 1, 2, 12, 13, 14, 15]


@everywhere
def test_a_queue_continues_after_a_user_error(make):
    with make(1).open(misbehave) as queue:
        for job in (("user error", "correct this"), FINE):
            queue.submit(job)
        with pytest.raises(PlyforgeError, match="correct this"):
            list(queue.results())
        assert [done.result for done in queue.results()] == [1]


@everywhere
def test_a_cancelled_job_has_no_result(executor):
    with executor.open(square) as queue:
        numbers = [queue.submit(n) for n in range(6)]
        for number in (numbers[5], numbers[3], numbers[3], 1000):
            queue.cancel(number)
        first = next(queue.results())
        queue.cancel(numbers[first.job])
        assert sorted([first.job, *(done.job for done in queue.results())]) == [0, 1, 2, 4]


@protected
def test_cancelling_a_job_that_runs_ends_its_worker_and_no_other(executor, tmp_path):
    with executor.open(mark) as queue:
        long = queue.submit((str(tmp_path), 1000.0))
        assert wait_until(lambda: len(pids(tmp_path)) == 1)
        (busy,) = pids(tmp_path)
        for _ in range(3):
            queue.submit((str(tmp_path), 0.0))
        queue.cancel(long)
        found = [done.result for done in queue.results()]
    assert len(found) == 3
    assert busy not in found
    assert not alive(busy)


# Faults


@protected
@pytest.mark.parametrize(
    ("job", "code"),
    [(("exit", 5), 5), (("abort", None), -signal.SIGABRT), (("system exit", 3), 3)],
)
def test_a_worker_that_dies_costs_only_its_own_job(executor, job, code):
    found = run(executor, misbehave, [FINE, job, FINE, FINE])
    assert sum(done.result == 1 for done in found) == 3
    (dead,) = [done for done in found if done.failure]
    detail = f"exit code {code}"
    assert dead == JobResult(job, failure="died", stage=job[0], detail=detail, code=code)


@protected
def test_a_worker_that_dies_between_jobs_is_noticed(make):
    found = run(make(1), misbehave, [("delayed exit", 1), ("sleep", None)])
    assert [done.failure for done in found] == [None, "died"]


@protected
def test_a_worker_that_dies_without_a_job_costs_none(make, tmp_path):
    with make(1).open(mark) as queue:
        queue.submit((str(tmp_path), 0.0))
        (first,) = queue.results()
        os.kill(first.result, signal.SIGKILL)
        assert wait_until(lambda: not alive(first.result))
        queue.submit((str(tmp_path), 0.0))
        (second,) = queue.results()
    assert second.failure is None
    assert second.result != first.result


@protected
def test_a_job_that_exceeds_its_deadline_is_killed_and_the_others_continue(executor):
    jobs = [("hang", 0.3), FINE, FINE, ("hang", 0.2), FINE]
    found = run(executor, misbehave, jobs)
    assert sorted(done.job for done in found) == sorted(jobs)
    hung = [done for done in found if done.failure]
    assert [(done.failure, done.stage) for done in hung] == [("hung", "hang")] * 2


@protected
def test_what_cannot_be_pickled_is_a_fault_of_its_job(make):
    with make(1).open(misbehave) as queue:
        with pytest.raises((TypeError, AttributeError, pickle.PicklingError)):
            queue.submit(("fine", lambda: None))
        for job in (("return a lock", None), BrokenOnArrival(), FINE):
            queue.submit(job)
        found = list(queue.results())
    assert [done.failure for done in found] == ["raised", "raised", None]
    assert "lock" in found[0].detail
    assert "ImportError: not here" in found[1].detail


# Nothing is left behind


@protected
def test_leaving_the_loop_ends_the_workers(executor, tmp_path):
    jobs = [(str(tmp_path), 0.0), *[(str(tmp_path), 1000.0)] * 3]
    results = run_jobs(executor, mark, jobs)
    next(results)
    assert wait_until(lambda: len(pids(tmp_path)) == 2)
    results.close()
    assert not any(alive(pid) for pid in pids(tmp_path))


@protected
def test_an_error_in_the_loop_ends_the_workers(make, tmp_path):
    def interrupted() -> None:
        for _ in run_jobs(make(1), mark, [(str(tmp_path), 0.0), (str(tmp_path), 1000.0)]):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert wait_until(lambda: not any(alive(pid) for pid in pids(tmp_path)))


def busy_program(name: str, folder: Path) -> subprocess.Popen[bytes]:
    program = (
        f"from tests.jobs.job_functions import keep_busy\nkeep_busy({name!r}, {str(folder)!r})"
    )
    return popen(
        [sys.executable, "-c", program],
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
        start_new_session=True,
    )


@protected
@pytest.mark.parametrize("number", with_long([signal.SIGKILL], [signal.SIGTERM, signal.SIGINT]))
def test_no_worker_survives_the_program(tmp_path, name, number):
    program = busy_program(name, tmp_path)
    try:
        assert wait_until(lambda: len(pids(tmp_path)) == 2)
        program.send_signal(number)
        program.communicate(timeout=TIMEOUT)
        assert wait_until(lambda: not any(alive(pid) for pid in pids(tmp_path)))
    finally:
        program.kill()
        program.wait()


@protected
def test_ctrl_c_in_a_terminal_is_handled_by_the_program_alone(tmp_path, name):
    """A terminal sends SIGINT to the whole group; the workers must not print tracebacks."""
    program = busy_program(name, tmp_path)
    try:
        assert wait_until(lambda: len(pids(tmp_path)) == 2)
        os.killpg(program.pid, signal.SIGINT)
        _, errors = program.communicate(timeout=TIMEOUT)
        assert errors.count(b"Traceback") == 1
        assert b"Process SpawnProcess" not in errors
        assert wait_until(lambda: not any(alive(pid) for pid in pids(tmp_path)))
    finally:
        program.kill()
        program.wait()


# Files of the user


@pytest.fixture
def user_folder(tmp_path, monkeypatch) -> Path:
    """A folder with a file and modules that it imports; the user works there."""
    folder = tmp_path / "user"
    (folder / "tools").mkdir(parents=True)
    files = {
        "mine.py": "import helper\nfrom tools.second import two\n\n"
        "def answer():\n    return helper.one() + two()\n",
        "helper.py": "def one():\n    return 1\n",
        "tools/__init__.py": "",
        "tools/second.py": "from .third import THREE\n\ndef two():\n    return THREE - 1\n",
        "tools/third.py": "THREE = 3\n",
        "wrong.py": "import broken\n\ndef answer():\n    return broken.fail()\n",
        "broken.py": "# The third line fails.\ndef fail():\n    return 1 // 0\n",
    }
    for file, text in files.items():
        (folder / file).write_text(text, encoding="utf-8")
    monkeypatch.chdir(folder)
    return folder


def move_to_another_machine(folder: Path, monkeypatch) -> None:
    """Remove the user's folder, and work somewhere else."""
    elsewhere = folder.with_name("elsewhere")
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    shutil.rmtree(folder)


@everywhere
def test_files_travel_by_content_with_the_modules_that_they_import(
    executor, user_folder, monkeypatch
):
    files = [read_user_file("mine.py")]
    move_to_another_machine(user_folder, monkeypatch)
    found = run(executor, call_answer, ["mine.py"] * 3, files)
    assert [done.result for done in found] == [(3, str(user_folder / "mine.py"))] * 3


@everywhere
def test_errors_name_the_users_file_and_line(executor, user_folder, monkeypatch):
    files = [read_user_file("wrong.py")]
    move_to_another_machine(user_folder, monkeypatch)
    (done,) = run(executor, call_answer, ["wrong.py"], files)
    assert done.failure == "raised"
    assert f'File "{user_folder / "broken.py"}", line 3, in fail\n    return 1 // 0' in done.detail


@everywhere
def test_a_file_that_changes_later_changes_no_job(executor, user_folder):
    files = [read_user_file("mine.py")]
    (user_folder / "mine.py").write_text("def answer(): return 'changed'\n", encoding="utf-8")
    (user_folder / "helper.py").write_text("def one(): return 100\n", encoding="utf-8")
    (done,) = run(executor, call_answer, ["mine.py"], files)
    assert done.result[0] == 3


@everywhere
def test_a_worker_can_tell_two_contents_of_a_file_apart(executor, user_folder):
    def fingerprints() -> set[str]:
        return {
            done.result for done in run(executor, fingerprint, [1, 2], [read_user_file("mine.py")])
        }

    before = fingerprints()
    assert len(before) == 1
    assert fingerprints() == before
    (user_folder / "helper.py").write_text("def one(): return 100\n", encoding="utf-8")
    assert before.isdisjoint(fingerprints())
    assert {done.result for done in run(executor, fingerprint, [1])} == {""}
