"""Ratings of many players: a published example, a slow twin, invariance, unbeaten players."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyforge import PlyforgeError
from plyforge.match.ratings import Sample, elo_difference, expected_score, fit
from plyforge.match.ratings.elo import POINTS_PER_NAT
from plyforge.match.ratings.wilson import quantile
from tests.reference.ratings import ratings_by_ascent

TEAMS = ["Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore"]
HOME_WINS_AND_LOSSES = """
    -   4-3 4-2 4-3 6-1 4-2 6-0
    3-3 -   4-2 4-3 6-0 6-1 4-3
    2-5 4-3 -   2-4 4-3 4-2 6-0
    3-3 5-1 2-5 -   4-3 4-2 6-1
    5-1 2-5 3-3 4-2 -   5-2 6-0
    2-5 3-3 3-4 4-3 4-2 -   2-4
    2-5 1-5 1-6 2-4 1-6 3-4 -
"""


def baseball():
    """The American League's eastern division of 1987: Agresti, Categorical Data Analysis (2002),
    p. 438; the rows are home teams."""
    for home, line in zip(TEAMS, HOME_WINS_AND_LOSSES.split("\n")[1:-1], strict=True):
        for away, cell in zip(TEAMS, line.split(), strict=True):
            if cell != "-":
                won, lost = map(int, cell.split("-"))
                yield home, away, won, won + lost


names = st.sampled_from("abcd")
results = st.lists(
    st.tuples(names, names, st.integers(0, 10), st.integers(1, 10))
    .filter(lambda row: row[0] != row[1])
    .map(lambda row: (row[0], row[1], min(row[2], row[3]) / 2, row[3])),
    min_size=1,
    max_size=8,
)


def test_baseball_of_1987():
    """Agresti's table 10.11, as tests of the R package BradleyTerry2 repeat it."""
    ratings = fit(baseball(), prior=0)
    assert ratings.ranking() == TEAMS
    lead = [ratings.difference(team, "Baltimore") for team in TEAMS[:-1]]
    abilities = [round(found.value / POINTS_PER_NAT, 2) for found in lead]
    assert abilities == [1.58, 1.44, 1.29, 1.25, 1.11, 0.68]
    errors = [round(found.margin / quantile(0.95) / POINTS_PER_NAT, 1) for found in lead]
    assert errors == [0.3] * 6


def test_baseball_of_1987_with_the_advantage_of_playing_at_home():
    ratings = fit(baseball(), prior=0, advantage=True)
    assert ratings.advantage is not None
    assert round(ratings.advantage.value / POINTS_PER_NAT, 3) == 0.302
    worth = np.exp(ratings.elo / POINTS_PER_NAT)
    shares = sorted((worth / worth.sum()).round(3))
    assert shares == [0.044, 0.088, 0.137, 0.157, 0.164, 0.190, 0.220]


@given(rows=results, prior=st.sampled_from([0.5, 1.0, 3.0]), advantage=st.booleans())
@settings(max_examples=15, deadline=None)
def test_ratings_are_those_of_plain_ascent(rows, prior, advantage):
    expected, lead = ratings_by_ascent(rows, prior, advantage)
    ratings = fit(rows, prior, advantage)
    for name, value in expected.items():
        assert ratings.rating(name).value == pytest.approx(value, abs=0.1)
    if advantage:
        assert ratings.advantage.value == pytest.approx(lead, abs=0.1)


def test_two_players_differ_by_the_elo_of_their_score():
    ratings = fit([("a", "b", 70, 100)], prior=0)
    found = ratings.difference("a", "b")
    assert found.value == pytest.approx(elo_difference(0.7))
    assert found.margin == pytest.approx(quantile(0.95) * POINTS_PER_NAT / math.sqrt(21))
    assert ratings.rating("a").value == pytest.approx(-ratings.rating("b").value)
    games = Sample((30, 0, 70))
    slope = POINTS_PER_NAT / (games.mean * (1 - games.mean))
    assert found.margin == pytest.approx(
        quantile(0.95) * slope * math.sqrt(games.variance / games.size)
    )


@given(rows=results, order=st.randoms(use_true_random=False))
@settings(deadline=None)
def test_names_order_and_splitting_do_not_matter(rows, order):
    ratings = fit(rows)
    assert ratings.elo.mean() == pytest.approx(0, abs=1e-6)
    halves = [(a, b, points / 2, games / 2) for a, b, points, games in rows for _ in range(2)]
    order.shuffle(halves)
    renamed = fit([(f"x{b}", f"x{a}", games - points, games) for a, b, points, games in halves])
    for name in ratings.players:
        one, two = ratings.rating(name), renamed.rating(f"x{name}")
        assert one.value == pytest.approx(two.value, abs=1e-5)
        assert one.margin == pytest.approx(two.margin, rel=1e-5)


@given(rows=results)
@settings(deadline=None)
def test_a_further_win_never_lowers_a_rating(rows):
    player, opponent = rows[0][:2]
    before, after = fit(rows), fit([*rows, (player, opponent, 1, 1)])
    assert after.rating(player).value > before.rating(player).value
    assert after.rating(opponent).value < before.rating(opponent).value


