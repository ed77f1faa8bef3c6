"""Regression for tables: against NumPy, the guard of rare entries, entries that are equal."""

import numpy as np
import pytest

from plyforge import PlyforgeError
from plyforge.learn.inputs import Inputs
from plyforge.learn.methods.patterns import (
    PatternParameters,
    PatternSamples,
    check_form,
    fit_stages,
    solve,
)
from plyforge.learn.model import Model
from plyforge.learn.prediction import Prediction
from plyforge.rules import linear, patterns, table
from tests.learn.forms import random_inputs

EXACT = PatternParameters(iterations=200, tolerance=0.0, ridge=2.0, neighbours=0)
CELLS = 3


def digits(position):
    return position % 3**CELLS


def stage(position):
    return position // 3**CELLS


def mirror():
    numbers = np.arange(3**CELLS)
    images = sum(numbers // 3**i % 3 * 3 ** (CELLS - 1 - i) for i in range(CELLS))
    return {"row": np.minimum(numbers, images)}


FORM = patterns({"row": table(digits, 3**CELLS)}, stages=(stage, 3), shared=mirror, limit=1000).form


def samples_of(columns, targets, held=()):
    """Positions with one input each; `held` are the rows that are held out."""
    samples = PatternSamples(FORM)
    columns, targets = np.array(columns, np.int64), np.array(targets, np.float64)
    for row, (column, target) in enumerate(zip(columns, targets, strict=True)):
        inputs = Inputs(np.array([0, 1]), np.array([column]), np.ones(1))
        samples.add(inputs, np.array([target]), np.array([target]), row in held)
    return samples


def fit(samples, parameters=EXACT, start=None):
    vector = np.zeros(FORM.size) if start is None else start
    found = list(fit_stages(samples, vector, parameters))
    weights = np.zeros((FORM.set_count, FORM.width))
    for number, part, _ in found:
        weights[number] = part
    return weights, {error.stage: error for _, _, error in found}


def test_the_solution_is_that_of_numpy():
    stream = np.random.default_rng(5)
    inputs, targets = random_inputs(stream, 60, 20), stream.normal(size=60)
    model = Model.linear(20, Prediction("identity"))
    found = solve(model, inputs, targets, np.zeros(20), EXACT)
    matrix = inputs.dense(20)
    exact = np.linalg.solve(matrix.T @ matrix + 2.0 * np.eye(20), matrix.T @ targets)
    np.testing.assert_allclose(found, exact, atol=1e-10)


def test_a_start_does_not_change_the_solution_but_unseen_columns_become_0():
    inputs, targets = Inputs.from_rows([[1, 2, 0], [1, -1, 0]]), np.array([3.0, 1.0])
    model = Model.linear(3, Prediction("identity"))
    one = solve(model, inputs, targets, np.zeros(3), EXACT)
    other = solve(model, inputs, targets, np.array([5.0, -4.0, 7.0]), EXACT)
    np.testing.assert_allclose(one, other, atol=1e-10)
    assert other[2] == 0


@pytest.mark.parametrize("count", [1, 4, 40])
def test_the_ridge_is_the_number_of_positions_in_which_an_entry_counts_half(count):
    weights, _ = fit(samples_of([0] * count, [6.0] * count))
    assert weights[0, 0] == pytest.approx(6.0 * count / (count + 2.0))


def test_mirror_images_get_one_weight_from_the_positions_of_both():
    weights, _ = fit(samples_of([1, 9], [10.0, 4.0]))  # 001 and 100 with base 3
    assert weights[0, 1] == weights[0, 9] == pytest.approx(14.0 / 4.0)


def test_positions_of_neighbouring_stages_count_if_asked():
    width = FORM.width
    samples = samples_of([0, width, 2 * width], [3.0, 6.0, 30.0])
    alone, _ = fit(samples)
    np.testing.assert_allclose(alone[:, 0], [1.0, 2.0, 10.0])
    wider, _ = fit(samples, PatternParameters(iterations=99, tolerance=0, ridge=2.0))
    np.testing.assert_allclose(wider[:, 0], [9.0 / 4, 39.0 / 5, 36.0 / 4])


def test_held_out_games_are_measured_and_not_learned_from():
    samples = samples_of([0, 0, 0], [4.0, 4.0, -2.0], held={2})
    weights, errors = fit(samples)
    assert weights[0, 0] == pytest.approx(2.0)
    assert (errors[0].positions, errors[0].held_out_positions) == (2, 1)
    assert errors[0].error == pytest.approx(2.0)
    assert errors[0].held_out_error == pytest.approx(4.0)
    assert errors[1].held_out_error is None


def test_a_last_stage_without_positions_keeps_its_weights():
    start = np.arange(float(FORM.size))
    weights, _ = fit(samples_of([0], [3.0]), start=start)
    np.testing.assert_array_equal(weights[2], start[2 * FORM.width :])


def test_weights_of_a_form_with_a_unit_are_integers():
    samples = samples_of([0] * 5, [0.3] * 5)
    samples.form = patterns({"row": (digits, 27)}, stages=(stage, 3), unit=64).form
    weights, _ = fit(samples)
    assert weights[0, 0] == round(64 * 0.3 * 5 / 7)


@pytest.mark.parametrize(
    "form",
    [
        linear({"lead": (digits, 1)}).form,
        patterns({"row": (digits, 27)}, blend=(stage, 2)).form,
    ],
)
def test_forms_without_indices_or_with_a_blend_are_refused(form):
    with pytest.raises(PlyforgeError, match="needs an evaluation with a table"):
        check_form(form)
