"""SPSA: the published formulas, convergence on a known function, ranges and integers."""

import math
import random
from statistics import mean

import pytest

from plyforge.match.tuning.spsa import Spsa, TunedParameter, default_rate
from tests.reference.spsa import follow, gains

REAL = TunedParameter("real", 0.5, -10.0, 10.0, 0.3)
INTEGER = TunedParameter("integer", 3, 1, 12, 1.0, integer=True)
WIDE = TunedParameter("wide", 200.0, -1e9, 1e9, 40.0)


def play_pair(rng, elo):
    """Return a random result of two games of a player who is better by `elo`."""
    score = 1 / (1 + 10 ** (-elo / 400))
    return sum(1 if rng.random() < score else -1 for _ in range(2))


def tune(parameters, strength, iterations, seed, comparisons=1):
    """Tune by games whose results depend on a function of the values."""
    spsa = Spsa(parameters, iterations, default_rate(iterations * comparisons), seed, comparisons)
    rng = random.Random(seed)
    while spsa.done < iterations:
        pairs = spsa.compare()
        spsa.update([play_pair(rng, strength(one.plus) - strength(one.minus)) for one in pairs])
    return spsa


def test_values_are_those_of_the_published_formulas():
    spsa = Spsa([REAL, WIDE], 40, 0.07, seed=5)
    rng = random.Random(1)
    signs, results = [], []
    for a_c in zip(gains(REAL.step, 0.07, 40), gains(WIDE.step, 0.07, 40), strict=True):
        (one,) = spsa.compare()
        for place, (_, c) in enumerate(a_c):
            distance = one.plus[place] - spsa.values[place]
            assert distance == pytest.approx(one.signs[place] * c)
            assert spsa.values[place] - one.minus[place] == pytest.approx(distance)
        signs.append(one.signs)
        results.append(rng.choice([-2, -1, 0, 1, 2]))
        spsa.update(results[-1:])
    for place, one in enumerate((REAL, WIDE)):
        expected = follow(one.start, one.step, 0.07, [s[place] for s in signs], results)
        assert [values[place] for values in spsa.course] == pytest.approx(expected)


@pytest.mark.parametrize("seed", range(4))
def test_values_converge_on_a_noisy_quadratic(seed):
    best = (1.4, 8.0, 120.0)
    parameters = (REAL, INTEGER, WIDE)

    def strength(values):
        shares = zip(parameters, values, best, strict=True)
        return -sum(15 * ((value - at) / one.step) ** 2 for one, value, at in shares)

    spsa = tune(parameters, strength, 1000, seed)
    for one, value, at in zip(parameters, spsa.values, best, strict=True):
        assert abs(value - at) < one.step, one.name
        assert abs(value - at) < abs(one.start - at) / 2, one.name


def test_values_stay_near_the_start_where_nothing_matters():
    ends = [tune([WIDE], lambda values: 0.0, 200, seed).values[0] for seed in range(40)]
    spread = math.sqrt(mean((end - WIDE.start) ** 2 for end in ends))
    assert spread < 1.5 * WIDE.step
    assert abs(mean(ends) - WIDE.start) < 3 * spread / math.sqrt(len(ends))


def test_many_comparisons_in_one_iteration_converge_too():
    spsa = tune([REAL], lambda values: -200 * (values[0] - 1.4) ** 2, 100, 1, comparisons=8)
    assert spsa.values[0] == pytest.approx(1.4, abs=0.3)
    signs = {one.signs for one in spsa.compare()}
    assert signs == {(1,), (-1,)}


def test_the_two_points_of_an_integer_differ_and_lie_around_its_value():
    parameter = TunedParameter("integer", 5, 1, 12, 0.5, integer=True)
    plus, minus = [], []
    for seed in range(2000):
        spsa = Spsa([parameter], 1, 0.1, seed)
        spsa.course.append((5.3,))
        spsa.iterations = 2
        (one,) = spsa.compare()
        (high,), (low,) = sorted((one.plus, one.minus), reverse=True)
        assert high - low >= 1
        assert high == int(high)
        plus.append(high)
        minus.append(low)
    assert mean(plus) == pytest.approx(5.8, abs=0.05)
    assert mean(minus) == pytest.approx(4.8, abs=0.05)


def test_values_and_points_stay_in_the_range():
    parameters = [TunedParameter("a", 0.1, 0.0, 1.0, 0.5), TunedParameter("b", 2, 1, 3, 1.0, True)]
    spsa = Spsa(parameters, 50, 3.0, seed=2)
    rng = random.Random(3)
    while spsa.done < 50:
        (one,) = spsa.compare()
        for point in (one.plus, one.minus, spsa.values):
            assert 0 <= point[0] <= 1
            assert 1 <= point[1] <= 3
        spsa.update([rng.choice([-2, 2])])
    assert {0.0, 1.0} <= {values[0] for values in spsa.course}


def test_the_same_seed_gives_the_same_values():
    ends = [tune([REAL, INTEGER], lambda v: -(v[0] ** 2), 30, seed).course for seed in (7, 7, 8)]
    assert ends[0] == ends[1] != ends[2]


@pytest.mark.parametrize(
    ("parameter", "value", "rounded"),
    [
        (REAL, 0.582025, 0.582),
        (WIDE, 213.4567, 213.5),
        (INTEGER, 2.5, 3),
        (INTEGER, 2.49, 2),
        (INTEGER, 99.0, 12),
        (REAL, -11.0, -10.0),
        (TunedParameter("x", 0.3333, 0.0, 0.3333, 0.1), 0.33331, 0.333),
        (TunedParameter("x", 0.2, 0.1239, 1.0, 0.9), 0.1239, 0.124),
        (TunedParameter("x", 0.2, 0.1, 0.1239, 0.9), 0.1239, 0.1239),
    ],
)
def test_results_are_rounded_within_the_range(parameter, value, rounded):
    assert parameter.round(value) == rounded
