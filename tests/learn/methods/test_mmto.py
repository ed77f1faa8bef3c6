"""Minimax tree optimisation: the objective, its gradient, and the update."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge.learn.inputs import Inputs
from plyforge.learn.methods.mmto import (
    BONANZA,
    Comparisons,
    MmtoParameters,
    objective,
    penalties,
    update,
)
from plyforge.learn.model import Model
from plyforge.learn.prediction import Prediction

MODEL = Model.linear(3, Prediction("identity", minimum=-100.0, maximum=100.0))


def comparisons(seed: int, known: bool = False) -> Comparisons:
    random = np.random.default_rng(seed)
    leaves = random.integers(-3, 4, (7, 3))
    decided = np.full(7, np.nan)
    if known:
        decided[2] = 1.5
    pairs = np.array([(0, 1), (0, 2), (3, 4), (3, 5), (3, 6)])
    signs = random.choice([-1.0, 1.0], 7)
    return Comparisons(Inputs.from_rows(leaves), signs, decided, pairs, positions=2)


def slow(weights, data: Comparisons, scale: float) -> float:
    """The formula, number by number."""
    rows = data.leaves.dense(3)
    values = [
        sign * float(row @ weights) if np.isnan(known) else known
        for row, sign, known in zip(rows, data.signs, data.known, strict=True)
    ]
    total = data.beyond
    for teacher, other in data.pairs:
        total += 1.0 / (1.0 + np.exp((values[teacher] - values[other]) / scale))
    return total / data.positions


@given(st.integers(0, 10**6), st.booleans())
def test_the_objective_and_its_gradient(seed: int, known: bool) -> None:
    data = comparisons(seed, known)
    weights = np.random.default_rng(seed + 1).normal(0, 1, 3)
    value, gradient = objective(MODEL, weights, data, 0.7)
    assert value == pytest.approx(slow(weights, data, 0.7))
    for number in range(3):
        step = np.zeros(3)
        step[number] = 1e-6
        change = slow(weights + step, data, 0.7) - slow(weights - step, data, 0.7)
        assert gradient[number] == pytest.approx(change / 2e-6, abs=1e-6)


@given(st.integers(0, 10**6))
def test_the_gradient_of_the_constraint_and_of_sparsity(seed: int) -> None:
    random = np.random.default_rng(seed)
    start, weights = random.normal(0, 1, 4), random.normal(0, 1, 4)
    parameters = MmtoParameters(constraint=2.0, sparsity=0.3)
    _, gradient = penalties(weights, start, parameters)
    for number in range(4):
        step = np.zeros(4)
        step[number] = 1e-7
        above, _ = penalties(weights + step, start, parameters)
        below, _ = penalties(weights - step, start, parameters)
        assert gradient[number] == pytest.approx((above - below) / 2e-7, abs=1e-5)


def test_an_update_changes_every_weight_by_the_same_step() -> None:
    data, start = comparisons(3), np.array([1.0, -2.0, 0.5])
    parameters = MmtoParameters(step=0.1)
    weights, value = update(MODEL, start, start, data, parameters, 1.0)
    unit = np.sqrt(np.mean(start**2))
    assert np.abs(weights - start) == pytest.approx(0.1 * unit)
    assert value == pytest.approx(slow(start, data, parameters.slope))
    assert slow(weights, data, parameters.slope) < value


def test_the_earlier_form_keeps_the_leaves_for_several_updates() -> None:
    data, start = comparisons(4), np.array([1.0, -2.0, 0.5])
    once = MmtoParameters(form=BONANZA, step=0.01, updates=1)
    thrice = MmtoParameters(form=BONANZA, step=0.01, updates=3)
    weights = start
    for _ in range(3):
        weights, _ = update(MODEL, weights, start, data, once, 1.0)
    again, _ = update(MODEL, start, start, data, thrice, 1.0)
    assert np.array_equal(again, weights)
    assert penalties(start * 2, start, once)[0] == 0.0
