"""Networks: the kernel against finite differences, NumPy, its uncompiled twin and scikit-learn."""

import hashlib
import math
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.game.forms.finish import Finish
from plyforge.game.forms.layers import ACTIVATIONS, Layer, activate, matrix, slope
from plyforge.games.checkers.named_players import HIDDEN
from plyforge.games.checkers.samuel import NEURODRAUGHTS, samuel_net
from plyforge.learn.inputs import Inputs
from plyforge.learn.kernels.functions import sigmoid, tanh
from plyforge.learn.network import NO_FINISH, Network, initial_weights
from plyforge.learn.prediction import Prediction
from plyforge.rules import random_weights
from tests.learn.forms import numerical_gradient, random_inputs
from tests.search.examples import examples


def make_network(sizes, activations, finish=NO_FINISH):
    layers, start = [], 0
    for inputs, outputs, activation in zip(sizes[:-1], sizes[1:], activations, strict=True):
        layers.append(Layer(inputs, outputs, start, activation))
        start += layers[-1].size
    return Network(tuple(layers), True, finish)


def outputs_in_numpy(network, weights, inputs):
    values = inputs.dense(network.inputs)
    for layer in network.layers:
        biases = weights[layer.biases : layer.biases + layer.outputs]
        values = activate(layer.activation, values @ matrix(layer, weights) + biases)
    return values[:, 0]


def test_tanh_and_sigmoid_are_those_of_the_library():
    points = np.concatenate([np.linspace(-40, 40, 4001), [-800.0, 0.0, 1e-9, -1e-300, 800.0]])
    for x in points.tolist():
        assert tanh(x) == pytest.approx(math.tanh(x), rel=4e-15, abs=1e-300)
        assert sigmoid(x) == pytest.approx(float(activate("sigmoid", np.array(x))), abs=1e-15)


NETS = [
    ((4, 1), ("linear",)),
    ((5, 7, 1), ("tanh", "linear")),
    ((6, 4, 1), ("sigmoid", "sigmoid")),
    ((3, 9, 5, 1), ("relu", "tanh", "tanh")),
    ((8, 5, 4, 1), ("clipped relu", "linear", "sigmoid")),
    ((2, 1, 6, 3, 1), ("tanh", "sigmoid", "relu", "linear")),
]
PREDICTIONS = [
    Prediction("identity"),
    Prediction("sigmoid", 2.0),
    Prediction("tanh", 0.5),
]


@pytest.mark.parametrize("backend", ["compiled", "python"])
@pytest.mark.parametrize(("sizes", "activations"), NETS)
def test_gradients_are_finite_differences(sizes, activations, backend):
    stream = np.random.default_rng(len(sizes) + sizes[0])
    network = replace(make_network(sizes, activations, Finish(0.5)), backend=backend)
    weights = stream.normal(0, 0.8, network.size)
    inputs, outer = random_inputs(stream, 6, sizes[0]), stream.normal(size=6)
    for prediction in PREDICTIONS:

        def loss(vector, prediction=prediction):
            return float(outer @ network.predictions(vector, inputs, prediction))

        gradient = network.gradient(weights, inputs, outer, prediction)
        assert gradient == pytest.approx(numerical_gradient(loss, weights), rel=1e-5, abs=1e-7)


@examples(60)
@given(
    st.lists(st.integers(1, 40), min_size=1, max_size=4),
    st.lists(st.sampled_from(sorted(ACTIVATIONS)), min_size=4, max_size=4),
    st.integers(0, 2**32),
)
def test_values_and_gradients_are_those_of_numpy(sizes, activations, seed):
    stream = np.random.default_rng(seed)
    network = make_network((*sizes, 1), activations[: len(sizes)])
    weights = stream.normal(0, 0.7, network.size)
    inputs, outer = random_inputs(stream, 5, sizes[0]), stream.normal(size=5)
    values = network.predictions(weights, inputs)
    assert values == pytest.approx(outputs_in_numpy(network, weights, inputs), rel=1e-9, abs=1e-12)

    before, sums = [inputs.dense(sizes[0])], []
    for layer in network.layers:
        biases = weights[layer.biases : layer.biases + layer.outputs]
        sums.append(before[-1] @ matrix(layer, weights) + biases)
        before.append(activate(layer.activation, sums[-1]))
    expected, delta = np.zeros(network.size), outer[:, np.newaxis]
    for number in range(len(network.layers) - 1, -1, -1):
        layer = network.layers[number]
        delta = delta * slope(layer.activation, sums[number])
        expected[layer.start : layer.biases] = (before[number].T @ delta).reshape(-1)
        expected[layer.biases : layer.biases + layer.outputs] = delta.sum(axis=0)
        delta = delta @ matrix(layer, weights).T
    gradient = network.gradient(weights, inputs, outer)
    assert gradient == pytest.approx(expected, rel=1e-9, abs=1e-10)


