"""The experiments on learning, checked by slow and obvious means."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plyforge.core.randomness import Stream
from plyforge.games import load
from plyforge.lab.catalog import load_experiment
from plyforge.lab.claims import judge_claims
from plyforge.lab.data import Measurement
from plyforge.lab.experiments import _learning, features_genetic, parity_net, regression_fit
from plyforge.learn.methods.tdleaf import end_of_game
from plyforge.learn.model import GameModel
from plyforge.learn.prediction import Prediction

NAMES = ("features-genetic", "lambda", "parity-net", "regression-fit", "td-or-tdleaf")


@pytest.mark.parametrize("name", NAMES)
def test_without_measurements_nothing_is_claimed(name: str) -> None:
    experiment = load_experiment(name)
    empty = experiment.data([])
    assert {one.verdict for one in judge_claims(experiment.claims, empty)} <= {"not measured"}
    assert not any(s.x for c in experiment.charts(empty) for s in c.series if not s.published)
    assert experiment.tables is not None
    for table in experiment.tables(empty):
        assert all(len(row) == len(table.headings) <= 7 for row in table.rows)


@pytest.mark.parametrize("name", NAMES)
def test_every_experiment_says_what_is_measured_and_where_it_is_printed(name: str) -> None:
    experiment = load_experiment(name)
    assert experiment.question
    assert experiment.method
    assert experiment.threats
    assert all(one.metric and one.published and one.place for one in experiment.claims)
    assert experiment.cases(3, 2) == experiment.cases(3, 4)[:2] != experiment.cases(4, 2)


# Parity


@pytest.mark.parametrize("name", parity_net.BUILT)
@pytest.mark.parametrize("bits", [2, 4, 8])
def test_nets_that_are_built_by_hand_compute_parity(name: str, bits: int) -> None:
    """Layer by layer in NumPy, without the kernel."""
    network, weights = parity_net.BUILDERS[name](bits)
    for number in range(1 << bits):
        units = np.array([number >> bit & 1 for bit in range(bits)], np.float64)
        for layer in network.layers:
            sums = units @ weights[layer.start : layer.biases].reshape(layer.inputs, -1)
            sums = sums + weights[layer.biases : layer.biases + layer.outputs]
            squash = {
                "relu": lambda x: np.maximum(x, 0.0),
                "sigmoid": Prediction("sigmoid").of,
                "linear": lambda x: x,
            }
            units = squash[layer.activation](sums)
        assert units[0] == pytest.approx(number.bit_count() % 2, abs=1e-6)


def test_a_tree_of_gates_has_seven_weights_for_each() -> None:
    for bits in (2, 4, 8, 16):
        network, weights = parity_net.build_tree(bits)
        assert len(network.layers) - 1 == bits.bit_length() - 1
        assert np.count_nonzero(weights) == 7 * (bits - 1)
        assert parity_net.build_flat(bits)[0].size == (bits + 1) ** 2


def test_exponential_weights_reproduce_the_claim_and_squares_refute_it() -> None:
    experiment = load_experiment("parity-net")
    for weights, verdict in ((lambda n: 2.0**n, "reproduced"), (lambda n: n * n, "refuted")):
        rows = [
            Measurement(case, parity_net.BUILT_FLAT, bits, 0, {"weights": weights(bits)})
            for case in range(5)
            for bits in (4, 8, 16)
        ]
        found = judge_claims(experiment.claims, experiment.data(rows))
        assert found[0].verdict == verdict


@pytest.mark.long
def test_training_learns_xor() -> None:
    row = parity_net.train("flat", 4, "relu", 2, seed=1)
    assert row["solved"] == 1
    assert row["steps"] < parity_net.STEPS


# Regression


def _made_up() -> tuple[np.ndarray, np.ndarray]:
    chance = np.random.default_rng(3)
    matrix = chance.normal(size=(300, 4))
    noisy = matrix @ [1.0, -0.5, 0.0, 2.0] + chance.normal(size=300)
    return matrix, np.sign(noisy)


def test_fits_agree_with_each_other() -> None:
    matrix, results = _made_up()
    fits = {name: fit(matrix, results) for name, fit in regression_fit.FITS.items()}
    for name in regression_fit.LINEAR:
        assert fits[name] == pytest.approx(fits[regression_fit.NORMAL], abs=1e-7)
    logistic = fits[regression_fit.LOGISTIC]
    assert logistic == pytest.approx(fits[regression_fit.SCIPY_LOGISTIC], abs=1e-7)


def test_linear_fits_agree_with_scikit_learn() -> None:
    matrix, results = _made_up()
    linear_model = pytest.importorskip("sklearn.linear_model")
    theirs = linear_model.LinearRegression(fit_intercept=False).fit(matrix, results).coef_
    for name in regression_fit.LINEAR:
        assert regression_fit.FITS[name](matrix, results) == pytest.approx(theirs, abs=1e-7)


def test_both_logistic_fits_agree_with_scikit_learn() -> None:
    matrix, results = _made_up()
    linear_model = pytest.importorskip("sklearn.linear_model")
    cost = 1.0 / (len(matrix) * regression_fit.PENALTY)
    model = linear_model.LogisticRegression(C=cost, fit_intercept=False, tol=1e-10, max_iter=1000)
    theirs = model.fit(matrix, results > 0).coef_[0]
    for name in (regression_fit.LOGISTIC, regression_fit.SCIPY_LOGISTIC):
        assert regression_fit.FITS[name](matrix, results) == pytest.approx(theirs, abs=1e-5)


def test_expected_scores_are_between_0_and_1() -> None:
    matrix, weights = np.array([[-5.0], [0.0], [5.0]]), np.array([1.0])
    for name in regression_fit.FITS:
        low, middle, high = regression_fit.probabilities(name, matrix, weights)
        assert 0 <= low < middle == 0.5 < high <= 1


# Temporal differences


def test_solved_positions_are_those_of_a_slow_search(monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions near the end of the game, by minimax without a table or windows."""
    monkeypatch.setattr(_learning, "SOLVED", 5)
    monkeypatch.setattr(_learning, "MIN_PLIES", 12)
    monkeypatch.setattr(_learning, "MAX_PLIES", 15)
    positions, truth = _learning.solved_positions.__wrapped__(3)
    game = load(_learning.CONNECT4)

    def value(position: Any) -> int:
        over = end_of_game(game, position)
        if over is not None:
            return int(over)
        return max(-value(game.play(position, move)) for move in game.moves(position))

    assert [value(position) for position in positions] == truth.tolist()


