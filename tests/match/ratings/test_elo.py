"""Elo differences, their intervals, superiority: published figures, limits, coverage."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge import PlyforgeError
from plyforge.match.ratings import (
    Sample,
    elo,
    elo_difference,
    expected_score,
    normalised_elo,
    score_interval,
    superiority,
)
from tests.reference.sprt_simulation import shift

samples = st.one_of(
    st.lists(st.integers(0, 200), min_size=5, max_size=5),
    st.lists(st.integers(0, 200), min_size=3, max_size=3),
).filter(any)

CHESS = (0.05, 0.2, 0.45, 0.25, 0.05)
DRAWN = (0.01, 0.06, 0.86, 0.06, 0.01)
DRAWLESS = (0.25, 0.0, 0.5, 0.0, 0.25)


@pytest.mark.parametrize(
    ("difference", "score"), [(0, 0.50), (100, 0.64), (200, 0.76), (400, 0.91), (-200, 0.24)]
)
def test_expected_scores_of_the_logistic_table(difference, score):
    """Elo's logistic curve, to the two digits that are commonly given."""
    assert round(expected_score(difference), 2) == score


@given(difference=st.floats(-1500, 1500))
def test_elo_and_score_are_inverse(difference):
    assert elo_difference(expected_score(difference)) == pytest.approx(difference, abs=1e-6)


def test_scores_of_0_and_1_are_infinite_differences():
    assert elo_difference(1) == math.inf
    assert elo_difference(0) == -math.inf


@pytest.mark.parametrize(
    ("counts", "difference", "margin", "normalised", "normalised_margin"),
    [
        ((96, 111, 136), 40.70, 30.43, 49.77, 36.77),
        ((34, 54, 63, 64, 75), 55.58, 27.65, 57.94, 28.28),
        ((332, 433, 498, 333, 334), -8.64, 10.33, -9.17, 10.96),
        ((7895, 8757, 5685, 568, 9999), -21.04, 2.95, -19.01, 2.65),
    ],
)
def test_figures_agree_with_fastchess(counts, difference, margin, normalised, normalised_margin):
    """From elo_test.cpp of Fastchess, whose interval is the mean ± 1.96 errors: within 1 %."""
    found, normal = elo(Sample(counts)), normalised_elo(Sample(counts))
    assert found.value == pytest.approx(difference, abs=0.006)
    assert found.margin == pytest.approx(margin, rel=0.01)
    assert normal.value == pytest.approx(normalised, abs=0.006)
    assert normal.margin == pytest.approx(normalised_margin, abs=0.006)


@given(wins=st.integers(0, 500), draws=st.integers(0, 500), losses=st.integers(0, 500))
def test_superiority_is_the_usual_formula_for_games(wins, draws, losses):
    if wins + losses:
        usual = (1 + math.erf((wins - losses) / math.sqrt(2 * (wins + losses)))) / 2
        assert superiority(Sample((losses, draws, wins))) == pytest.approx(usual)
    elif draws:
        assert superiority(Sample((losses, draws, wins))) == 0.5


@given(counts=samples)
def test_the_opponent_has_the_negative_difference(counts):
    sample = Sample(tuple(counts))
    mine, theirs = elo(sample), elo(sample.mirror())
    assert mine.value == pytest.approx(-theirs.value)
    assert mine.low == pytest.approx(-theirs.high)
    assert mine.high == pytest.approx(-theirs.low)
    assert superiority(sample) == pytest.approx(1 - superiority(sample.mirror()))
    assert normalised_elo(sample).value == pytest.approx(-normalised_elo(sample.mirror()).value)


@given(counts=samples, place=st.integers(0, 3))
def test_a_better_result_never_lowers_the_difference(counts, place):
    place = min(place, len(counts) - 2)
    if counts[place]:
        better = list(counts)
        better[place] -= 1
        better[place + 1] += 1
        assert elo(Sample(tuple(better))).value > elo(Sample(tuple(counts))).value


@given(counts=samples)
def test_the_interval_holds_the_difference_and_widens_with_confidence(counts):
    sample = Sample(tuple(counts))
    narrow, wide = elo(sample, 0.5), elo(sample, 0.99)
    assert wide.low <= narrow.low <= narrow.value <= narrow.high
    assert narrow.high <= wide.high
    assert (wide.high == math.inf) == (sample.mean == 1)
    assert (wide.low == -math.inf) == (sample.mean == 0)


def test_winning_all_games_has_a_finite_lower_limit_only():
    few, many = elo(Sample((0, 0, 0, 0, 5))), elo(Sample((0, 0, 0, 0, 50)))
    assert few.value == few.high == few.margin == math.inf
    assert 0 < few.low < many.low < math.inf


def test_equal_results_have_a_positive_margin():
    few, many = elo(Sample((0, 0, 5, 0, 0))), elo(Sample((0, 0, 500, 0, 0)))
    assert few.margin > 100
    assert many.margin < 5
    assert normalised_elo(Sample((0, 0, 5, 0, 0))).margin == math.inf


@pytest.mark.parametrize("shape", [CHESS, DRAWN, DRAWLESS])
@pytest.mark.parametrize("difference", [0, 100, 300])
@pytest.mark.parametrize("size", [5, 20, 100])
def test_intervals_cover_the_truth_as_often_as_they_say(shape, difference, size):
    """Of few pairs rather more often; the tolerance is five errors of the simulation."""
    runs = 2000
    frequencies = shift(shape, difference)
    drawn = np.random.default_rng(size).multinomial(size, frequencies, size=runs)
    true = expected_score(difference)
    intervals = [score_interval(Sample(tuple(counts))) for counts in drawn.tolist()]
    covered = sum(low <= true <= high for low, high in intervals) / runs
    assert covered > 0.95 - 5 * math.sqrt(0.95 * 0.05 / runs)
    if size == 100 and shape != DRAWN:
        assert covered < 0.95 + 5 * math.sqrt(0.95 * 0.05 / runs)


@pytest.mark.parametrize("score", [-0.1, 1.1, math.nan])
def test_a_score_outside_0_and_1_is_refused(score):
    with pytest.raises(PlyforgeError, match="between 0 and 1"):
        elo_difference(score)


@pytest.mark.parametrize("confidence", [0, 1, 95, math.nan])
def test_a_confidence_out_of_range_is_refused(confidence):
    with pytest.raises(PlyforgeError, match="between 0 and 1"):
        elo(Sample((1, 1, 1)), confidence)
