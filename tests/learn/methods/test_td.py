"""Temporal differences: both views, closed forms on random walks, perspectives, leaves and
roots."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.core.scores import WIN
from plyforge.learn.methods.td import (
    TdParameters,
    episode_uncompiled,
    first_side_predictions,
    lambda_returns,
    learn_td,
    learn_td_forward,
)
from plyforge.learn.methods.td_root import TdRootParameters, learn_td_root
from plyforge.learn.methods.tdleaf import leaf_episode, learn_tdleaf
from plyforge.learn.model import GameModel, Model
from plyforge.learn.network import Network
from plyforge.learn.prediction import Prediction
from plyforge.learn.samples import Episode
from tests.evaluate.samples import SAMPLES
from tests.learn.forms import random_inputs
from tests.learn.methods import walks
from tests.learn.test_network import make_network
from tests.search.examples import examples

STATES = 19


def random_episode(stream, columns):
    length = int(stream.integers(1, 9))
    known = np.where(stream.random(length) < 0.2, stream.choice([-1.0, 0.0, 1.0], length), np.nan)
    return Episode(
        random_inputs(stream, length, columns),
        stream.integers(0, 2, length),
        float(stream.choice([-1, 0, 1])),
        known if stream.random() < 0.5 else None,
    )


PREDICTIONS = (
    Prediction("sigmoid", 2.0),
    Prediction("tanh", 0.7),
    Prediction("identity", minimum=-1.0, maximum=1.0),
    Prediction("identity", minimum=0.0, maximum=1.0),
)
MODELS = [
    Model(network, prediction)
    for network in (
        make_network((5, 6, 1), ("tanh", "tanh")),
        make_network((5, 4, 3, 1), ("relu", "sigmoid", "sigmoid")),
        make_network((5, 1), ("linear",)),
    )
    for prediction in PREDICTIONS
]


@examples(80)
@given(
    st.sampled_from(MODELS),
    st.integers(0, 2**32),
    st.floats(0, 1),
    st.sampled_from([1.0, 0.9, 0.0]),
    st.sampled_from(["episode", "step"]),
)
def test_kernel_and_plain_python_are_equal(model, seed, trace, discount, timing):
    stream = np.random.default_rng(seed)
    weights = stream.normal(0, 0.7, model.size)
    parameters = TdParameters(0.1, trace, discount, timing)
    episode = random_episode(stream, 5)
    expected, loss = episode_uncompiled(model, weights, episode, parameters)
    learned = learn_td(model, weights, [episode], parameters)
    assert learned.weights == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert learned.loss == pytest.approx(loss / episode.inputs.count, rel=1e-9, abs=1e-12)


@examples(80)
@given(
    st.sampled_from(MODELS),
    st.integers(0, 2**32),
    st.floats(0, 1),
    st.sampled_from([1.0, 0.9, 0.5]),
)
def test_both_views_are_equal_at_the_end_of_an_episode(model, seed, trace, discount):
    stream = np.random.default_rng(seed)
    weights = stream.normal(0, 0.7, model.size)
    parameters = TdParameters(0.1, trace, discount)
    episodes = [random_episode(stream, 5) for _ in range(2)]
    backward = learn_td(model, weights, episodes, parameters)
    forward = learn_td_forward(model, weights, episodes, parameters)
    assert backward.weights == pytest.approx(forward.weights, rel=1e-9, abs=1e-11)


def test_both_views_are_equal_on_random_walks():
    stream, model = Stream(3), walks.model(STATES)
    episodes = [walks.walk(STATES, stream) for _ in range(20)]
    for trace in (0.0, 0.4, 0.8, 1.0):
        parameters = TdParameters(0.05, trace)
        start = np.zeros(STATES)
        backward = learn_td(model, start, episodes, parameters).weights
        forward = learn_td_forward(model, start, episodes, parameters).weights
        assert backward == pytest.approx(forward, abs=1e-12)
        assert np.abs(backward).max() > 0.01


@pytest.mark.parametrize("trace", [0.0, 0.5, 0.9, 1.0])
def test_random_walks_converge_to_the_closed_form(trace):
    """Repeated over a fixed set of walks, TD(λ) reaches the fixed point of that set."""
    states, stream = 5, Stream(11)
    model = walks.model(states)
    episodes = [walks.walk(states, stream) for _ in range(10)]
    weights, parameters = np.zeros(states), TdParameters(0.02, trace)
    for _ in range(250):
        changes = sum(
            learn_td(model, weights, [one], parameters).weights - weights for one in episodes
        )
        weights = weights + changes
    assert weights == pytest.approx(walks.transition_values(states, episodes, trace), abs=1e-3)


def test_nineteen_states_are_learned():
    """Online TD(λ) with a falling rate comes near the expected results of the 19 states."""
    stream, model = Stream(5), walks.model(STATES)
    for trace in (0.0, 0.8):
        weights = np.zeros(STATES)
        for number in range(600):
            parameters = TdParameters(0.25 / (1 + number / 60), trace, timing="step")
            weights = learn_td(model, weights, [walks.walk(STATES, stream)], parameters).weights
        error = np.sqrt(np.mean((weights - walks.true_values(STATES)) ** 2))
        assert error < 0.12


@pytest.mark.long
@pytest.mark.parametrize("trace", [0.0, 0.4, 0.8, 0.95, 1.0])
def test_nineteen_states_converge_to_the_closed_form(trace):
    stream, model = Stream(6), walks.model(STATES)
    weights = np.zeros(STATES)
    mean = np.zeros(STATES)
    for number in range(6_000):
        parameters = TdParameters(0.2 / (1 + number / 100), trace, timing="step")
        weights = learn_td(model, weights, [walks.walk(STATES, stream)], parameters).weights
        if number >= 2_000:
            mean += weights / 4_000
    assert mean == pytest.approx(walks.true_values(STATES), abs=0.05)


def test_expected_changes_vanish_at_the_closed_form():
    """With exact expected values, TD(0) changes nothing in the mean of both next states."""
    values = walks.true_values(STATES)
    model = walks.model(STATES)
    for state in range(1, STATES - 1):
        changes = np.zeros(STATES)
        for after in (state - 1, state + 1):
            visited = walks.episode(STATES, [state, after], float(values[after]))
            parameters = TdParameters(1.0, 0.0)
            changes += learn_td(model, values, [visited], parameters).weights - values
        assert changes == pytest.approx(np.zeros(STATES), abs=1e-12)


def test_a_trace_of_one_is_gradient_descent_on_the_result():
    stream = np.random.default_rng(2)
    model = MODELS[0]
    weights, episode = stream.normal(size=model.size), random_episode(stream, 5)
    episode = replace(episode, known=None)
    learned = learn_td(model, weights, [episode], TdParameters(0.1, 1.0))
    predictions, signs = first_side_predictions(model, weights, episode)
    errors = model.prediction.reward(episode.result) - predictions
    expected = weights + 0.1 * model.gradient(weights, episode.inputs, signs * errors)
    assert learned.weights == pytest.approx(expected, rel=1e-9)


def test_returns_mix_all_horizons():
    predictions, final, trace, discount = np.array([0.1, 0.5, -0.2, 0.4]), 1.0, 0.6, 0.9
    returns = lambda_returns(predictions, final, trace, discount)
    for t in range(4):
        left = 4 - t
        steps = [discount**n * predictions[t + n] for n in range(1, left)]
        steps.append(discount ** (left - 1) * final)
        mixed = sum((1 - trace) * trace**n * steps[n] for n in range(left - 1))
        assert returns[t] == pytest.approx(mixed + trace ** (left - 1) * steps[-1])


@pytest.mark.parametrize("prediction", PREDICTIONS)
def test_swapping_the_sides_changes_nothing(prediction):
    """The same game with colours swapped has the same values for the sides to move."""
    stream = np.random.default_rng(8)
    model = Model(make_network((5, 6, 1), ("tanh", "linear")), prediction)
    weights, episode = stream.normal(size=model.size), random_episode(stream, 5)
    known = None if episode.known is None else -episode.known
    swapped = Episode(episode.inputs, 1 - episode.sides, -episode.result, known)
    for timing in ("episode", "step"):
        parameters = TdParameters(0.2, 0.6, timing=timing)
        one, other = (learn_td(model, weights, [e], parameters) for e in (episode, swapped))
        assert one.weights == pytest.approx(other.weights, rel=1e-12)


# Games


def tictactoe_model(name="reals"):
    return GameModel(plyforge.load("tictactoe"), SAMPLES[name], Prediction("tanh", 20.0))


def test_own_functions_learn_too():
    model = tictactoe_model("own curve")
    inputs, sides = model.read_line(model.game.initial(), [4, 0, 8])
    episode = Episode(inputs, sides, 1.0)
    for timing in ("episode", "step"):
        parameters = TdParameters(0.1, 0.5, timing=timing)
        learned = learn_td(model, model.start, [episode], parameters)
        assert np.abs(learned.weights - model.start).max() > 0
    forward = learn_td_forward(model, model.start, [episode], TdParameters(0.1, 0.5))
    backward = learn_td(model, model.start, [episode], TdParameters(0.1, 0.5))
    assert forward.weights == pytest.approx(backward.weights)


def test_leaves_are_the_ends_of_lines():
    model = tictactoe_model()
    game = model.game
    moves, lines = [4, 0, 8], [[4, 0], [0, 8, 2], [8]]
    episode = leaf_episode(model, game.initial(), moves, lines, 1.0)
    position, leaves, sides = game.initial(), [], []
    for number, (move, line) in enumerate(zip(moves, lines, strict=True)):
        leaf = position
        for one in line:
            leaf = game.play(leaf, one)
        leaves.append(leaf)
        sides.append((number + len(line)) % 2)
        position = game.play(position, move)
    assert np.array_equal(episode.inputs.dense(4), model.read(leaves).dense(4))
    assert episode.sides.tolist() == sides
    assert np.isnan(episode.known).all()


def test_a_leaf_that_ends_the_game_is_known():
    model = tictactoe_model()
    won = [0, 3, 1, 4, 2]  # three in a row for the first player
    episode = leaf_episode(model, model.game.initial(), [0], [won, won[1:]], 1.0)
    assert episode.known.tolist() == [1.0, 1.0]
    learned = learn_tdleaf(model, model.start, [episode], TdParameters(0.5))
    assert learned.weights.tolist() == model.start.tolist()
    assert learned.loss == 0.0


def test_leaves_without_lines_are_the_positions():
    model = tictactoe_model()
    moves = [4, 0, 8, 2]
    leaves = leaf_episode(model, model.game.initial(), moves, [[]] * 5, -1.0)
    inputs, sides = model.read_line(model.game.initial(), moves)
    episode = Episode(inputs, sides, -1.0)
    parameters = TdParameters(0.3, 0.7)
    one = learn_tdleaf(model, model.start, [leaves], parameters)
    other = learn_td(model, model.start, [episode], parameters)
    assert one.weights == pytest.approx(other.weights)


def test_roots_move_towards_their_searches():
    model = tictactoe_model()
    inputs, sides = model.read_line(model.game.initial(), [4, 0, 8])
    found = np.array([5.0, np.nan, -40.0, WIN - 3])
    episode = Episode(inputs, sides, 0.0, searched=found)
    weights = model.start
    losses = []
    for _ in range(250):
        learned = learn_td_root(model, weights, [episode], TdRootParameters(0.5))
        weights = learned.weights
        losses.append(learned.loss)
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < 0.9 * losses[0]
    rows = episode.inputs.take([0, 2, 3])
    goals = np.array([np.tanh(5 / 20), np.tanh(-40 / 20), 1.0])
    first = goals - model.predictions(model.start, rows)
    step = learn_td_root(model, model.start, [episode], TdRootParameters(0.5)).weights
    assert step - model.start == pytest.approx(0.5 * model.gradient(model.start, rows, first))


# Bad input


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"rate": 0.0}, "rate must be more than 0 and at most 1e"),
        ({"rate": -1.0}, "rate must be"),
        ({"rate": float("nan")}, "not nan"),
        ({"rate": "fast"}, "not 'fast'"),
        ({"trace": 1.5}, "trace must be between 0 and 1, not 1.5"),
        ({"trace": float("nan")}, "trace must be between 0 and 1, not nan"),
        ({"discount": -0.1}, "discount must be between 0 and 1"),
        ({"timing": "never"}, "unknown timing 'never'"),
    ],
)
def test_impossible_parameters_are_refused(values, message):
    with pytest.raises(PlyforgeError, match=message):
        TdParameters(**values)


def test_divergence_is_reported():
    network = Network(make_network((2, 1), ("linear",)).layers, True)
    model = Model(network, Prediction("identity", minimum=-1.0, maximum=1.0))
    inputs = random_inputs(np.random.default_rng(1), 30, 2, 1.0)
    episode = Episode(inputs, np.zeros(30, np.int64), 1.0)
    for timing in ("step", "episode"):
        with pytest.raises(PlyforgeError, match=r"after episode \d+; use a rate less than 1e\+06"):
            learn_td(model, np.ones(3), [episode] * 40, TdParameters(1e6, 0.9, timing=timing))


def test_incomplete_episodes_are_refused():
    inputs = random_inputs(np.random.default_rng(1), 3, 2)
    sides = np.zeros(3, np.int64)
    with pytest.raises(PlyforgeError, match="result of a game must be between -1 and 1, not 2"):
        Episode(inputs, sides, 2.0)
    with pytest.raises(PlyforgeError, match="3 positions, but 2 entries in 'sides'"):
        Episode(inputs, sides[:2], 1.0)
    with pytest.raises(PlyforgeError, match="no positions"):
        Episode(inputs.take([]), sides[:0], 1.0)
    model = MODELS[0]
    with pytest.raises(PlyforgeError, match="no episodes"):
        learn_td(model, np.zeros(model.size), [], TdParameters())
    with pytest.raises(PlyforgeError, match="no values of searches"):
        learn_td_root(
            model, np.zeros(model.size), [Episode(inputs, sides, 1.0)], TdRootParameters()
        )
    with pytest.raises(PlyforgeError, match="set timing to 'episode'"):
        learn_td_forward(model, np.zeros(model.size), [], TdParameters(timing="step"))
    game_model = tictactoe_model()
    with pytest.raises(PlyforgeError, match="2 principal variations for 4 moves"):
        leaf_episode(game_model, game_model.game.initial(), [0, 1, 2, 3], [[0], [1]], 0.0)
