"""Wilson's interval."""

import pytest

from plyforge import PlyforgeError
from plyforge.match.ratings.wilson import quantile, wilson


@pytest.mark.parametrize(
    ("mean", "size", "expected"),
    [(0.5, 10, (0.2366, 0.7634)), (0.0, 20, (0.0, 0.1611)), (1.0, 1, (0.2065, 1.0))],
)
def test_the_interval_has_the_published_values(mean, size, expected):
    assert wilson(mean, size) == pytest.approx(expected, abs=1e-4)


def test_less_variance_makes_the_interval_narrower():
    low, high = wilson(0.6, 50)
    lower, upper = wilson(0.6, 50, variance_share=0.5)
    assert low < lower < 0.6 < upper < high


@pytest.mark.parametrize("confidence", [0, 1, -0.5, float("nan")])
def test_a_confidence_outside_0_and_1_is_refused(confidence):
    with pytest.raises(PlyforgeError, match="confidence must be between 0 and 1"):
        quantile(confidence)
