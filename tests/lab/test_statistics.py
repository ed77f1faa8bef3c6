"""Intervals and tests: as slow code finds them, and right as often as they say."""

import math

import numpy as np
import pytest

from plyforge.lab import statistics, student
from plyforge.lab.statistics import Estimate


@pytest.fixture
def random():
    return np.random.default_rng(5)


def slow_jackknife(rows, log):
    """The standard error by leaving out each row in turn."""

    def of(some):
        value = sum(top for top, _ in some) / sum(bottom for _, bottom in some)
        return math.log(value) if log else value

    without = [of(rows[:i] + rows[i + 1 :]) for i in range(len(rows))]
    middle = sum(without) / len(rows)
    return math.sqrt((len(rows) - 1) / len(rows) * sum((x - middle) ** 2 for x in without))


@pytest.mark.parametrize("count", [2, 5, 20, 60])
def test_the_interval_of_a_ratio_is_that_of_the_jackknife(count, random):
    bottom = random.lognormal(3, 1, count)
    top = bottom * random.uniform(0.5, 0.9, count)
    found = statistics.ratio(top.tolist(), bottom.tolist())
    reach = slow_jackknife(list(zip(top, bottom, strict=True)), log=True)
    reach *= student.quantile(0.975, count - 1)
    assert found.value == pytest.approx(top.sum() / bottom.sum())
    assert found.low == pytest.approx(found.value * math.exp(-reach))
    assert found.high == pytest.approx(found.value * math.exp(reach))
    assert (found.count, found.games) == (count, count)


def test_the_interval_of_a_mean_of_any_sign_is_the_usual_one(random):
    values = random.normal(0, 3, 30)
    values[0] = -20.0
    found = statistics.mean(values.tolist())
    reach = student.quantile(0.975, 29) * values.std(ddof=1) / math.sqrt(30)
    assert (found.low, found.high) == pytest.approx((found.value - reach, found.value + reach))


def test_the_interval_by_games_is_the_jackknife_of_games(random):
    games = [random.lognormal(3, 1, size).tolist() for size in random.integers(1, 9, 30)]
    together = [number for number, game in enumerate(games) for _ in game]
    found = statistics.mean([value for game in games for value in game], together)
    error = slow_jackknife([(sum(game), float(len(game))) for game in games], log=True)
    assert found.error == pytest.approx(error)
    assert found.games == 30
    assert found.count == sum(map(len, games))


@pytest.mark.parametrize("games", [5, 10, 25])
def test_the_interval_contains_the_truth_about_as_often_as_stated(games):
    """Skewed sizes, games that differ, few games: 95 % in theory."""
    chance, held, trials = np.random.default_rng(11), 0, 400
    together = np.repeat(np.arange(games), 20).tolist()
    for _ in range(trials):
        sizes = np.exp(chance.normal(0, 0.6, (games, 1)) + chance.normal(0, 0.8, (games, 20)))
        spread = chance.normal(0, 0.2, (games, 1)) + chance.normal(0, 0.4, (games, 20))
        counts = sizes * 0.6 * np.exp(spread - (0.2**2 + 0.4**2) / 2)
        found = statistics.ratio(counts.ravel().tolist(), sizes.ravel().tolist(), together)
        held += found.contains(0.6)
    assert 0.90 <= held / trials <= 0.98


def test_a_test_rejects_the_truth_about_as_often_as_stated():
    chance, rejected, trials = np.random.default_rng(3), 0, 600
    for _ in range(trials):
        found = statistics.mean(chance.normal(10, 3, 12).tolist())
        rejected += found.p_above(10.0) < 0.05
    assert 0.03 <= rejected / trials <= 0.075


def test_pairing_removes_differences_between_positions(random):
    """Positions differ a thousandfold, the ratio hardly: its interval must be narrow."""
    bottom = random.lognormal(3, 3, 40)
    found = statistics.ratio((bottom * 0.6).tolist(), bottom.tolist())
    assert found.value == pytest.approx(0.6)
    assert found.high - found.low < 1e-9
    alone = statistics.mean(bottom.tolist())
    assert alone.high - alone.low > 0.5 * alone.value


