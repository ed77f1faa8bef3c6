"""Supervisors of processes, without Ray: they are plain objects."""

import pickle
import threading
import time
from collections.abc import Iterator

import pytest

from plyforge.jobs.cluster.supervisor import Supervisor
from plyforge.jobs.executor import JobResult, Work
from tests.jobs.job_functions import mark, misbehave, square


def supervise(work: Work) -> Supervisor:
    return Supervisor(pickle.dumps(work), ())


@pytest.fixture
def supervisor() -> Iterator[Supervisor]:
    made = supervise(misbehave)
    yield made
    made.stop()


def test_results_are_passed_on_as_bytes():
    made = supervise(square)
    done = made.run(pickle.dumps(3))
    made.stop()
    assert done == JobResult(None, pickle.dumps(9), stage="squaring 3")


def test_faults_are_reported_as_on_one_machine(supervisor):
    died = supervisor.run(pickle.dumps(("exit", 5)))
    assert died == JobResult(None, None, "died", "exit", "exit code 5", 5)
    assert supervisor.run(pickle.dumps(("hang", 0.2))).failure == "hung"
    raised = supervisor.run(pickle.dumps(("raise", "no")))
    assert raised.failure == "raised"
    assert "ValueError: no" in raised.detail
    assert supervisor.run(pickle.dumps(("user error", "correct this"))) == "correct this"
    assert pickle.loads(supervisor.run(pickle.dumps(("fine", 1))).result) == 1


def test_stopping_ends_the_process_in_the_middle_of_a_job(tmp_path):
    made = supervise(mark)
    thread = threading.Thread(target=made.run, args=(pickle.dumps((str(tmp_path), 1000.0)),))
    thread.start()
    while not list(tmp_path.iterdir()):
        time.sleep(0.01)
    made.ping()
    made.stop()
    thread.join(10)
    assert not thread.is_alive()
