"""Fits to recorded games: chosen positions, the scale, held-out games, and runs that continue."""

from dataclasses import replace

import numpy as np
import pytest

import plyforge
from plyforge import PlyforgeError
from plyforge.jobs.local import local_executor
from plyforge.learn.game_file import GameFile
from plyforge.learn.model import GameModel
from plyforge.learn.prediction import Prediction
from plyforge.learn.quiet import QuietReader
from plyforge.learn.recorded_samples import (
    PositionChoice,
    RecordedPositions,
    best_scale,
    read_positions,
)
from plyforge.learn.recording import RecordingPlan, record_games
from plyforge.learn.samples import used_weights
from plyforge.learn.store import LearningStore
from tests.learn.plans import GAMES, make_plan, open_run

PLAN = RecordingPlan("tictactoe", depth=9, seed=3, opening=2, backend="python", nodes=30)
HELD_OUT = {"held-out": 0.3}


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("recorded") / "some.games"
    with GameFile(path) as games:
        list(record_games(PLAN, 24, games, local_executor(0)))
    return path


@pytest.fixture
def model():
    return GameModel(plyforge.load("tictactoe", "python"))


def test_held_out_games_do_not_depend_on_how_many_are_learned_from(file, model):
    few, all_ = (read_positions(file, model, PositionChoice(n, 0.3)) for n in (8, None))
    held = set(few.games[few.held].tolist())
    assert held == set(all_.games[all_.held].tolist())
    assert held
    assert max(few.games[~few.held]) < 8
    assert set(few.games[~few.held]) == {n for n in range(8) if n not in held}


def test_at_most_so_many_positions_of_a_game_are_read(file, model):
    found = read_positions(file, model, PositionChoice(positions=2))
    assert np.bincount(found.games).max() == 2
    assert len(read_positions(file, model, PositionChoice(positions=0)).games) > len(found.games)


def test_results_are_those_of_the_side_to_move(file, model):
    found = read_positions(file, model, PositionChoice(positions=0, held_out=0.0))
    with GameFile.open_read_only(file) as games:
        by_number = {game.number: game for game in games.games()}
    for number in set(found.games.tolist()):
        game, rows = by_number[number], found.games == number
        plies = [ply for ply, value in enumerate(game.values) if value is not None]
        expected = [-game.result if ply % 2 else game.result for ply in plies]
        assert found.results[rows].tolist() == expected


def test_games_of_another_game_are_refused(file):
    model = GameModel(plyforge.load("connect4", "python"))
    with pytest.raises(PlyforgeError, match="has games of 'tictactoe', not 'connect4"):
        read_positions(file, model, PositionChoice())


def test_games_of_another_variant_are_refused(tmp_path):
    path = tmp_path / "small.games"
    plan = replace(PLAN, game="connect4:4x4", max_plies=16)
    with GameFile(path) as games:
        list(record_games(plan, 1, games, local_executor(0)))
    model = GameModel(plyforge.load("connect4:5x4", "python"))
    with pytest.raises(PlyforgeError, match="has games of 'connect4:4x4', not 'connect4:5x4'"):
        read_positions(path, model, PositionChoice())


def test_captures_and_answers_to_captures_are_not_quiet():
    game = plyforge.load("checkers", "python")
    history = game.history()
    history.play_text("11-15 23-19 8-11 22-17 11-16 24-20")
    legal = game.legal_moves(history.position)
    assert all("x" in game.move_text(history.position, move) for move in legal)
    marks = QuietReader(game).read(game.initial(), [*history.moves, legal[0]])
    assert marks.tolist() == [True] * 6 + [False]


@pytest.mark.long
def test_both_backends_find_the_same_quiet_positions():
    slow, fast = plyforge.load("checkers", "python"), plyforge.load("checkers", "compiled")
    history = slow.history()
    history.play_text("11-15 23-19 8-11 22-17 11-16 24-20 15x24")
    for start in (0, 3):
        moves, first = history.moves[start:], history.positions[start]
        marks = [QuietReader(game).read(first, moves).tolist() for game in (slow, fast)]
        assert marks[0] == marks[1]
        assert not marks[0][-1]
        assert any(marks[0])


def test_the_scale_is_that_of_the_data(model):
    inputs = model.read([model.game.initial()])
    rng = np.random.default_rng(1)
    values = rng.normal(0.0, 50.0, 20_000)
    wins = rng.random(20_000) < 1.0 / (1.0 + np.exp(-values / 30.0))
    positions = RecordedPositions(inputs, 2.0 * wins - 1.0, values, np.zeros(1), np.zeros(1, bool))

    class Fixed:
        def values(self, weights, inputs):
            return values

    assert best_scale(Fixed(), model.start, positions) == pytest.approx(30.0, rel=0.05)


def test_only_weights_that_occur_are_counted(model):
    inputs = model.read([model.game.initial()])
    assert used_weights(inputs, 99) == len(np.unique(inputs.columns))


def learn(path, plan, games):
    with LearningStore(path) as store:
        run = open_run(store, plan)
        for _ in run.run(games):
            pass
        return run, store.rounds(run.row.id)


def test_a_run_continues_with_more_games(tmp_path, file):
    plan = make_plan("logistic", GAMES, data=str(file), parameters=HELD_OUT)
    learn(tmp_path / "a.db", plan, 10)
    run, rounds = learn(tmp_path / "a.db", plan, None)
    assert [one.games for one in rounds] == [10, 24]
    assert all(one.held_out_loss is not None for one in rounds)
    assert run.state.extra["held-out loss of the start"] > 0
    other, _ = learn(tmp_path / "b.db", plan, None)
    np.testing.assert_array_equal(run.weights, other.weights)


def test_a_scale_of_0_is_found(tmp_path, file):
    plan = make_plan("logistic", GAMES, data=str(file), squash="sigmoid", scale=0.0)
    run, _ = learn(tmp_path / "a.db", plan, None)
    assert run.model.prediction == Prediction("sigmoid", run.state.extra["scale"])


def test_more_games_than_there_are_is_an_error(tmp_path, file):
    plan = make_plan("logistic", GAMES, data=str(file))
    with pytest.raises(PlyforgeError, match="has 24 games, not 25; record more"):
        learn(tmp_path / "a.db", plan, 25)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"quiet": True}, "quiet can be chosen of a file of recorded games only"),
        ({"positions": 3}, "positions can be chosen of a file of recorded games only"),
        ({"squash": "sigmoid", "scale": 0.0}, "a scale of 0 is found from recorded games"),
    ],
)
def test_choices_for_recorded_games_need_some(settings, message):
    with pytest.raises(PlyforgeError, match=message):
        make_plan("logistic", GAMES, **settings)
