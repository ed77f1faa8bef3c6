"""Intervals: as a slow bootstrap finds them, and wide enough to hold the truth."""

import numpy as np
import pytest

from plyforge.lab import statistics
from plyforge.lab.statistics import Estimate
from tests.reference import bootstrap

RANDOM = np.random.default_rng(5)
SIZES = [5, 20, 60]


@pytest.mark.parametrize("count", SIZES)
def test_the_interval_of_a_mean_equals_the_reference(count):
    values = RANDOM.lognormal(3, 1, count).tolist()
    found = statistics.mean(values)
    low, high = bootstrap.interval([(v,) for v in values], bootstrap.mean, 4000, 1)
    assert found.value == pytest.approx(sum(values) / count)
    width = high - low
    assert found.low == pytest.approx(low, abs=0.12 * width)
    assert found.high == pytest.approx(high, abs=0.12 * width)
    assert found.count == count


@pytest.mark.parametrize("count", SIZES)
def test_the_interval_of_a_ratio_equals_the_reference(count):
    bottom = RANDOM.lognormal(3, 1, count)
    top = bottom * RANDOM.uniform(0.5, 0.9, count)
    found = statistics.ratio(top.tolist(), bottom.tolist())
    rows = list(zip(top, bottom, strict=True))
    low, high = bootstrap.interval(rows, bootstrap.ratio, 4000, 1)
    assert found.value == pytest.approx(bootstrap.ratio(rows))
    width = high - low
    assert found.low == pytest.approx(low, abs=0.12 * width)
    assert found.high == pytest.approx(high, abs=0.12 * width)


def test_pairing_removes_differences_between_positions():
    """Positions differ a thousandfold, the ratio hardly: its interval must be narrow."""
    bottom = RANDOM.lognormal(3, 3, 40)
    found = statistics.ratio((bottom * 0.6).tolist(), bottom.tolist())
    assert found.value == pytest.approx(0.6)
    assert found.high - found.low < 1e-9
    alone = statistics.mean(bottom.tolist())
    assert alone.high - alone.low > 0.5 * alone.value


def test_the_same_figures_give_the_same_interval():
    values = RANDOM.normal(10, 3, 30).tolist()
    assert statistics.mean(values) == statistics.mean(values)


@pytest.mark.parametrize(("of", "truth"), [("mean", 10.0), ("ratio", 0.5)])
def test_the_interval_contains_the_truth_about_as_often_as_stated(of, truth):
    """95 % in theory; a percentile bootstrap of 30 positions does a little worse."""
    chance, held, trials = np.random.default_rng(11), 0, 300
    for _ in range(trials):
        bottom = chance.normal(20, 4, 30)
        top = chance.normal(10, 3, 30)
        found = (
            statistics.mean(top.tolist())
            if of == "mean"
            else statistics.ratio(top.tolist(), bottom.tolist())
        )
        held += found.low <= truth <= found.high
    assert 0.90 <= held / trials <= 0.98


@pytest.mark.parametrize(
    "found", [statistics.mean([7.0]), statistics.ratio([14.0], [2.0]), statistics.mean([7.0] * 9)]
)
def test_constant_figures_have_an_interval_of_one_point(found):
    assert (found.value, found.low, found.high) == (7.0, 7.0, 7.0)


def test_a_baseline_that_is_sometimes_zero_keeps_an_interval():
    found = statistics.ratio([1.0, 2.0, 3.0], [0.0, 0.0, 2.0])
    assert found.value == 3.0
    assert np.isfinite([found.low, found.high]).all()


def test_an_estimate_can_be_rescaled_to_a_saving():
    saved = Estimate(0.6, 0.5, 0.8, 9).rescale(-100, 100)
    assert (saved.value, saved.low, saved.high) == pytest.approx((40.0, 20.0, 50.0))
    assert saved.count == 9


def test_copies_resampled_together_count_once():
    """Nine copies of every figure: one by one they make the interval a third as wide."""
    values = RANDOM.lognormal(3, 1, 40).tolist()
    copies = [value for value in values for _ in range(9)]
    games = [number // 9 for number in range(len(copies))]
    once, single = statistics.mean(values), statistics.mean(copies)
    whole = statistics.mean(copies, games)
    assert (whole.value, whole.low, whole.high) == pytest.approx((once.value, once.low, once.high))
    assert whole.count == 360
    assert 2 < (whole.high - whole.low) / (single.high - single.low) < 4


def test_games_that_differ_widen_the_interval_of_a_ratio_and_not_its_value():
    bottom = RANDOM.lognormal(3, 1, 200)
    top = bottom * np.repeat(RANDOM.uniform(0.2, 0.9, 10), 20)
    games = np.repeat(np.arange(10), 20).tolist()
    single = statistics.ratio(top.tolist(), bottom.tolist())
    whole = statistics.ratio(top.tolist(), bottom.tolist(), games)
    assert whole.value == single.value
    assert whole.high - whole.low > 2 * (single.high - single.low)


def test_the_interval_by_games_equals_the_reference():
    """A bootstrap that draws games, and takes the mean of all their positions."""
    games = [RANDOM.lognormal(3, 1, size).tolist() for size in RANDOM.integers(1, 9, 30)]
    together = [number for number, game in enumerate(games) for _ in game]
    found = statistics.mean([value for game in games for value in game], together)
    rows = [(sum(game), float(len(game))) for game in games]
    low, high = bootstrap.interval(rows, bootstrap.ratio, 4000, 1)
    width = high - low
    assert found.low == pytest.approx(low, abs=0.12 * width)
    assert found.high == pytest.approx(high, abs=0.12 * width)


def test_positions_of_a_single_game_are_resampled_one_by_one():
    values = RANDOM.normal(10, 3, 30).tolist()
    assert statistics.mean(values, [0] * 30) == statistics.mean(values)
