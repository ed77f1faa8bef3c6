"""The examples of evaluations: patterns whose weights are fitted, saved and loaded."""

from pathlib import Path

import numpy as np
import pytest

import plyforge
from plyforge.evaluate import evaluation_of, random_positions, with_evaluation
from plyforge.game.loading import import_file

FOLDER = Path(__file__).parents[2] / "examples" / "evaluations"
FORM = FOLDER / "othello_corners.py"
game = plyforge.load("othello")


def test_fitted_weights_come_closer_to_the_goal_and_can_be_loaded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "corners.npz"
    fit = import_file(FOLDER / "fit.py", "")
    fit.main(str(path), count=120)  # type: ignore[attr-defined]
    lines = capsys.readouterr().out.splitlines()
    errors = [float(line.split()[-1]) for line in lines if "mean squared error" in line]
    assert errors[-1] < errors[0] / 10
    fitted = with_evaluation(game, f"{FORM}:{path}")
    positions = random_positions(game, 120)
    changes = [fitted.evaluation(p) - game.evaluation(p) for p in positions]
    assert np.mean(np.square(changes)) == pytest.approx(errors[-1], abs=0.1)


def test_breakthrough_counts_pieces_and_rows_for_the_side_to_move() -> None:
    plain = plyforge.load(str(FOLDER.parent / "breakthrough.py"))
    rated = with_evaluation(plain, str(FOLDER / "breakthrough_rows.py"))
    history = rated.history()
    assert rated.evaluation(history.position) == 0
    history.play_text("a2-a3")
    assert rated.terms(history.position) == [("material", 0, 10), ("rows gained", -1, 1)]
    position = rated.parse(
        "......../......../..b...../...w..../......../......../......../w....... w"
    )
    assert rated.terms(position) == [("material", 1, 10), ("rows gained", 4 - 2, 1)]


def test_the_four_corners_are_the_same_pattern_seen_from_four_sides() -> None:
    """Mirror images only exchange the indices."""
    evaluation = evaluation_of(with_evaluation(game, str(FORM)))
    corners = evaluation.form.functions[0]
    position = random_positions(game, 40, seed=4)[-1]
    symmetries = game.rules.hooks["symmetries"](position)
    with np.errstate(over="ignore"):
        seen = {tuple(sorted(corners(image))) for image in symmetries}
    # A reflection in a diagonal exchanges rows and columns within a corner.
    assert len(seen) <= 2
