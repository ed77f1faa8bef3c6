"""The sequential test: figures of other tools, a slow twin, symmetry, measured error rates."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyforge import PlyforgeError
from plyforge.match.ratings import Sample, Sprt, expected_score
from plyforge.match.ratings.sprt import UNSEEN, most_likely_distribution
from tests.reference.ratings import constrained_likelihood
from tests.reference.sprt_simulation import shift, simulate

five = st.lists(st.integers(0, 300), min_size=5, max_size=5)
three = st.lists(st.integers(0, 300), min_size=3, max_size=3)
differences = st.floats(-100, 100)

CHESS = (0.05, 0.2, 0.45, 0.25, 0.05)
GAMES = (0.3, 0.4, 0.3)


@pytest.mark.parametrize(
    ("counts", "elo0", "elo1", "llr"),
    [
        ((223, 9863, 21279, 10037, 246), 0.5, 2.5, -3.07),
        ((871, 26175, 55983, 26678, 821), 0, 2, -4.98),
        ((21184, 40708, 21404), 0.5, 2.5, -1.57),
        ((57030, 106593, 57433), 0, 2, -2.59),
    ],
)
def test_ratios_agree_with_fastchess(counts, elo0, elo1, llr):
    """From sprt_test.cpp of Fastchess, the cases of its logistic model."""
    assert Sprt(elo0, elo1).llr(Sample(counts)) == pytest.approx(llr, abs=0.006)


def test_the_default_bounds():
    test = Sprt(0, 5)
    assert round(test.lower, 2) == -2.94
    assert round(test.upper, 2) == 2.94
    uneven = Sprt(0, 5, alpha=0.1, beta=0.2)
    assert uneven.lower == pytest.approx(math.log(2 / 9))
    assert uneven.upper == pytest.approx(math.log(8))


@given(counts=st.one_of(five, three), elo0=differences, step=st.floats(1, 100))
@settings(max_examples=30, deadline=None)
def test_the_ratio_agrees_with_likelihoods_found_by_optimisation(counts, elo0, step):
    seen = [count or UNSEEN for count in counts]
    scores = [expected_score(elo) for elo in (elo0, elo0 + step)]
    h0, h1 = (constrained_likelihood(seen, score) for score in scores)
    if any(counts):
        found = Sprt(elo0, elo0 + step).llr(Sample(tuple(counts)))
        assert found == pytest.approx(h1 - h0, abs=2e-3)


@given(counts=five.filter(any), elo=differences)
def test_the_most_likely_distribution_has_the_score(counts, elo):
    seen = np.maximum(np.array(counts, float), UNSEEN)
    found = most_likely_distribution(seen, expected_score(elo))
    assert found.sum() == pytest.approx(1)
    assert found @ np.linspace(0, 1, 5) == pytest.approx(expected_score(elo))


@given(counts=st.one_of(five, three), elo=st.floats(1, 100))
def test_mirrored_results_negate_the_ratio(counts, elo):
    test, sample = Sprt(-elo, elo), Sample(tuple(counts))
    assert test.llr(sample) == pytest.approx(-test.llr(sample.mirror()), abs=1e-7)


@given(counts=five.filter(all), place=st.integers(0, 3))
def test_a_better_result_never_lowers_the_ratio_of_an_even_test(counts, place):
    """While the score is between the hypotheses; far outside, more variance may count for more."""
    better = list(counts)
    better[place] -= 1
    better[place + 1] += 1
    test = Sprt(-100, 100)
    if all(better) and abs(Sample(tuple(better)).mean - 0.5) < 0.05:
        assert test.llr(Sample(tuple(better))) > test.llr(Sample(tuple(counts)))


@pytest.mark.parametrize("size", [1, 10, 1_000_000])
@pytest.mark.parametrize("place", range(5))
def test_results_that_are_all_the_same_have_a_ratio(size, place):
    counts = [0] * 5
    counts[place] = size
    llr = Sprt(-5, 5).llr(Sample(tuple(counts)))
    assert math.isfinite(llr)
    assert np.sign(round(llr, 6)) == np.sign(place - 2)


def test_verdicts():
    test = Sprt(0, 20)
    assert test.progress(Sample((0, 0, 0, 0, 0))).verdict == "continue"
    assert test.progress(Sample((10, 20, 40, 20, 10))).verdict == "continue"
    assert test.progress(Sample((100, 200, 400, 200, 100))).verdict == "H0"
    assert test.progress(Sample((50, 200, 400, 250, 100))).verdict == "H1"


def test_many_tests_at_once_equal_single_tests():
    counts = np.random.default_rng(3).integers(0, 40, size=(50, 5))
    test = Sprt(0, 30)
    single = [test.llr(Sample(tuple(row))) for row in counts.tolist()]
    assert test.llrs(counts.astype(float)) == pytest.approx(single, abs=1e-9)


def within(errors: int, runs: int, nominal: float, deviations: float) -> bool:
    """Whether errors are no more than the nominal rate and the luck of so many runs allow."""
    return errors <= runs * nominal + deviations * math.sqrt(runs * nominal * (1 - nominal))


@pytest.mark.parametrize("shape", [CHESS, pytest.param(GAMES, marks=pytest.mark.long)])
def test_error_rates_are_at_most_alpha_and_beta(shape):
    """Four deviations: a sound test fails in one of 30 000 seeds, and this one is fixed."""
    test, runs = Sprt(0, 60, alpha=0.05, beta=0.1), 500
    null = simulate(test, shift(shape, 0), seed=1, runs=runs)
    other = simulate(test, shift(shape, 60), seed=2, runs=runs)
    assert null.unfinished == other.unfinished == 0
    assert null.accepted_h1 > 0
    assert within(null.accepted_h1, runs, test.alpha, 4)
    assert other.accepted_h0 > 0
    assert within(other.accepted_h0, runs, test.beta, 4)


@pytest.mark.long
@pytest.mark.parametrize("shape", [CHESS, (0.01, 0.06, 0.86, 0.06, 0.01), (0.25, 0, 0.5, 0, 0.25)])
@pytest.mark.parametrize("elo1", [20, 50])
def test_error_rates_of_many_tests(shape, elo1):
    test, runs = Sprt(0, elo1), 2000
    null = simulate(test, shift(shape, 0), seed=3, runs=runs)
    other = simulate(test, shift(shape, elo1), seed=4, runs=runs)
    assert within(null.accepted_h1, runs, test.alpha, 3)
    assert within(other.accepted_h0, runs, test.beta, 3)


def test_a_simulation_is_repeatable_and_can_be_cut_off():
    test, shape = Sprt(0, 60), shift(CHESS, 30)
    assert simulate(test, shape, seed=5, runs=20) == simulate(test, shape, seed=5, runs=20)
    cut = simulate(test, shape, seed=5, runs=20, max_results=3)
    assert cut.unfinished == 20
    assert cut.mean_length == 3


@pytest.mark.parametrize(
    "arguments",
    [(5, 5), (5, 0), (0, 2000), (math.nan, 5), (0, 5, 0), (0, 5, 0.05, 1), (0, 5, 0.5, 0.5)],
)
def test_hypotheses_and_error_rates_out_of_range_are_refused(arguments):
    with pytest.raises(PlyforgeError, match="must be"):
        Sprt(*arguments)
