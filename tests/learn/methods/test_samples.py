"""Regression, logistic regression and supervised training, against SciPy and scikit-learn."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge.core.errors import PlyforgeError
from plyforge.core.scores import WIN
from plyforge.game.forms.finish import Finish
from plyforge.game.forms.layers import Layer
from plyforge.learn.inputs import Inputs
from plyforge.learn.lbfgs import minimise
from plyforge.learn.methods.logistic import LogisticParameters, learn_logistic
from plyforge.learn.methods.regression import (
    GradientParameters,
    NormalParameters,
    learn_gradient,
    learn_normal,
)
from plyforge.learn.methods.supervised import (
    SupervisedParameters,
    Trainer,
    TrainingState,
    learn_supervised,
    train_epochs,
)
from plyforge.learn.model import GameModel, Model
from plyforge.learn.network import Network, initial_weights
from plyforge.learn.prediction import Prediction
from plyforge.learn.samples import Samples, mixed_targets, random_order, search_targets
from tests.evaluate.samples import SAMPLES, game, positions
from tests.learn.forms import random_inputs
from tests.learn.test_network import make_network, weights_of
from tests.search.examples import examples

PLAIN = Prediction("identity", minimum=-1.0)
COLUMNS = 6


def data(rows=200, seed=1, noise=0.3):
    """One data set for all forms of regression: inputs, values, and results of 0 or 1."""
    stream = np.random.default_rng(seed)
    inputs = random_inputs(stream, rows, COLUMNS, 0.8)
    truth = stream.normal(size=COLUMNS)
    values = inputs.dense(COLUMNS) @ truth + noise * stream.normal(size=rows)
    results = (stream.random(rows) < 1 / (1 + np.exp(-values))).astype(np.float64)
    return inputs, values, results


def samples_of(inputs, targets):
    return Samples(inputs, targets, np.arange(inputs.count) // 10)


@pytest.fixture(scope="module")
def scipy():
    """SciPy, imported by the process that needs it."""
    import scipy.optimize

    return scipy


# Linear regression


@pytest.mark.parametrize("ridge", [0.0, 0.1])
def test_regression_is_that_of_scipy_by_both_ways(ridge, scipy):
    inputs, values, _ = data()
    model, matrix = Model.linear(COLUMNS, PLAIN), inputs.dense(COLUMNS)
    samples, start = samples_of(inputs, values), np.zeros(COLUMNS)

    def loss(w):
        return np.mean((matrix @ w - values) ** 2) + ridge * w @ w

    tall = np.concatenate([matrix, np.sqrt(ridge * len(values)) * np.eye(COLUMNS)])
    expected = scipy.linalg.lstsq(tall, np.concatenate([values, np.zeros(COLUMNS)]))[0]
    normal = learn_normal(model, start, samples, NormalParameters(ridge))
    gradient = learn_gradient(model, start, samples, GradientParameters(ridge=ridge))
    assert normal.weights == pytest.approx(expected, rel=1e-9)
    assert gradient.weights == pytest.approx(expected, rel=1e-6)
    assert normal.loss == pytest.approx(loss(expected))
    searched = scipy.optimize.minimize(loss, start).x
    assert normal.weights == pytest.approx(searched, abs=1e-4)


def test_regression_knows_the_unit():
    inputs, values, _ = data()
    network = Network((Layer(COLUMNS, 1, 0, "linear"),), False, Finish(4.0))
    expected = 4 * np.linalg.lstsq(inputs.dense(COLUMNS), values)[0]
    samples = samples_of(inputs, values)
    for learn, parameters in (
        (learn_normal, NormalParameters()),
        (learn_gradient, GradientParameters()),
    ):
        learned = learn(Model(network, PLAIN), np.zeros(COLUMNS), samples, parameters)
        assert learned.weights == pytest.approx(expected, rel=1e-6)


def test_unused_inputs_get_no_weight():
    inputs, values, _ = data()
    model = Model.linear(COLUMNS + 3, PLAIN)
    learned = learn_normal(
        model, np.zeros(COLUMNS + 3), samples_of(inputs, values), NormalParameters()
    )
    assert learned.weights[COLUMNS:] == pytest.approx([0, 0, 0], abs=1e-12)


def test_regression_refuses_models_that_are_not_linear():
    inputs, values, _ = data()
    net = Model(make_network((COLUMNS, 3, 1), ("tanh", "linear")), PLAIN)
    with pytest.raises(PlyforgeError, match="weighted sum without a limit"):
        learn_normal(net, np.zeros(net.size), samples_of(inputs, values), NormalParameters())
    squashed = Model.linear(COLUMNS, Prediction("sigmoid"))
    with pytest.raises(PlyforgeError, match="predictions by 'identity'"):
        learn_gradient(
            squashed, np.zeros(COLUMNS), samples_of(inputs, values), GradientParameters()
        )


def test_a_rate_that_is_too_large_is_named():
    inputs, values, _ = data()
    with pytest.raises(PlyforgeError, match=r"after \d+ steps; use a rate less than 50, or 0"):
        learn_gradient(
            Model.linear(COLUMNS, PLAIN),
            np.zeros(COLUMNS),
            samples_of(inputs, values),
            GradientParameters(rate=50.0),
        )


# Logistic regression


@pytest.mark.parametrize("penalty", [0.0, 0.01])
def test_logistic_regression_is_that_of_scipy(penalty, scipy):
    inputs, _, results = data()
    matrix, scale = inputs.dense(COLUMNS), 2.5
    model = Model.linear(COLUMNS, Prediction("sigmoid", scale))

    def loss(w):
        v = matrix @ w / scale
        return np.mean(np.logaddexp(0, v) - results * v) + penalty / 2 * w @ w

    found = scipy.optimize.minimize(loss, np.zeros(COLUMNS), options={"gtol": 1e-8})
    learned = learn_logistic(
        model, np.zeros(COLUMNS), samples_of(inputs, results), LogisticParameters(penalty)
    )
    assert learned.weights == pytest.approx(found.x, rel=1e-4, abs=1e-5)
    assert learned.loss == pytest.approx(found.fun, rel=1e-9)
    losses = [one for one, _ in learned.history]
    assert losses == sorted(losses, reverse=True)


@pytest.mark.long
def test_both_regressions_are_those_of_scikit_learn():
    models = pytest.importorskip("sklearn.linear_model")
    inputs, values, results = data()
    matrix, rows = inputs.dense(COLUMNS), inputs.count
    model = Model.linear(COLUMNS, Prediction("sigmoid"))
    penalty = 0.02
    other = models.LogisticRegression(C=1 / (penalty * rows), fit_intercept=False, tol=1e-10)
    other.fit(matrix, results)
    learned = learn_logistic(
        model, np.zeros(COLUMNS), samples_of(inputs, results), LogisticParameters(penalty)
    )
    assert learned.weights == pytest.approx(other.coef_[0], rel=1e-5)
    ridge = models.Ridge(alpha=penalty * rows, fit_intercept=False).fit(matrix, values)
    line = Model.linear(COLUMNS, PLAIN)
    for learn, parameters in (
        (learn_normal, NormalParameters(penalty)),
        (learn_gradient, GradientParameters(ridge=penalty)),
    ):
        learned = learn(line, np.zeros(COLUMNS), samples_of(inputs, values), parameters)
        assert learned.weights == pytest.approx(ridge.coef_, rel=1e-6)


@pytest.mark.parametrize(("towards", "centre"), [("zero", 0.0), ("start", 2.0)])
def test_a_large_penalty_leads_to_its_centre(towards, centre):
    inputs, _, results = data()
    model = Model.linear(COLUMNS, Prediction("sigmoid"))
    parameters = LogisticParameters(1e6, towards=towards)
    learned = learn_logistic(model, np.full(COLUMNS, 2.0), samples_of(inputs, results), parameters)
    np.testing.assert_allclose(learned.weights, centre, atol=1e-4)


def test_logistic_regression_needs_probabilities():
    inputs, values, results = data()
    model = Model.linear(COLUMNS, Prediction("tanh"))
    with pytest.raises(PlyforgeError, match="from 0 to 1, as by 'sigmoid', not from -1"):
        learn_logistic(model, np.zeros(COLUMNS), samples_of(inputs, results), LogisticParameters())
    model = Model.linear(COLUMNS, Prediction("sigmoid"))
    with pytest.raises(PlyforgeError, match="must be between 0 and 1"):
        learn_logistic(model, np.zeros(COLUMNS), samples_of(inputs, values), LogisticParameters())


def test_targets_mix_results_and_searches():
    prediction = Prediction("sigmoid", 10.0)
    results, found = np.array([1.0, -1.0, 0.0, 1.0]), np.array([0.0, 5.0, WIN - 2, np.nan])
    probability = 1 / (1 + np.exp(-0.5))
    assert search_targets(prediction, found)[:3] == pytest.approx([0.5, probability, 1.0])
    mixed = mixed_targets(prediction, results, found, 0.25)
    assert mixed == pytest.approx([0.875, 0.25 * probability, 0.625, 1.0])
    assert mixed_targets(prediction, results).tolist() == [1.0, 0.0, 0.5, 1.0]
    with pytest.raises(PlyforgeError, match="between 0 and 1, not 2"):
        mixed_targets(prediction, results, found, 2.0)
    with pytest.raises(PlyforgeError, match="no values of searches"):
        mixed_targets(prediction, results, None, 0.5)


def test_minimum_of_a_valley(scipy):
    def rosenbrock(point):
        return scipy.optimize.rosen(point), scipy.optimize.rosen_der(point)

    point, value = minimise(rosenbrock, np.array([1.3, 0.7, 0.8, 1.9]), 500, 1e-9)
    assert point == pytest.approx([1, 1, 1, 1], abs=1e-6)
    assert value < 1e-12


# Supervised training


def random_samples(stream, rows, columns, probabilities=False):
    inputs = random_inputs(stream, rows, columns)
    targets = stream.random(rows) if probabilities else stream.normal(size=rows)
    return samples_of(inputs, targets)


@examples(40)
@given(
    st.integers(0, 2**32),
    st.integers(1, 40),
    st.sampled_from(["adam", "plain"]),
    st.sampled_from(["squared", "cross-entropy"]),
    st.sampled_from([0.0, 0.01]),
    st.booleans(),
)
def test_training_in_the_kernel_is_that_of_numpy(seed, batch, optimizer, loss, penalty, squashed):
    stream = np.random.default_rng(seed)
    if squashed or loss == "squared":
        prediction, output = Prediction("sigmoid", 0.7), "linear"
    else:
        prediction, output = Prediction("identity"), "sigmoid"
    model = Model(make_network((5, 6, 1), ("tanh", output)), prediction)
    samples = random_samples(stream, 30, 5, loss == "cross-entropy")
    weights = stream.normal(0, 0.5, model.size)
    parameters = SupervisedParameters(
        rate=0.05, slow_after=1, batch=batch, optimizer=optimizer, loss=loss, penalty=penalty
    )
    trainers = [Trainer(model, weights, samples, parameters) for _ in range(2)]
    for epoch in range(3):
        order = random_order(30, epoch)
        for trainer in trainers:
            trainer.rate = parameters.rate_in(epoch + 1)
        losses = trainers[0].epoch(order), trainers[1].epoch_uncompiled(order)
        assert losses[0] == pytest.approx(losses[1], rel=1e-9)
        assert trainers[0].weights == pytest.approx(trainers[1].weights, rel=1e-7, abs=1e-9)


def test_the_rate_becomes_smaller():
    parameters = SupervisedParameters(rate=0.6, slow_after=2)
    assert [parameters.rate_in(epoch) for epoch in (1, 3, 5)] == pytest.approx([0.6, 0.3, 0.2])
    assert SupervisedParameters(rate=0.6).rate_in(50) == 0.6


@pytest.mark.long
def test_adam_is_that_of_scikit_learn():
    neural = pytest.importorskip("sklearn.neural_network")
    stream = np.random.default_rng(4)
    rows, targets = stream.normal(size=(64, 5)), stream.normal(size=64)
    options = {
        "hidden_layer_sizes": (7,), "activation": "tanh", "alpha": 0.0, "batch_size": 16,
        "shuffle": False, "max_iter": 1, "random_state": 2,
    }  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other = neural.MLPRegressor(**options, solver="adam", learning_rate_init=0.01)
        unmoved = neural.MLPRegressor(**options, solver="sgd", learning_rate_init=1e-300)
        other.fit(rows, targets)
        unmoved.fit(rows, targets)
    model = Model(make_network((5, 7, 1), ("tanh", "linear")), PLAIN)
    # Its loss is half of the squared error, which Adam's steps hardly depend on.
    parameters = SupervisedParameters(rate=0.01, batch=16, held_out=0.0)
    trainer = Trainer(
        model, weights_of(unmoved), samples_of(Inputs.from_rows(rows), targets), parameters
    )
    trainer.epoch(np.arange(64))
    assert trainer.weights == pytest.approx(weights_of(other), abs=1e-5)


def test_a_net_learns_exclusive_or():
    rows = np.array([[1, a, b] for a in (-1, 1) for b in (-1, 1)] * 20, float)
    targets = np.array([float(a != b) for _, a, b in rows])
    model = Model(make_network((3, 6, 1), ("tanh", "linear")), Prediction("sigmoid"))
    weights = initial_weights(model.network, 3)
    samples = Samples(Inputs.from_rows(rows), targets, np.arange(80) // 4)
    parameters = SupervisedParameters(rate=0.05, batch=8, loss="cross-entropy", epochs=60)
    seen = []
    learned = learn_supervised(
        model, weights, samples, parameters, lambda *epoch: seen.append(epoch)
    )
    assert learned.loss < 0.05
    assert learned.held_out_loss < 0.05
    assert [loss for _, *loss in seen] == [list(losses) for losses in learned.history]
    again = learn_supervised(model, weights, samples, parameters)
    assert again.weights.tolist() == learned.weights.tolist()


@pytest.mark.parametrize("kind", ["compiled", "own"])
@pytest.mark.parametrize("optimizer", ["adam", "plain"])
def test_a_training_that_was_left_ends_like_one_that_was_not(kind, optimizer):
    """Bit for bit, from any epoch, through bytes."""
    if kind == "own":
        model = GameModel(game, SAMPLES["own curve"], PLAIN)
        samples = Samples(model.read(positions()[:8]), np.linspace(-1, 1, 8), np.arange(8) // 2)
        weights = model.start
    else:
        model = Model(make_network((8, 16, 1), ("tanh", "linear")), PLAIN)
        samples = random_samples(np.random.default_rng(5), 60, 8)
        weights = initial_weights(model.network, 1)
    parameters = SupervisedParameters(
        rate=0.02, batch=3, epochs=12, held_out=0.3, patience=4, optimizer=optimizer
    )
    states = list(train_epochs(model, weights, samples, parameters))
    whole = learn_supervised(model, weights, samples, parameters)
    for state in states:
        stored = TrainingState.from_bytes(state.to_bytes())
        first, *others = train_epochs(model, weights, samples, parameters, stored)
        assert first.to_bytes() == state.to_bytes()
        last = others[-1] if others else first
        assert last.to_bytes() == states[-1].to_bytes()
        assert last.learned.weights.tolist() == whole.weights.tolist()
        assert last.learned.history == whole.history


def test_training_stops_when_held_out_games_get_worse():
    stream = np.random.default_rng(5)
    samples = random_samples(stream, 60, 8)  # noise: there is nothing to learn
    model = Model(make_network((8, 16, 1), ("tanh", "linear")), PLAIN)
    parameters = SupervisedParameters(rate=0.02, batch=10, epochs=500, held_out=0.3, patience=5)
    learned = learn_supervised(model, initial_weights(model.network, 1), samples, parameters)
    held = [loss for _, loss in learned.history]
    best = int(np.argmin(held))
    assert len(held) == best + 1 + 5
    assert learned.held_out_loss == held[best]


@given(st.integers(2, 30), st.floats(0.01, 0.9), st.integers(0, 2**32))
def test_no_game_is_on_both_sides(games, share, seed):
    count = 3 * games
    inputs = Inputs.from_rows(np.ones((count, 1)))
    samples = Samples(inputs, np.arange(count) / count, np.arange(count) % games)
    train, held = samples.split(share, seed)
    assert held is not None
    assert not set(train.games) & set(held.games)
    assert set(train.games) | set(held.games) == set(range(games))
    assert sorted([*train.targets, *held.targets]) == samples.targets.tolist()


def test_own_functions_are_trained_in_numpy():
    model = GameModel(game, SAMPLES["own curve"], PLAIN)
    inputs = model.read(positions()[:8])
    samples = Samples(inputs, np.linspace(-1, 1, 8), np.arange(8) // 2)
    parameters = SupervisedParameters(epochs=20, held_out=0.0, rate=0.05)
    learned = learn_supervised(model, model.start, samples, parameters)
    first = learned.history[0][0]
    assert learned.loss < first


def test_bad_samples_are_refused():
    inputs = Inputs.from_rows([[1.0], [2.0]])
    games = np.arange(2)
    with pytest.raises(PlyforgeError, match="data set is empty"):
        Samples(inputs.take([]), np.zeros(0), games[:0])
    with pytest.raises(PlyforgeError, match="2 positions, 1 targets and 2 numbers of games"):
        Samples(inputs, np.zeros(1), games)
    with pytest.raises(PlyforgeError, match="the target of position 2 is nan"):
        Samples(inputs, np.array([0.0, np.nan]), games)
    with pytest.raises(PlyforgeError, match="held-out games need at least two"):
        Samples(inputs, np.zeros(2), np.zeros(2, np.int64)).split(0.5, 1)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"rate": 0}, "rate must be more than 0"),
        ({"batch": 0}, "batch must be an integer between 1 and"),
        ({"batch": 1.5}, "batch must be an integer between 1 and 10000000|1e[+]07, not 1.5"),
        ({"held_out": 1.0}, "held-out must be between 0 and 0.9, not 1.0"),
        ({"loss": "square"}, "did you mean 'squared'"),
        ({"penalty": float("inf")}, "penalty must be"),
    ],
)
def test_impossible_parameters_are_refused(values, message):
    with pytest.raises(PlyforgeError, match=message):
        SupervisedParameters(**values)


def test_divergence_is_reported():
    inputs, values, _ = data()
    model = Model(make_network((COLUMNS, 3, 1), ("relu", "linear")), PLAIN)
    parameters = SupervisedParameters(rate=1e6, optimizer="plain")
    with pytest.raises(PlyforgeError, match=r"in epoch \d+; use a rate less than 1e\+06"):
        learn_supervised(
            model, initial_weights(model.network, 2), samples_of(inputs, values), parameters
        )
