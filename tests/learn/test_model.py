"""Models of evaluations: compiled reading, values and gradients against `evaluate.batch`."""

from typing import Any

import numpy as np
import pytest

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.evaluate import evaluation_of, linear, make_batch, random_positions, table
from plyforge.game.forms import Own
from plyforge.learn.model import GameModel
from plyforge.learn.prediction import Prediction, default_prediction
from plyforge.learn.reading import read_uncompiled
from tests.evaluate.samples import SAMPLES, game, positions

PLAIN = Prediction("identity")


def check_model(model, found):
    form, vector = model.evaluation.form, model.start
    inputs, batch = model.read(found), make_batch(form, found)
    values = model.values(vector, inputs)
    if not isinstance(form, Own):
        slow = read_uncompiled(form, found)
        assert np.array_equal(inputs.starts, slow.starts)
        width = model.network.inputs
        assert inputs.dense(width) == pytest.approx(slow.dense(width), rel=1e-15)
        low, high = form.finish.bounds(None)
        values = np.clip(form.finish.rounded(values), low, high)
    assert values == pytest.approx(batch.values(vector), rel=1e-9, abs=1e-9)
    outer = np.linspace(-1, 2, len(found))
    gradient = model.gradient(vector, inputs, outer)
    assert gradient == pytest.approx(batch.gradient(vector, outer), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", ["blend of reals", "net of tables", "own curve"])
def test_a_model_is_the_batch(name):
    check_model(GameModel(game, SAMPLES[name], PLAIN), positions())


@pytest.mark.long
@pytest.mark.parametrize("name", SAMPLES)
def test_every_form_is_the_batch(name):
    check_model(GameModel(game, SAMPLES[name], PLAIN), positions())


@pytest.mark.parametrize("name", SAMPLES)
def test_every_form_is_the_batch_uncompiled(name):
    uncompiled = plyforge.load("tictactoe", backend="python")
    check_model(GameModel(uncompiled, SAMPLES[name], PLAIN), positions()[:4])


@pytest.mark.long
@pytest.mark.parametrize("name", ["checkers", "othello", "chess", "connect4"])
def test_models_of_games_read_as_the_batch(name):
    other = plyforge.load(name)
    check_model(GameModel(other, None, PLAIN), random_positions(other, 60, seed=4))


def large_factor(position: Any, table: Any) -> Any:
    return 9 * table[0] - table[3]


def test_a_factor_that_probing_cannot_read_is_traced():
    model = GameModel(game, linear({"large": table(large_factor, 5)}), PLAIN)
    inputs = model.read(positions()[:2])
    assert inputs.dense(5).tolist() == [[9, 0, 0, -1, 0]] * 2
    inputs, sides = model.read_line(game.initial(), [4, 0])
    assert inputs.dense(5).tolist() == [[9, 0, 0, -1, 0]] * 3
    assert sides.tolist() == [0, 1, 0]


def test_a_line_is_read_as_its_positions():
    model = GameModel(game, SAMPLES["blend of reals"], PLAIN)
    moves, found = [4, 0, 8, 2], [game.initial()]
    for move in moves:
        found.append(game.play(found[-1], move))
    inputs, sides = model.read_line(found[0], moves)
    one_by_one = model.read(found)
    assert np.array_equal(inputs.starts, one_by_one.starts)
    assert np.array_equal(inputs.columns, one_by_one.columns)
    assert np.array_equal(inputs.factors, one_by_one.factors)
    assert sides.tolist() == [0, 1, 0, 1, 0]
    own = GameModel(game, SAMPLES["own curve"], PLAIN)
    assert own.read_line(found[0], moves)[0].count == 5


def test_predictions_are_squashed_values():
    for prediction in (Prediction("sigmoid", 3.0), Prediction("tanh", 7.0), PLAIN):
        for name in ("blend of reals", "own curve"):
            model = GameModel(game, SAMPLES[name], prediction)
            inputs = model.read(positions()[:6])
            values = model.values(model.start, inputs)
            predictions = model.predictions(model.start, inputs)
            assert predictions == pytest.approx(prediction.of(values), rel=1e-9, abs=1e-12)
            flipped = model.prediction.flip(predictions)
            assert model.prediction.flip(flipped) == pytest.approx(predictions)


def test_slopes_of_predictions_are_finite_differences():
    values = np.array([-2.0, 0.1, 3.0])
    for prediction in (Prediction("sigmoid", 3.0), Prediction("tanh", 7.0), PLAIN):
        steps = (prediction.of(values + 1e-6) - prediction.of(values - 1e-6)) / 2e-6
        assert prediction.slopes(prediction.of(values)) == pytest.approx(steps, rel=1e-6)


def test_rewards_are_the_ends_of_the_range():
    assert [Prediction("sigmoid").reward(result) for result in (-1, 0, 1)] == [0, 0.5, 1]
    assert [Prediction("tanh").reward(result) for result in (-1, 0, 1)] == [-1, 0, 1]
    own = Prediction("identity", minimum=-64.0, maximum=64.0)
    assert [own.reward(result) for result in (-1, 0.5, 1)] == [-64, 32, 64]


def test_the_usual_prediction_is_the_expected_score_of_matches():
    from plyforge.match.expectation import expected_score

    othello = plyforge.load("othello")
    prediction = default_prediction(othello)
    for score in (-20.0, 0.0, 3.0):
        expected = expected_score(othello.rules, score, proved=False)
        assert float(prediction.of(score)) == pytest.approx(expected)


def test_bad_predictions_are_refused():
    with pytest.raises(PlyforgeError, match="did you mean 'sigmoid'"):
        Prediction("sigmoit")
    with pytest.raises(PlyforgeError, match="scale must be a positive number, not nan"):
        Prediction("tanh", float("nan"))
    with pytest.raises(PlyforgeError, match="minimum must be less than maximum"):
        Prediction("identity", minimum=2.0)


def test_a_model_gives_evaluations():
    model = GameModel(game, SAMPLES["reals"])
    changed = model.with_weights(2 * model.start)
    position = positions()[3]
    assert changed.evaluate(position) == pytest.approx(2 * SAMPLES["reals"].evaluate(position))
    assert evaluation_of(game).form.size == GameModel(game).size