def test_equal_scores_with_sides_changed_show_the_advantage_only():
    rows = [("a", "b", 15, 20), ("b", "a", 15, 20)]
    ratings = fit(rows, prior=0, advantage=True)
    assert ratings.advantage.value == pytest.approx(elo_difference(0.75))
    assert ratings.rating("a").value == pytest.approx(0, abs=1e-6)


def test_the_prior_keeps_the_unbeaten_and_the_separate_finite():
    ratings = fit([("a", "b", 50, 50), ("c", "d", 5, 10)])
    assert 400 < ratings.difference("a", "b").value < 1500
    assert ratings.rating("c").value == pytest.approx(0, abs=1e-6)
    apart, met = ratings.difference("a", "c"), ratings.difference("c", "d")
    assert met.margin < apart.margin < math.inf


@pytest.mark.parametrize("prior", [1e-9, 1e-3, 1e6])
def test_any_prior_gives_ratings(prior):
    """With little to hold them, rounding moves the ratings; they are found all the same."""
    ratings = fit([("a", "b", 1000, 1000), ("c", "d", 1, 1)], prior)
    assert ratings.ranking() == ["a", "c", "d", "b"]
    assert ratings.rating("a").value == pytest.approx(-ratings.rating("b").value, abs=0.01)


def test_the_prior_hardly_shows_in_many_games():
    rows = [("a", "b", 600, 1000), ("b", "c", 600, 1000), ("c", "a", 300, 1000)]
    assert fit(rows).elo == pytest.approx(fit(rows, prior=0).elo, abs=0.2)


@pytest.mark.parametrize(
    "rows",
    [
        [("a", "b", 10, 10)],
        [("a", "b", 0, 10)],
        [("a", "b", 5, 10), ("c", "d", 5, 10)],
        [("a", "b", 5, 10), ("c", "d", 5, 10), ("a", "c", 2, 2)],
    ],
)
def test_without_a_prior_players_must_be_connected(rows):
    with pytest.raises(PlyforgeError, match=r"cannot be compared.*prior > 0"):
        fit(rows, prior=0)


@pytest.mark.parametrize(
    "rows",
    [
        [("a", "b", 5, 10)],
        [("a", "b", 5, 10), ("a", "c", 3, 7)],
        [("a", "c", 5, 10), ("b", "c", 3, 7), ("a", "d", 5, 10), ("b", "d", 2, 10)],
    ],
)
def test_without_a_prior_players_must_change_sides_to_show_an_advantage(rows):
    with pytest.raises(PlyforgeError, match="cannot be separated"):
        fit(rows, prior=0, advantage=True)
    assert math.isfinite(fit(rows, advantage=True).advantage.margin)


def test_without_a_prior_an_advantage_must_be_finite():
    always = [("a", "b", 10, 10), ("b", "a", 10, 10)]
    with pytest.raises(PlyforgeError, match="larger prior"):
        fit(always, prior=0, advantage=True)
    assert 300 < fit(always, advantage=True).advantage.value < math.inf


def test_a_long_chain_of_clear_wins_is_rated():
    """Twelve players, each of whom won 999 of 1000 games against the next."""
    rows = [(f"{i}", f"{i + 1}", 999, 1000) for i in range(11)]
    ratings = fit(rows, prior=0)
    assert ratings.difference("0", "11").value == pytest.approx(11 * elo_difference(0.999))


def test_intervals_cover_the_truth_as_often_as_they_say():
    """Five players of known strength, 40 games of each two, no draws, 300 tournaments."""
    random = np.random.default_rng(11)
    truth = np.array([-120.0, -50.0, 0.0, 60.0, 110.0])
    covered = 0
    for _ in range(300):
        rows = [
            (str(i), str(j), int(random.binomial(40, expected_score(truth[i] - truth[j]))), 40)
            for i in range(5)
            for j in range(i)
        ]
        ratings = fit(rows)
        found = [ratings.rating(str(i)) for i in range(5)]
        covered += sum(f.low <= t <= f.high for f, t in zip(found, truth, strict=True))
    assert 0.92 < covered / 1500 < 0.98


@pytest.mark.parametrize(
    "row",
    [
        ("a", "b", 3, 2),
        ("a", "b", -1, 2),
        ("a", "b", 0, 0),
        ("a", "b", math.nan, 2),
        ("a", "b", 1, math.inf),
        ("a", "b", "1", 2),
        ("a", "b", 1),
        ("a", "a", 1, 2),
    ],
)
def test_wrong_results_are_refused(row):
    with pytest.raises(PlyforgeError, match=r"a result must be|leave"):
        fit([row])


def test_other_arguments_are_checked():
    with pytest.raises(PlyforgeError, match="two or more"):
        fit([])
    with pytest.raises(PlyforgeError, match="virtual draws"):
        fit([("a", "b", 1, 2)], prior=-1)
    with pytest.raises(PlyforgeError, match="did you mean 'ann'"):
        fit([("ann", "bob", 1, 2)]).rating("anm")
