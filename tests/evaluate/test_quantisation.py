"""Weights in fewer bits: the error that is stated is the error that there is."""

import numpy as np
import pytest

from plyforge import PlyforgeError
from plyforge.evaluate import quantisation_error, quantise
from tests.evaluate.samples import SAMPLES, positions


@pytest.mark.parametrize("name", SAMPLES)
def test_no_weight_changes_by_more_than_half_a_step(name: str) -> None:
    original = SAMPLES[name]
    stored = quantise(original)
    steps = np.repeat(stored.weights.scales, original.form.blocks)
    assert (np.abs(stored.vector - original.vector) <= steps * 0.5000001).all()
    assert stored.weights.numbers.dtype == np.int16


@pytest.mark.parametrize("precision", ["int16", "float32"])
@pytest.mark.parametrize("name", SAMPLES)
def test_the_stated_error_is_the_largest_and_the_mean_difference(name: str, precision: str) -> None:
    original, stored = SAMPLES[name], quantise(SAMPLES[name], precision)
    error = quantisation_error(original, stored, positions())
    changes = [abs(float(stored.evaluate(p)) - float(original.evaluate(p))) for p in positions()]
    assert error.max_value == max(changes)
    assert error.mean_value == pytest.approx(np.mean(changes))
    assert error.max_weight == np.abs(stored.vector - original.vector).max()
    # A value changes a little, or by a whole step where it is rounded.
    rounded = getattr(original.form, "finish", None) and original.form.finish.rounding
    largest = max(1.0, *(abs(float(original.evaluate(p))) for p in positions()))
    assert error.max_value < (1.001 if rounded else 0.01 * largest)


def test_integers_that_fit_are_kept_as_they_are() -> None:
    assert quantise(SAMPLES["integers"]).weights.scales == (1.0,)
    large = SAMPLES["integers"].with_weights([100_000, 7, -3])
    assert quantise(large).weights.scales == (100_000 / 32_767,)


def test_every_layer_of_a_net_has_its_own_scale() -> None:
    assert len(set(quantise(SAMPLES["net of tables"]).weights.scales)) == 3


def test_weights_of_0_stay_0() -> None:
    assert not quantise(SAMPLES["reals"].with_weights([0.0] * 4)).vector.any()


def test_a_precision_that_does_not_exist_is_refused() -> None:
    with pytest.raises(PlyforgeError, match="unknown precision 'int8'"):
        quantise(SAMPLES["reals"], "int8")
    with pytest.raises(PlyforgeError, match="too large for float32"):
        quantise(SAMPLES["reals"].with_weights([1e300, 0, 0, 0]), "float32")
