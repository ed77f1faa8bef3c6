"""Counts of pairs and games: their mean, their variance, and counts that cannot be."""

import math
import statistics

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge import PlyforgeError
from plyforge.match.ratings import Sample, Score

points = st.sampled_from([0.0, 0.5, 1.0])
pairs = st.lists(st.tuples(points, points), max_size=30)
counts = st.lists(st.integers(0, 50), min_size=5, max_size=5).filter(lambda c: sum(c) > 1)


@given(counts=counts)
def test_mean_and_error_agree_with_the_list_of_results(counts):
    results = [place / 4 for place, count in enumerate(counts) for _ in range(count)]
    sample = Sample(tuple(counts))
    assert sample.mean == pytest.approx(statistics.fmean(results))
    assert sample.variance == pytest.approx(statistics.pvariance(results))
    error = statistics.stdev(results) / math.sqrt(len(results))
    assert sample.standard_error == pytest.approx(error)


@given(pairs=pairs, singles=st.lists(points, max_size=10))
def test_every_list_of_games_makes_a_score_with_the_same_points(pairs, singles):
    score = Score.of(pairs, singles)
    games = [*(game for pair in pairs for game in pair), *singles]
    assert score.wins + score.draws / 2 == sum(games)
    assert score.wins + score.draws + score.losses == len(games)
    assert score.pairwise.games == 2 * len(pairs)
    if pairs:
        assert score.sample == score.pairwise
        assert score.pairwise.mean == pytest.approx(sum(map(sum, pairs)) / (2 * len(pairs)))
    else:
        assert score.sample == score.gamewise


@given(one=pairs, two=pairs)
def test_scores_can_be_added_and_mirrored(one, two):
    assert Score.of(one) + Score.of(two) == Score.of(one + two)
    assert Score.of(one).mirror() == Score.of([(1 - a, 1 - b) for a, b in one])
    assert Score.of(one).mirror().pairwise == Score.of(one).pairwise.mirror()


def test_balanced_pairs_have_a_smaller_error_than_their_games():
    """Ten openings that the first side wins: pairs show no variance, games the greatest."""
    score = Score.of([(1, 0)] * 10)
    assert score.pairwise.standard_error == 0
    assert score.gamewise.standard_error == pytest.approx(math.sqrt(0.25 / 19))


def test_pairs_won_twice_have_a_larger_error_than_their_games():
    score = Score.of([(1, 1), (0, 0)] * 10)
    assert score.pairwise.standard_error > score.gamewise.standard_error


def test_one_result_has_an_infinite_error():
    assert Sample((0, 0, 1)).standard_error == math.inf


@pytest.mark.parametrize("counts", [(1, 2), (1, 2, 3, 4), (1, -1, 1), (1, 0.5, 1), ("1", 2, 3)])
def test_wrong_counts_are_refused(counts):
    with pytest.raises(PlyforgeError, match=r"must be|give"):
        Sample(counts)


def test_without_results_there_is_no_mean():
    with pytest.raises(PlyforgeError, match="play a game"):
        _ = Sample((0, 0, 0)).mean


@pytest.mark.parametrize(
    ("games", "pairs"),
    [
        ((1, 0, 0), (0, 0, 0, 0, 1)),
        ((3, 0, 0), (0, 0, 1, 0, 0)),
        ((1, 1, 1), (0, 0, 2, 0, 0)),
        ((1, 1, 0), (0, 1, 0, 0, 0)),
        ((-1, 0, 0), (0, 0, 0, 0, 0)),
        ((1, 1, 0), (0, 0, 1)),
    ],
)
def test_pairs_that_are_not_among_the_games_are_refused(games, pairs):
    with pytest.raises(PlyforgeError):
        Score(*games, pairs)


@pytest.mark.parametrize("pair", [(1, 2), (1, 0.25), (1,), (1, None)])
def test_impossible_points_are_refused(pair):
    with pytest.raises(PlyforgeError, match=r"must be|give"):
        Score.of([pair])