def test_errors_are_on_the_scale_of_results() -> None:
    model = GameModel(load(_learning.CONNECT4))
    positions = (model.game.initial(), model.game.play(model.game.initial(), 2))
    zeros = np.zeros(model.size)
    assert _learning.prediction_error(model, zeros, positions, np.array([1.0, 0.0])) == 0.5


@pytest.mark.parametrize("name", ["lambda", "td-or-tdleaf"])
def test_a_better_configuration_is_found(name: str) -> None:
    experiment = load_experiment(name)
    names = [variation.name for variation in experiment.variations]
    better = "λ = 0.8" if name == "lambda" else "TDLeaf(λ)"
    rows = [
        Measurement(
            case,
            one,
            experiment.depths[0],
            0,
            {"score": 0.5 + 0.1 * (one == better) + case / 1e4, "error": 0.4, "hand_error": 0.3},
        )
        for case in range(20)
        for one in names
    ]
    found = judge_claims(experiment.claims, experiment.data(rows))
    stronger = [one.verdict for one in found if "stronger" in one.claim.statement]
    assert stronger == ["reproduced"] * len(stronger) != []


@pytest.mark.long
@pytest.mark.parametrize("name", ["lambda", "td-or-tdleaf"])
def test_a_training_is_repeatable(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_learning, "TRAINING_GAMES", 10)
    monkeypatch.setattr(_learning, "TEST_GAMES", 4)
    monkeypatch.setattr(_learning, "SOLVED", 4)
    experiment = load_experiment(name)
    for case in experiment.cases(0, 2):
        for variation in experiment.variations:
            row = experiment.measure(case, variation, 1)
            assert row == experiment.measure(case, variation, 1)
            assert 0 <= row["score"] <= 1
            assert ("error" in row) == (case.game == _learning.CONNECT4)


# Features


def test_random_subsets_have_the_size_of_the_choice() -> None:
    names = tuple("abcdefgh")
    stream = Stream(1)
    drawn = [features_genetic.random_subset(stream, names, 3) for _ in range(20)]
    assert all(len(set(subset)) == 3 and list(subset) == sorted(subset) for subset in drawn)
    assert set().union(*drawn) == set(names)


@pytest.mark.long
def test_a_small_selection_is_repeatable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name, value in (
        *(("POPULATION", 2), ("GENERATIONS", 2), ("TRAINING_GAMES", 10)),
        *(("PAIR_GAMES", 2), ("TRAININGS", 1), ("TEST_GAMES", 2)),
    ):
        monkeypatch.setattr(features_genetic, name, value)
    case, variation = features_genetic.cases(0, 1)[0], features_genetic.variations()[0]
    rows = []
    for folder in ("one", "two", "two"):
        monkeypatch.setattr(features_genetic, "cache_folder", lambda path=folder: tmp_path / path)
        rows.append(features_genetic.measure(case, variation, 1))
    assert rows[0] == rows[1] == rows[2]
    assert rows[0]["size"] == sum(value for name, value in rows[0].items() if name[:4] == "has ")
