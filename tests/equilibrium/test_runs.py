"""Runs of regret minimisation: limits, saving and resuming, bad files."""

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.equilibrium import RegretMinimizer, build_tree, load


def new_run(method="cfr+", name="kuhn"):
    return RegretMinimizer(build_tree(load(name)), None, method, "python")


def test_a_run_stops_at_each_limit():
    assert new_run().run(iterations=7).iterations == 7
    reached = new_run().run(exploitability=0.01)
    assert reached.exploitability <= 0.01 < new_run().run(iterations=1).exploitability
    assert new_run().run(seconds=0.01).iterations >= 1


def test_a_saved_run_is_resumed_exactly(tmp_path):
    file = tmp_path / "run.npz"
    whole = new_run()
    reached = whole.run(iterations=30)
    first = new_run()
    first.run(iterations=12)
    first.save(file)
    second = new_run()
    second.resume(file)
    assert second.run(iterations=30).exploitability == reached.exploitability


def test_a_resumed_run_that_is_complete_adds_nothing(tmp_path):
    run = new_run()
    run.run(iterations=12)
    run.save(tmp_path / "run.npz")
    again = new_run()
    again.resume(tmp_path / "run.npz")
    assert again.run(iterations=5).iterations == 12


def test_an_interrupted_run_can_be_continued():
    run = new_run()

    def interrupt(progress):
        if progress.iterations >= 5:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run.run(iterations=100, report=interrupt)
    assert 5 <= run.iterations < 100
    assert run.run(iterations=100).iterations == 100


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is not a run that 'plyforge equilibrium' has saved"),
        (b"garbled", "is not a run that 'plyforge equilibrium' has saved"),
        (b"PK\x03\x04 torn", "run.npz' is"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path, content, message):
    file = tmp_path / "run.npz"
    file.write_bytes(content)
    with pytest.raises(PlyforgeError, match=message):
        new_run().resume(file)


def test_a_run_of_another_game_or_method_is_refused(tmp_path):
    file = tmp_path / "run.npz"
    run = new_run()
    run.run(iterations=2)
    run.save(file)
    with pytest.raises(PlyforgeError, match="is a run of another game"):
        new_run(name="rps").resume(file)
    with pytest.raises(PlyforgeError, match=r"is a run of method cfr\+"):
        new_run(method="cfr").resume(file)


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        ({}, "give a limit"),
        ({"iterations": 0}, "iterations must be at least 1, not 0"),
        ({"exploitability": 0.0}, "exploitability must be above 0, not 0"),
        ({"seconds": -1.0}, "seconds must be above 0, not -1"),
        ({"exploitability": float("nan")}, "exploitability must be above 0, not nan"),
    ],
)
def test_wrong_limits_are_refused(limits, message):
    with pytest.raises(PlyforgeError, match=message):
        new_run().run(**limits)


def test_an_unknown_method_is_refused():
    with pytest.raises(PlyforgeError, match=r"unknown method 'cfr-'; did you mean 'cfr"):
        new_run(method="cfr-")
