"""Student's distribution, against tables and an integral."""

import math

import pytest

from plyforge.lab import student

# Two-sided 95 % and 99 % points in every table of the distribution.
TABLE = [(1, 12.706, 63.657), (2, 4.303, 9.925), (5, 2.571, 4.032), (24, 2.064, 2.797)]


@pytest.mark.parametrize(("freedom", "at_95", "at_99"), TABLE)
def test_quantiles_are_those_of_tables(freedom, at_95, at_99):
    assert student.quantile(0.975, freedom) == pytest.approx(at_95, abs=5e-4)
    assert student.quantile(0.995, freedom) == pytest.approx(at_99, abs=5e-4)
    assert student.quantile(0.025, freedom) == pytest.approx(-at_95, abs=5e-4)


@pytest.mark.parametrize("freedom", [1, 3, 9, 40, 400])
@pytest.mark.parametrize("value", [-4.0, -0.7, 0.0, 0.3, 1.0, 2.5, 30.0])
def test_the_probability_is_the_integral_of_the_density(value, freedom):
    log_scale = math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)
    scale = math.exp(log_scale) / math.sqrt(freedom * math.pi)
    steps = 20_000
    width = value / steps
    middles = ((i + 0.5) * width for i in range(steps))
    area = sum((1 + t * t / freedom) ** (-(freedom + 1) / 2) for t in middles) * width * scale
    assert student.cdf(value, freedom) == pytest.approx(0.5 + area, abs=1e-6)


def test_small_tails_are_accurate():
    # With one degree of freedom the distribution is Cauchy's, with two it has a closed form.
    assert student.cdf(-1e6, 1) == pytest.approx(math.atan(1e-6) / math.pi, rel=1e-9)
    tail = 0.5 * (1 - 50 / math.sqrt(2 + 50**2))
    assert student.cdf(-50.0, 2) == pytest.approx(tail, rel=1e-9)


def test_the_ends_have_probabilities_0_and_1():
    assert (student.cdf(-math.inf, 3), student.cdf(math.inf, 3)) == (0.0, 1.0)
