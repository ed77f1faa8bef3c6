"""Learning from the moves of a teacher."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plyforge
from plyforge import Engine
from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.evaluate import with_evaluation
from plyforge.jobs.local import local_executor
from plyforge.learn.choosing import open_run
from plyforge.learn.datasets import write_games
from plyforge.learn.games import GamePlan, PlayedGame, engines_of
from plyforge.learn.methods.tdleaf import final_score
from plyforge.learn.plan import MMTO, LearningPlan
from plyforge.learn.selfplay import play_out
from plyforge.learn.store import LearningStore
from plyforge.learn.teacher import TeacherGame, TeacherTask, search_teacher

EVALUATION = """
from plyforge.games.tictactoe import open_lines
from plyforge.rules import linear, popcount

EVALUATION_RANGE = (-100, 100)

def corners(position):
    return popcount(position.mine & 0b101_000_101) - popcount(position.theirs & 0b101_000_101)

def edges(position):
    return popcount(position.mine & 0b010_101_010) - popcount(position.theirs & 0b010_101_010)

EVALUATION = linear({"lines": open_lines, "corners": corners, "edges": edges}, [1.0, 1.0, 1.0])
"""
TEACHER = [0.5, -1.0, 2.0]
"""A teacher who likes edges and dislikes corners."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A file with the evaluation, and one with games of the teacher."""
    folder = tmp_path_factory.mktemp("teacher")
    code, games = folder / "features.py", folder / "games.txt"
    code.write_text(EVALUATION)
    game = with_evaluation(plyforge.load("tictactoe", backend="python"), str(code))
    engine = Engine(game, entries=1024)
    engine.set_weights(np.array(TEACHER))
    played = []
    for number in range(30):
        history = game.history()
        play_out(history, Stream(number), 2, 0, 6, lambda h: engine.analyse(h, depth=2).move)
        moves = tuple(history.moves)
        played.append(PlayedGame(number, moves, (None,) * len(moves), (), 0.0, 0.0, "rules"))
    write_games(games, game, played)
    return code, games


def plan(files: tuple[Path, Path], **changes: Any) -> LearningPlan:
    code, data = files
    games = GamePlan(
        "tictactoe", str(code), depth=2, opening=2, lines=True, backend="python", seed=1
    )
    settings = {"parameters": {"step": 0.1, "held-out": 0.2}, "round_games": 12, **changes}
    return LearningPlan(games, MMTO, data=str(data), test_rounds=1, test_games=2, **settings)


def learn(path: Path, plan: LearningPlan, games: int) -> Any:
    with LearningStore(str(path)) as store:
        run = open_run(plan, store, "run", local_executor(0))
        for _ in run.run(games):
            pass
        return run.reload(), store.rounds(run.row.id)


def test_the_search_agrees_more_often_with_the_teacher(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    state, rounds = learn(tmp_path / "learn.db", plan(files), 72)
    assert rounds[-1].held_out_loss < rounds[0].held_out_loss
    assert rounds[-1].loss < rounds[0].loss
    assert state.weights[2] > state.weights[1]  # edges over corners


def test_moves_of_equal_value_share_the_agreement(files: tuple[Path, Path]) -> None:
    games = replace(plan(files).games, opening=1)
    game = games.load_game()
    start = game.initial()
    played = TeacherGame(start, (0, *game.legal_moves(game.play(start, 0))[:1]))
    task = TeacherTask(games, (played,), np.zeros(3).tobytes(), None, False)
    found = search_teacher(task, lambda *_: None)
    assert found.positions == 1  # the first ply is the opening
    assert found.agreed == pytest.approx(1 / 8)  # eight replies, all of value 0


def test_equal_games_count_once(files: tuple[Path, Path], tmp_path: Path) -> None:
    _, data = files
    twice = tmp_path / "twice.txt"
    twice.write_text(data.read_text() + data.read_text())
    with LearningStore(str(tmp_path / "learn.db")) as store:
        runs = [
            open_run(replace(plan(files), data=str(file)), store, name, local_executor(0))
            for name, file in (("once", data), ("twice", twice))
        ]
    once, again = ([game.moves for game in run._games + run._held] for run in runs)
    assert sorted(once) == sorted(again)
    assert len(set(once)) == len(once)


def test_a_run_in_parts_ends_with_the_same_weights(
    files: tuple[Path, Path], tmp_path: Path
) -> None:
    whole, _ = learn(tmp_path / "whole.db", plan(files), 24)
    learn(tmp_path / "parts.db", plan(files), 12)
    parts, _ = learn(tmp_path / "parts.db", plan(files), 24)
    assert np.array_equal(whole.weights, parts.weights)


def test_without_games_of_a_teacher_there_is_an_error(files: tuple[Path, Path]) -> None:
    code, _ = files
    games = GamePlan("tictactoe", str(code), depth=2, lines=True, backend="python")
    with pytest.raises(PlyforgeError, match=r"give a file of them \(--data\)"):
        LearningPlan(games, MMTO)


def test_a_depth_of_one_is_an_error(files: tuple[Path, Path], tmp_path: Path) -> None:
    code, data = files
    games = GamePlan("tictactoe", str(code), depth=1, lines=True, backend="python")
    with (
        LearningStore(str(tmp_path / "learn.db")) as store,
        pytest.raises(PlyforgeError, match="must be at least 2"),
    ):
        open_run(LearningPlan(games, MMTO, data=str(data)), store, "run", local_executor(0))


def test_a_draw_by_insufficient_material_is_final() -> None:
    chess = plyforge.load("chess", "python")
    with np.errstate(over="ignore"):
        assert final_score(chess, chess.parse("8/8/4k3/8/8/4K3/8/8 w - - 0 1")) == 0.0
        assert final_score(chess, chess.parse("8/8/4k3/8/8/4K3/4P3/8 w - - 0 1")) is None


def test_steps_become_smaller(files: tuple[Path, Path], tmp_path: Path) -> None:
    first, _ = learn(tmp_path / "a.db", plan(files, slow_after=12), 12)
    second, _ = learn(tmp_path / "a.db", plan(files, slow_after=12), 24)
    start = np.ones(3)
    changes = np.abs(first.weights - start), np.abs(second.weights - first.weights)
    assert changes[0].max() == pytest.approx(0.1)
    assert changes[1].max() == pytest.approx(0.05)


@pytest.mark.parametrize(("game", "noisy"), [("checkers", True), ("tictactoe", False)])
def test_captures_are_searched_on_where_there_are_some(game: str, noisy: bool) -> None:
    engine, _ = engines_of(GamePlan(game, lines=True, backend="python"), quiescence=True)
    assert engine.options.has("quiescence") == noisy
    engine, _ = engines_of(GamePlan(game, lines=True, backend="python"))
    assert not engine.options.has("quiescence")