@pytest.mark.parametrize("found", [statistics.mean([7.0] * 9), statistics.ratio([14] * 3, [2] * 3)])
def test_constant_figures_have_an_interval_of_one_point(found):
    assert (found.value, found.low, found.high) == (7.0, 7.0, 7.0)
    assert (found.p_below(8.0), found.p_below(7.0), found.p_above(6.0)) == (0.0, 1.0, 0.0)


@pytest.mark.parametrize(
    "found", [statistics.mean([7.0]), statistics.mean([6.0, 8.0], [0, 0]), statistics.share([True])]
)
def test_one_game_has_no_interval_and_proves_nothing(found):
    assert not found.has_interval
    assert not found.contains(found.value)
    assert found.p_above(-100.0) == found.p_below(100.0) == 1.0


def test_a_baseline_that_is_zero_without_one_game_has_no_interval():
    found = statistics.ratio([1.0, 2.0, 3.0], [0.0, 0.0, 2.0])
    assert found.value == 3.0
    assert not found.has_interval


@pytest.mark.parametrize("unit", [1.0, 100.0, -100.0])
@pytest.mark.parametrize("value", [0.45, 0.6, 0.8])
def test_p_values_agree_with_the_interval_and_survive_rescaling(unit, value, random):
    bottom = random.lognormal(3, 1, 20)
    top = bottom * random.uniform(0.3, 0.9, 20)
    plain = statistics.ratio(top.tolist(), bottom.tolist())
    found = plain.rescale(unit, 7.0)
    for end in (plain.low, plain.high):
        p = min(found.p_below(unit * end + 7.0), found.p_above(unit * end + 7.0))
        assert p == pytest.approx(0.025, rel=1e-6)
    below = found.p_below if unit > 0 else found.p_above
    assert below(unit * value + 7.0) == pytest.approx(plain.p_below(value))
    assert found.p_below(1.0) + found.p_above(1.0) == pytest.approx(1.0)


def test_an_estimate_can_be_rescaled_to_a_saving():
    saved = Estimate(0.6, 0.5, 0.8, 9).rescale(-100, 100)
    assert (saved.value, saved.low, saved.high) == pytest.approx((40.0, 20.0, 50.0))
    assert saved.count == 9


def test_copies_from_one_game_count_once(random):
    values = random.lognormal(3, 1, 40).tolist()
    copies = [value for value in values for _ in range(9)]
    games = [number // 9 for number in range(len(copies))]
    once, single = statistics.mean(values), statistics.mean(copies)
    whole = statistics.mean(copies, games)
    assert (whole.value, whole.low, whole.high) == pytest.approx((once.value, once.low, once.high))
    assert (whole.count, whole.games) == (360, 40)
    assert 2 < (whole.high - whole.low) / (single.high - single.low) < 4


def test_a_share_stays_between_0_and_1():
    found = statistics.share([True] * 9 + [False])
    assert (found.value, found.high) == (0.9, 1.0)
    assert 0.5 < found.low < 0.9


def test_a_share_of_all_has_the_interval_of_a_binomial_distribution():
    found = statistics.share([True] * 20)
    # With so many games, all would agree with a probability of 2.5 % at the lower end.
    assert found.low**20 == pytest.approx(0.025)
    assert found.high == 1.0
    assert found.p_above(0.9) == pytest.approx(0.9**20)
    assert found.p_below(0.9) == 1.0
    none = statistics.share([False] * 20).rescale(100)
    assert none.high == pytest.approx(100 * (1 - 0.025 ** (1 / 20)))
    assert none.p_below(10.0) == pytest.approx(0.9**20)


def test_the_interval_of_a_difference_may_contain_zero_if_no_value_does():
    values = [0.1, 5.0, 0.2, 0.1]
    found = statistics.difference(values)
    assert statistics.mean(values).low > 0
    assert found.low < 0 < found.value < found.high
    assert found.error == pytest.approx(slow_jackknife([(x, 1.0) for x in values], log=False))
    assert found.p_above(0) > 0.05
