"""Checks of search steps against minimax."""

from pathlib import Path

import pytest

from plyforge.core.errors import GameFileError
from plyforge.engine import overrun, step_check
from plyforge.engine.step_check import check_step
from plyforge.search.steps.files import load_step

EXAMPLES = Path(__file__).parents[2] / "examples" / "steps"
HASTY = """
from plyforge.steps import NO_VALUE, ONE_PLY, evaluate_node
NAME = "hasty"
SUMMARY = "takes the evaluation for the value one ply above the leaves"
EXACT = {exact}
def before_moves(position, level, node, context):
    if node.depth > ONE_PLY:
        return NO_VALUE
    return evaluate_node(position, level, context)
"""


@pytest.fixture
def hasty(tmp_path):
    def load(exact: bool):
        path = tmp_path / "hasty.py"
        path.write_text(HASTY.format(exact=exact))
        return load_step(path)

    return load


def test_a_false_claim_is_found_with_a_position(hasty):
    report = check_step(hasty(True), ("connect4:4x4",))
    assert not report.ok
    (problem,) = report.problems
    assert problem.game == "connect4"
    assert "by minimax" in problem.message
    assert "position" in str(problem)


def test_differences_of_an_inexact_step_are_counted(hasty):
    report = check_step(hasty(False), ("connect4:4x4",))
    assert report.ok
    assert 0 < report.different <= report.searches
    assert report.max_difference > 0


def test_a_true_claim_passes_in_several_games():
    report = check_step(load_step(EXAMPLES / "mate_distance.py"), positions=4)
    assert report.ok
    assert report.different == 0
    assert report.searches == 4 * 6 * 2


def test_the_inexact_example_leaves_every_root_with_a_move():
    report = check_step(load_step(EXAMPLES / "static_cut.py"), positions=12)
    assert report.ok
    assert report.different > 0


def test_the_same_seed_gives_the_same_report(hasty):
    one, other = (check_step(hasty(False), ("tictactoe",), seed=5) for _ in range(2))
    assert one == other


ENDLESS = """
from plyforge.steps import NO_VALUE
NAME, SUMMARY, PAPER, EXACT = "endless", "never ends", "", False


def before_moves(position, level, node, context):
    number = 1
    while number > 0:
        number = number % 7 + 1
    return NO_VALUE
"""


def test_a_step_that_never_ends_is_an_error_with_its_line(tmp_path, monkeypatch):
    monkeypatch.setattr(step_check, "MAX_SECONDS", 0.1)
    monkeypatch.setattr(overrun, "GRACE", 0.05)
    (tmp_path / "endless.py").write_text(ENDLESS)
    step = load_step(tmp_path / "endless.py")
    with pytest.raises(GameFileError, match=r"endless.py, line (8|9): .* did not end within"):
        check_step(step, ("tictactoe",))
