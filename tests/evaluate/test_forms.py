"""Every form: its value against a slow twin, both ways of linking, terms and gradients."""

from typing import Any

import numpy as np
import pytest

from plyforge.evaluate import (
    PRECISIONS,
    Evaluation,
    gradient,
    make_batch,
    quantise,
    with_evaluation,
    with_weights,
)
from tests.evaluate.kernels import linked_values
from tests.evaluate.samples import SAMPLES, game, positions
from tests.reference import forms as twin

every_form = pytest.mark.parametrize("name", SAMPLES)
STEP = 1e-6
PRECISE = {"rel": 1e-12, "abs": 1e-12}


@every_form
def test_the_value_is_the_twins(name: str) -> None:
    one = SAMPLES[name]
    values = [one.evaluate(position) for position in positions()]
    expected = [twin.value(one.form, position, one.vector.tolist()) for position in positions()]
    assert values == pytest.approx(expected, **PRECISE)
    assert len(set(values)) > 2


def test_sums_of_integers_stay_integers() -> None:
    for name in ("one feature", "integers", "nearest", "towards zero", "stages", "blend", "own"):
        assert all(isinstance(SAMPLES[name].evaluate(p), (int, np.integer)) for p in positions())


@pytest.mark.parametrize("name", ["running sum", "running sum of reals", "running blend"])
def test_running_sums_are_those_from_scratch(name: str) -> None:
    rules = with_evaluation(game, quantise(SAMPLES[name])).rules
    assert rules.constant("STATE") == ("int64", 1)
    for position in positions():
        state = rules.begin_state(position)
        for move in game.moves(position):
            child = game.play(position, move)
            after = rules.advance_state(state, position, move, child)
            assert after.tolist() == rules.begin_state(child).tolist()
            assert rules.evaluate(child, after) == rules.evaluate_from_scratch(child)


def test_only_integers_have_running_sums() -> None:
    whole = with_evaluation(game, quantise(SAMPLES["running blend"]))
    reals = with_weights(whole, quantise(SAMPLES["running blend"], "float32"))
    again = with_weights(reals, quantise(SAMPLES["running blend"]))
    states = [one.rules.constant("STATE") for one in (whole, reals, again)]
    assert states == [("int64", 1), None, ("int64", 1)]


def every_evaluation() -> list[Evaluation]:
    """All forms with their weights, and with stored ones."""
    stored = [quantise(one, precision) for one in SAMPLES.values() for precision in PRECISIONS]
    return [*SAMPLES.values(), *stored]


def test_weights_as_data_give_the_same_value_uncompiled() -> None:
    constants, data = linked_values(every_evaluation(), positions(), "python")
    assert (constants == data).all()


def check_compiled(evaluations: list[Evaluation]) -> None:
    expected = np.array([[one.evaluate(p) for one in evaluations] for p in positions()], float)
    constants, data = linked_values(evaluations, positions(), "compiled")
    assert constants == pytest.approx(expected, **PRECISE)
    assert (constants == data).all()


def test_compiled_constants_and_compiled_data_give_the_value_of_the_source() -> None:
    names = (
        "reals",
        "nearest",
        "blend",
        "patterns by stage",
        "table by stage",
        "running blend",
        "own",
        "net of many",
    )
    check_compiled([*(SAMPLES[name] for name in names), quantise(SAMPLES["blend of reals"])])


@pytest.mark.long
def test_every_form_has_the_same_value_compiled_and_from_data() -> None:
    check_compiled(every_evaluation())


@every_form
def test_the_terms_add_up_to_the_value(name: str) -> None:
    one = SAMPLES[name]
    for position in positions():
        total = sum(value * weight for _, value, weight in one.terms(position))
        assert total == pytest.approx(one.evaluate(position), abs=1e-9)


def test_terms_name_features_tables_and_what_is_cut_off() -> None:
    last = positions()[4]
    assert [name for name, _, _ in SAMPLES["blend"].terms(last)] == [
        *("lines", "centre", "corners", "squares, opening", "squares, ending", "rounding")
    ]
    assert [name for name, _, _ in SAMPLES["patterns"].terms(last)] == ["middle", "diagonals"]
    assert [name for name, _, _ in SAMPLES["own"].terms(last)] == ["centre", "corners"]
    assert "rest" in [name for name, _, _ in SAMPLES["net"].terms(last)]
    names = [[name for name, _, _ in SAMPLES["unit and limit"].terms(p)] for p in positions()]
    assert any("beyond the limit" in one for one in names)
    assert any("beyond the limit" not in one for one in names)


@every_form
def test_the_values_of_a_batch_are_those_of_the_evaluation(name: str) -> None:
    one = SAMPLES[name]
    batch = make_batch(one.form, positions())
    expected = [float(one.evaluate(position)) for position in positions()]
    assert batch.values(one.vector) == pytest.approx(expected, rel=1e-9, abs=1e-9)


def some_weights(found: Any) -> list[int]:
    """Some weights that matter, and some that do not."""
    matter, others = np.flatnonzero(found), np.flatnonzero(found == 0)
    chosen = np.concatenate([matter[:: 1 + len(matter) // 12], others[:: 1 + len(others) // 4]])
    return [int(index) for index in chosen]


@every_form
def test_the_gradient_is_that_of_finite_differences(name: str) -> None:
    one = SAMPLES[name]
    checked = 0
    for position in positions()[::3]:
        found = gradient(one, position)
        for index in some_weights(found):
            steps = [one.vector.copy(), one.vector.copy(), one.vector.copy()]
            steps[0][index] += STEP
            steps[2][index] -= STEP
            above, here, below = (twin.smooth_value(one.form, position, w) for w in steps)
            if abs(above - 2 * here + below) > 1e-9:  # a corner, where no derivative exists
                continue
            assert found[index] == pytest.approx((above - below) / (2 * STEP), abs=1e-5)
            checked += abs(found[index]) > 1e-3
    assert checked > 1


@every_form
def test_the_gradient_of_a_batch_adds_up_those_of_its_positions(name: str) -> None:
    one = SAMPLES[name]
    outer = np.linspace(-1, 2, len(positions()))
    together = make_batch(one.form, positions()).gradient(one.vector, outer)
    separate = [f * gradient(one, p) for f, p in zip(outer, positions(), strict=True)]
    assert together == pytest.approx(np.sum(separate, axis=0), abs=1e-9)


def test_an_empty_batch_has_no_values_and_a_gradient_of_0() -> None:
    for one in SAMPLES.values():
        batch = make_batch(one.form, [])
        assert len(batch.values(one.vector)) == 0
        assert not batch.gradient(one.vector, np.zeros(0)).any()
