"""Learning an evaluation that was found from the rules."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.evaluate import (
    AUTOMATIC,
    compiled_evaluation,
    evaluation_of,
    learned_beside,
    save_evaluation,
    with_evaluation,
)
from plyforge.evaluate.automatic import random_games
from plyforge.jobs.local import local_executor
from plyforge.learn.choosing import open_run
from plyforge.learn.games import GamePlan
from plyforge.learn.plan import AUTO, LearningPlan
from plyforge.learn.store import LearningStore

OWN = """
from plyforge.games.tictactoe import *
from plyforge.games.tictactoe import Position, moves, outcome, play

def initial():
    return Position(0, 0)

def evaluate(position):
    return 7
"""


@pytest.fixture(autouse=True)
def few_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_games, "POSITIONS", 300)


def plan() -> LearningPlan:
    games = GamePlan("tictactoe", AUTOMATIC, depth=1, seed=3, opening=1, backend="python")
    return LearningPlan(games, AUTO, {"generation": 4}, test_rounds=1, test_games=2)


def learn(path: Path, games: int, stop_after: int = 10**9) -> Any:
    with LearningStore(str(path)) as store:
        run = open_run(plan(), store, "run", local_executor(0))
        for step in run.run(games):
            if step.games >= stop_after:
                break
        return run.reload()


def test_a_run_that_was_left_ends_like_an_uninterrupted_one(tmp_path: Path) -> None:
    whole = learn(tmp_path / "whole.db", 8)
    assert whole.round.number == 2
    assert whole.round.held_out_loss is not None
    learn(tmp_path / "parts.db", 8, stop_after=2)
    learn(tmp_path / "parts.db", 8, stop_after=7)
    parts = learn(tmp_path / "parts.db", 8)
    assert np.array_equal(parts.weights, whole.weights)
    assert whole.weights.any()


def test_a_file_of_weights_is_enough_to_build_the_evaluation_again(tmp_path: Path) -> None:
    game = plyforge.load("tictactoe", backend="python")
    found = with_evaluation(game, AUTOMATIC)
    vector = np.random.default_rng(1).normal(0, 30, evaluation_of(found).form.size)
    learned = evaluation_of(found).with_weights(vector)
    file = tmp_path / "weights.npz"
    save_evaluation(file, found, learned, made="by chance", precision="float32")
    again = with_evaluation(game, str(file))
    position = game.initial()
    for move in (4, 0, 8):
        position = game.play(position, move)
        expected = with_evaluation(found, learned).evaluation(position)
        assert again.evaluation(position) == expected
        assert sum(v * w for _, v, w in again.terms(position)) == pytest.approx(expected)


def test_weights_beside_a_games_file_are_found_by_name(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(OWN)
    game = plyforge.load(str(file), backend="python")
    assert learned_beside(game) is None
    found = with_evaluation(game, AUTOMATIC)
    save_evaluation(tmp_path / "mine.npz", found, made="zeros")
    assert learned_beside(game) == str(tmp_path / "mine.npz")
    assert with_evaluation(game, str(tmp_path / "mine.npz")).evaluation(game.initial()) == 0
    assert with_evaluation(found, "own").evaluation(game.initial()) == 0
    assert with_evaluation(game, "own").evaluation(game.initial()) == 7
    (tmp_path / "mine.npz").write_bytes(b"something else")
    assert learned_beside(game) is None


def test_a_layout_of_other_positions_is_refused(tmp_path: Path) -> None:
    game = plyforge.load("tictactoe", backend="python")
    file = tmp_path / "weights.npz"
    save_evaluation(file, with_evaluation(game, AUTOMATIC), made="zeros")
    other = tmp_path / "tictactoe.py"
    other.write_text(
        OWN.replace("return Position(0, 0)", "return Board(0, 0)")
        .replace(
            "def initial",
            "from typing import NamedTuple\n\nclass Board(NamedTuple):\n"
            "    cells: int\n    side: int\n\ndef initial",
        )
        .replace("import Position, moves, outcome, play", "import moves")
        + "\ndef play(position, move):\n    return Board(position.cells | 1 << move, 0)\n"
        "def moves(position):\n    yield 1\n"
    )
    changed = plyforge.load(str(other), backend="python")
    with pytest.raises(PlyforgeError, match="have no 'theirs' as the weights need it"):
        with_evaluation(changed, str(file))


def test_the_compiled_evaluation_returns_the_same_values() -> None:
    found = with_evaluation(plyforge.load("tictactoe"), AUTOMATIC)
    vector = np.random.default_rng(2).normal(0, 30, evaluation_of(found).form.size)
    game = with_evaluation(found, evaluation_of(found).with_weights(vector))
    evaluate = compiled_evaluation(game)
    position = game.initial()
    for move in (4, 0, 8, 2):
        assert evaluate(position) == game.evaluation(position)
        position = game.play(position, move)
