"""Workers in Ray actors.  One private cluster serves all tests; starting it takes seconds."""

import time

import pytest

from plyforge import PlyforgeError
from plyforge.engine.master.opening import open_master
from plyforge.games import load
from tests.engine.master.test_search import check_coverage
from tests.jobs.executors import MAX_WORKERS, private_cluster

pytestmark = pytest.mark.long
GAME = load("connect4:5x4", "python")
ARGUMENTS = {"entries": 4096, "preset": "play"}


@pytest.fixture
def master(monkeypatch):
    monkeypatch.setattr("plyforge.engine.master.cluster.find_cluster", lambda _: (None, None))
    private_cluster()
    master = open_master(GAME, ARGUMENTS, 2, "ray")
    yield master
    master.close()


def actors(master):
    return master._group._workers


def test_workers_on_ray_search_and_report(master):
    history = GAME.history()
    for _ in range(2):
        result = master.search(history, nodes=300)
        assert result.searched
        assert len(result.workers) == 2
        assert all(0 < worker.nodes <= 300 for worker in result.workers)
        check_coverage(result)
        history.play(result.move)


def test_a_killed_worker_costs_its_work_and_is_replaced(master):
    killed = []

    def report(result):
        check_coverage(result)
        if not killed:
            number, worker = next(iter(actors(master).items()))
            killed.append(number)
            private_cluster().ray.kill(worker.actor)

    result = master.search(nodes=3000, report=report)
    assert [worker.number - 1 for worker in result.workers if worker.lost] == killed
    assert result.searched
    check_coverage(result)
    again, deadline = master.search(nodes=300), time.monotonic() + 60
    while len(actors(master)) < 2 and time.monotonic() < deadline:  # it waits for a list of nodes
        again = master.search(nodes=300)
    assert len(actors(master)) == 2
    assert again.searched


def test_stop_ends_the_search_soon(master):
    result = master.search(time=600, report=lambda _: master.stop())
    assert result.searched
    assert result.seconds < 60


def test_nothing_is_left_and_the_processors_are_free_again(monkeypatch):
    monkeypatch.setattr("plyforge.engine.master.cluster.find_cluster", lambda _: (None, None))
    private_cluster()
    for _ in range(2):  # the second needs the processors of the first
        master = open_master(GAME, ARGUMENTS, MAX_WORKERS, "ray")
        assert master.search(nodes=60).searched
        master.close()


def test_more_workers_than_processors_are_an_error(monkeypatch):
    monkeypatch.setattr("plyforge.engine.master.cluster.find_cluster", lambda _: (None, None))
    private_cluster()
    with pytest.raises(PlyforgeError, match="too few for 9 workers"):
        open_master(GAME, ARGUMENTS, 9, "ray")