def test_a_limit_stops_the_gradient():
    network = make_network((1, 1), ("linear",), Finish(2.0, limit=3.0))
    inputs = Inputs.from_rows([[1.0], [10.0]])
    weights = np.array([1.0, 0.0])
    assert network.predictions(weights, inputs).tolist() == [0.5, 3.0]
    assert network.gradient(weights, inputs, np.ones(2)).tolist() == [0.5, 0.5]


def weights_of(regressor):
    layers = zip(regressor.coefs_, regressor.intercepts_, strict=True)
    return np.concatenate(
        [np.concatenate([weights.reshape(-1), biases]) for weights, biases in layers]
    )


@pytest.mark.long
def test_gradients_are_those_of_scikit_learn():
    neural = pytest.importorskip("sklearn.neural_network")
    stream = np.random.default_rng(3)
    network = make_network((5, 8, 3, 1), ("tanh", "tanh", "linear"))
    rows, targets = stream.normal(size=(40, 5)), stream.normal(size=40)
    # One step of its stochastic gradient descent, of size 1 and with all rows, is its gradient.
    other = neural.MLPRegressor(
        hidden_layer_sizes=(8, 3), activation="tanh", alpha=0.0, max_iter=1, solver="sgd",
        batch_size=40, learning_rate_init=1.0, momentum=0.0, warm_start=True, shuffle=False,
        random_state=1,
    )  # fmt: skip
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        other.fit(rows, targets)
        weights, inputs = weights_of(other), Inputs.from_rows(rows)
        values = network.predictions(weights, inputs)
        assert values == pytest.approx(other.predict(rows), rel=1e-9)
        other.fit(rows, targets)
    after = weights_of(other)
    gradient = network.gradient(weights, inputs, (values - targets) / 40)
    assert weights - after == pytest.approx(gradient, rel=1e-6, abs=1e-9)


def test_first_weights_are_random_and_bounded():
    network = make_network((10, 6, 1), ("tanh", "linear"))
    weights = initial_weights(network, 5)
    assert weights.tolist() == initial_weights(network, 5).tolist()
    assert weights.tolist() != initial_weights(network, 6).tolist()
    first = weights[:60]
    assert 0 < np.abs(first).max() <= math.sqrt(6 / 16)
    assert abs(first.mean()) < 0.2
    assert weights[60:66].tolist() == [0.0] * 6


@pytest.mark.parametrize(
    ("training", "digest"),
    [(1, "6d63a3c5fc511aa8"), (2, "eb1d3ea3541f5a6d"), (3, "739381e6d73ca814")],
)
def test_the_first_weights_of_the_draughts_players_stay_the_same(training, digest):
    """Their trainings are repeated bit for bit only from these."""
    evaluation = samuel_net(NEURODRAUGHTS, hidden=HIDDEN)
    seed = Stream(training).split("weights").next_word()
    weights = initial_weights(Network.of_form(evaluation.form), seed)
    assert hashlib.blake2b(weights.tobytes(), digest_size=8).hexdigest() == digest
    assert random_weights(evaluation, seed).tolist() == weights.tolist()


def test_inputs_of_another_model_are_refused():
    network = make_network((3, 1), ("linear",))
    with pytest.raises(PlyforgeError, match="4 columns, the model has 3"):
        network.predictions(np.zeros(4), Inputs.from_rows([[0.0, 0.0, 0.0, 1.0]]))
    with pytest.raises(PlyforgeError, match="not a finite number"):
        network.predictions(np.zeros(4), Inputs.from_rows([[math.nan, 0.0, 0.0]]))
    with pytest.raises(PlyforgeError, match="4 weights"):
        network.predictions(np.zeros(7), Inputs.from_rows([[1.0, 0.0, 0.0]]))


@examples(60)
@given(st.integers(0, 2**32), st.integers(1, 8), st.integers(1, 6))
def test_inputs_are_taken_and_joined_as_rows(seed, rows, columns):
    stream = np.random.default_rng(seed)
    inputs = random_inputs(stream, rows, columns)
    dense = inputs.dense(columns)
    chosen = stream.integers(0, rows, 5)
    assert np.array_equal(inputs.take(chosen).dense(columns), dense[chosen])
    joined = Inputs.join([inputs, inputs.take(chosen)])
    assert np.array_equal(joined.dense(columns), np.concatenate([dense, dense[chosen]]))
