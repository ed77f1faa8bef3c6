"""Nets: their sums between plies are those from scratch, at every node, in both backends."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from plyforge.compilation.hooks_api import (
    advance,
    begin,
    evaluate,
    floats,
    moves,
    play,
    pointer,
)
from plyforge.compilation.kernel import Kernel, build
from plyforge.core.randomness import Stream
from plyforge.engine import Engine
from plyforge.evaluate import Evaluation, quantise, with_evaluation
from plyforge.game.forms import Net, Weights
from plyforge.game.forms.netdata import MAX_INT32, data_kind, sum_bounds
from plyforge.game.game import Game
from tests.evaluate.nets import board, nets
from tests.reference import forms as twin

KINDS = {
    "clipped": "int16/int16",
    "wide": "int16/int16",
    "odd": "int16/int16",
    "sigmoid": "int16/int16",
    "features too": "int16/int16",
    "features only": "float64",
}
every_net = pytest.mark.parametrize("name", KINDS)


def game_with(evaluation: Evaluation) -> Game:
    return with_evaluation(board(), evaluation)


def stored(name: str) -> Evaluation:
    return quantise(nets()[name])


def in_int32(name: str) -> Evaluation:
    """A net whose sums do not fit int16, by numbers that are as large as they can be."""
    one = stored(name)
    numbers = one.weights.numbers.copy()
    first = one.form.blocks[0]
    numbers[:first] = np.sign(numbers[:first]) * 30_000
    numbers[first:] = np.sign(numbers[first:])
    return replace(one, weights=Weights(numbers, one.weights.scales))


@every_net
def test_the_value_of_stored_weights_is_the_twins(name: str) -> None:
    one = stored(name)
    assert isinstance(one.form, Net)
    assert data_kind(one.form, one.weights) == KINDS[name]
    values = set()
    for position in random_line(8):
        value = float(one.evaluate(position))
        assert value == pytest.approx(twin.value(one.form, position, one.vector.tolist()))
        values.add(value)
    assert len(values) > 4


def random_line(plies: int, seed: int = 1) -> list[Any]:
    game, stream = board(), Stream(seed)
    line = [game.initial()]
    while len(line) < plies and (legal := game.legal_moves(line[-1])):
        line.append(game.play(line[-1], stream.choice(legal)))
    return line


@every_net
@pytest.mark.parametrize("make", [stored, in_int32])
def test_sums_between_plies_are_those_from_scratch_in_random_games(name: str, make: Any) -> None:
    game = game_with(make(name))
    rules, stream = game.rules, Stream(3)
    for _ in range(4):
        position = game.initial()
        state = rules.begin_state(position)
        while legal := game.legal_moves(position):
            for move in legal:
                child = game.play(position, move)
                found = rules.evaluate(child, rules.advance_state(state, position, move, child))
                assert found == rules.evaluate_from_scratch(child)
            move = stream.choice(legal)
            child = game.play(position, move)
            state, position = rules.advance_state(state, position, move, child), child


def scratch_game(game: Game) -> Game:
    """The same game, with sums that are computed from scratch after every move."""
    start = game.rules.hooks["begin"]

    def restart(
        state: Any, position: Any, move: int, child: Any, child_state: Any, block: Any
    ) -> None:
        start(child, child_state, block)

    return game.with_rules(replace(game.rules, hooks=game.rules.hooks | {"advance": restart}))


def check_search(name: str, make: Any) -> None:
    game = game_with(make(name))
    results = [
        Engine(one, backend=backend, on=["child-eval"]).analyse(depth=depth)
        for one, backend, depth in (
            (game, "python", 4),
            (game, "compiled", 4),
            (game, "compiled", 8),
            (scratch_game(game), "compiled", 8),
        )
    ]
    for one, other in (results[:2], results[2:]):
        # Functions such as tanh may differ in their last bits between the backends.
        assert one.score == pytest.approx(other.score, rel=1e-6)
        assert one.counts == other.counts
        assert one.pv == other.pv
    assert results[2].score == results[3].score
    assert results[2].nodes > 2000


def walk(position: Any, moves_made: Any, states: Any, work: Any, weights: Any, out: Any) -> int:
    """Play moves, and evaluate every child with sums from ply to ply, and with new ones."""
    buffer, line, values = pointer(work), pointer(moves_made), floats(out)
    scratch = buffer[64]
    begin(position, states, weights)
    count = level = 0
    while line[level] >= 0:
        found = moves(position, buffer)
        for index in range(found):
            child = play(position, buffer[index])
            advance(states, level, position, buffer[index], child, weights)
            begin(child, scratch, weights)
            values[count] = evaluate(child, states, level + 1, weights)
            values[count + 1] = evaluate(child, scratch, 0, weights)
            count += 2
        child = play(position, line[level])
        advance(states, level, position, line[level], child, weights)
        position = child
        level += 1
    return count


WALK = Kernel("walk", walk, "int64(position, address, address, address, address, address)")


def check_walk(name: str, make: Any) -> None:
    game = game_with(make(name))
    call = build(WALK, game.rules, game.position_type).call
    assert game.rules.weights is not None
    compared = 0
    for seed in range(5):
        line = random_moves(seed)
        states, scratch = game.rules.new_states(len(line) + 2), game.rules.new_states(1)
        buffers = [np.array([*line, -1]), np.zeros(128, np.int64)]
        buffers[1][64] = scratch.ctypes.data
        out = np.zeros(2 * 5 * (len(line) + 1))
        addresses = [buffers[0].ctypes.data, states.ctypes.data, buffers[1].ctypes.data]
        block = game.rules.weights.words.ctypes.data
        count = call(game.initial(), *addresses, block, out.ctypes.data)
        values = out[:count].reshape(-1, 2)
        assert (values[:, 0] == values[:, 1]).all()
        children = all_children(line)
        expected = [float(game.rules.evaluate_from_scratch(child)) for child in children]
        assert values[:, 0] == pytest.approx(np.array(expected), rel=1e-12, abs=1e-12)
        compared += len(children)
    assert compared > 200


def random_moves(seed: int) -> list[int]:
    game, stream = board(), Stream(seed)
    position, line = game.initial(), []
    while legal := game.legal_moves(position):
        line.append(stream.choice(legal))
        position = game.play(position, line[-1])
    return line


def all_children(line: list[int]) -> list[Any]:
    """Every child of every position of a game."""
    game = board()
    position, found = game.initial(), []
    for move in line:
        found += [game.play(position, other) for other in game.moves(position)]
        position = game.play(position, move)
    return found


@pytest.mark.parametrize("name", ["clipped", "features too"])
def test_compiled_sums_are_those_from_scratch_in_random_games(name: str) -> None:
    check_walk(name, stored)


@pytest.mark.long
@every_net
@pytest.mark.parametrize("make", [stored, in_int32, lambda name: quantise(nets()[name], "float32")])
def test_every_compiled_sum_is_that_from_scratch_in_random_games(name: str, make: Any) -> None:
    check_walk(name, make)


@pytest.mark.long
def test_a_search_with_sums_visits_the_nodes_of_one_from_scratch() -> None:
    check_search("clipped", stored)
    check_search("odd", in_int32)


@every_net
@pytest.mark.parametrize("scale", [1e-3, 0.6, 40.0, 1e5])
def test_stored_weights_never_overflow_the_sums(name: str, scale: float) -> None:
    one = quantise(nets(scale)[name])
    assert isinstance(one.form, Net)
    error = np.abs(one.vector - nets(scale)[name].vector).max()
    assert error < scale / 100
    kind = data_kind(one.form, one.weights)
    assert kind in (KINDS[name], "float64")
    assert kind == KINDS[name] or scale == 1e5
    bounds = sum_bounds(one.form, one.weights.numbers.astype(np.float64))
    if kind == "int16/int16":
        assert bounds.max() <= np.iinfo(np.int16).max
    for position in random_line(6, seed=2):
        expected = twin.value(one.form, position, one.vector.tolist())
        assert float(one.evaluate(position)) == pytest.approx(expected, rel=1e-6, abs=1e-6)


def test_larger_numbers_have_sums_of_int32_or_become_floats() -> None:
    kinds = {}
    for name in KINDS:
        one = in_int32(name)
        assert isinstance(one.form, Net)
        kinds[name] = data_kind(one.form, one.weights)
        if kinds[name] == "int16/int32":
            bounds = sum_bounds(one.form, one.weights.numbers.astype(np.float64))
            assert np.iinfo(np.int16).max < bounds.max() <= MAX_INT32
    assert kinds["clipped"] == kinds["sigmoid"] == kinds["features too"] == "int16/int32"
    one = stored("wide")
    everything = np.full(one.form.size, 32_767, np.int16)
    assert isinstance(one.form, Net)
    assert data_kind(one.form, Weights(everything, one.weights.scales)) == "float64"
    assert data_kind(one.form, Weights(one.weights.numbers, (0.3, 1.0))) == "float64"
