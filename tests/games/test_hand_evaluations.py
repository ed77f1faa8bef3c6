"""The hand evaluations have the values that they had before they were declared as forms."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import plyforge
from plyforge.evaluate import evaluation_of, gradient, make_batch, quantise, with_evaluation
from plyforge.game.game import Game
from tests.games.evaluations import random_positions
from tests.reference import hand_evaluations

RECORDED = json.loads(Path(__file__).with_name("hand_values.json").read_text("utf-8"))
"""By game: the values of the positions of three random games, as hexadecimal floats."""


@pytest.fixture(autouse=True)
def _words_wrap() -> Any:
    """Uncompiled rules run as the core calls them, with 64-bit overflow allowed."""
    with np.errstate(over="ignore"):
        yield


def load(name: str) -> Game:
    """A game, or a game and one of its other evaluations."""
    game, _, other = name.partition(" ")
    loaded = plyforge.load(game)
    return with_evaluation(loaded, other) if other else loaded


@pytest.mark.parametrize("name", RECORDED)
def test_values_are_those_that_were_recorded(name: str) -> None:
    game = load(name)
    values = [game.evaluation(position).hex() for position in random_positions(game, 3, 40)]
    assert values == RECORDED[name]


@pytest.mark.parametrize("name", RECORDED)
def test_values_are_those_of_the_sums_written_out(name: str) -> None:
    game = load(name)
    reference = hand_evaluations.REFERENCES[name.partition(":")[0]]
    for position in random_positions(game, 3, 60, seed=11):
        assert game.evaluation(position) == float(reference(position))


@pytest.mark.parametrize("name", RECORDED)
def test_the_batch_and_the_gradient_agree_with_the_evaluation(name: str) -> None:
    game = load(name)
    evaluation = evaluation_of(game)
    positions = list(random_positions(game, 1, 30, seed=3))[::6]
    batch = make_batch(evaluation.form, positions)
    expected = [game.evaluation(position) for position in positions]
    assert batch.values(evaluation.vector) == pytest.approx(expected, rel=1e-9, abs=1e-9)
    for position, value in zip(positions, expected, strict=True):
        # Without rounding and limits, a sum is the product of weights and gradient.
        rough = gradient(evaluation, position) @ evaluation.vector
        assert rough == pytest.approx(value, abs=1.0)


@pytest.mark.parametrize("name", ["chess", "connect4", "kalah", "othello", "hex", "andantino"])
def test_integer_weights_lose_nothing_as_int16(name: str) -> None:
    game = load(name)
    original = evaluation_of(game)
    stored = quantise(original)
    assert stored.weights.scales == (1.0,)
    assert stored.weights.numbers.dtype == np.int16
    for position in random_positions(game, 1, 30, seed=5):
        assert stored.evaluate(position) == original.evaluate(position)
