"""What runs in another process, called in this one: without Ray."""

import pickle
import threading

import pytest

from plyforge import Engine, PlyforgeError
from plyforge.engine.master.actor import PackedRoot, SearchActor
from plyforge.engine.master.cluster import make_spec
from plyforge.engine.master.worker import Task, run_task
from plyforge.games import load

GAME = load("connect4:4x4")
ARGUMENTS = {"entries": 4096, "preset": "play"}
MOVES = GAME.history().legal_moves()
TASK = Task((MOVES[0],), (), None, nodes=200)


def make_actor(game=GAME, **arguments):
    merged = {**ARGUMENTS, **arguments}
    spec = make_spec(Engine(game, **merged), merged)
    return SearchActor(pickle.loads(pickle.dumps(spec)))


def packed_root(history, number=0):
    return pickle.loads(pickle.dumps(PackedRoot.of(number, history)))


@pytest.mark.long
def test_a_worker_elsewhere_reports_what_one_here_does():
    history = GAME.history()
    history.play(MOVES[1])
    report = make_actor().run(0, packed_root(history), pickle.loads(pickle.dumps(TASK)))
    expected = run_task(Engine(GAME, **ARGUMENTS), history, TASK)
    assert report.estimate == expected.estimate
    assert (report.completed, report.nodes) == (expected.completed, expected.nodes)


def test_a_task_may_restrict_the_moves():
    some = tuple(MOVES[2:])
    report = make_actor().run(0, packed_root(GAME.history()), Task((), some, None, nodes=100))
    assert report.estimate.line[0] in some


def test_a_new_root_replaces_the_last_one():
    actor, history = make_actor(), GAME.history()
    actor.run(0, packed_root(history, 0), TASK)
    history.play(MOVES[3])
    report = actor.run(1, packed_root(history, 1), TASK)
    fresh = make_actor()
    fresh.run(0, packed_root(GAME.history(), 0), TASK)
    assert report.estimate == fresh.run(1, packed_root(history, 1), TASK).estimate


def test_a_task_that_is_stopped_before_it_begins_reports_nothing():
    actor = make_actor()
    actor.stop(4)
    assert actor.run(4, packed_root(GAME.history()), TASK).nodes == 0
    assert actor.run(5, packed_root(GAME.history()), TASK).nodes > 0


def test_stop_ends_a_running_task_with_what_it_has_found():
    actor, reports = make_actor(load("connect4")), []
    endless = Task((), (), None, nodes=10**12)
    root = packed_root(load("connect4").history())
    thread = threading.Thread(target=lambda: reports.append(actor.run(0, root, endless)))
    thread.start()
    actor.stop(0)
    thread.join()
    assert reports[0].nodes < 10**12


def test_files_of_the_user_travel_by_content(tmp_path):
    driver = tmp_path / "my_driver.py"
    driver.write_text(
        "def find_value(windows, guess):\n    return windows.search(float('-inf'), float('inf'))\n",
        encoding="utf-8",
    )
    merged = {**ARGUMENTS, "driver": str(driver)}
    spec = pickle.loads(pickle.dumps(make_spec(Engine(GAME, **merged), merged)))
    driver.unlink()
    assert SearchActor(spec).run(0, packed_root(GAME.history()), TASK).estimate is not None


def test_an_evaluation_that_is_an_object_is_an_error():
    def evaluate(position):
        return 0

    arguments = {**ARGUMENTS, "evaluation": evaluate}
    with pytest.raises(PlyforgeError, match="cannot be sent to other processes"):
        make_spec(Engine(load("connect4:4x4", "python"), **arguments), arguments)
