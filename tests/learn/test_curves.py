"""Curves of runs: merged without a change of their means, and the weights that changed most."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge.learn.curves import loss_points, merge_points, most_changed, score_points
from plyforge.learn.report import rounds_table, settings_tables, weights_table
from plyforge.learn.store import Round

VALUES = st.lists(st.floats(-1e6, 1e6), max_size=60)


@given(VALUES, st.integers(1, 20))
def test_merged_points_keep_the_mean_and_the_end(values, limit):
    points = [(float(place), value) for place, value in enumerate(values)]
    merged, size = merge_points(points, limit)
    assert len(merged) <= limit
    if points:
        assert merged[-1][0] == points[-1][0]
        counts = [size] * (len(merged) - 1) + [len(points) - size * (len(merged) - 1)]
        total = sum(count * value for count, (_, value) in zip(counts, merged, strict=True))
        assert total == pytest.approx(sum(values), abs=1e-3)
    if len(points) <= limit:
        assert (merged, size) == (points, 1)


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(1, 5)), max_size=30), st.integers(1, 9))
def test_merged_tests_have_the_points_and_games_of_their_parts(tests, limit):
    rounds = [
        Round(n, 10 * n, score=won / (10 * half), score_games=10 * half)
        for n, (won, half) in enumerate(tests)
    ]
    merged, _ = score_points(rounds, limit)
    assert len(merged) <= limit
    assert sum(point.test_games for point in merged) == sum(10 * half for _, half in tests)
    won = sum(point.score * point.test_games for point in merged)
    assert won == pytest.approx(sum(won for won, _ in tests))
    for point in merged:
        low, high = point.interval
        assert 0 <= low <= point.score + 1e-12 <= high + 2e-12
        assert high <= 1 + 1e-12


def test_rounds_without_a_figure_have_no_point():
    rounds = [Round(1, 10), Round(2, 20, 0.5, None), Round(3, 30, float("nan"), 0.25)]
    assert loss_points(rounds) == [(20, 0.5)]
    assert loss_points(rounds, held_out=True) == [(30, 0.25)]
    assert score_points(rounds) == ([], 1)


@given(
    st.lists(st.lists(st.integers(-9, 9), min_size=4, max_size=4), min_size=1, max_size=5),
    st.lists(st.lists(st.integers(-9, 9), min_size=4, max_size=4), max_size=5),
    st.integers(0, 5),
)
def test_no_weight_that_is_left_out_changed_more(one, other, count):
    curves = [np.array(curve, float).reshape(-1, 4) for curve in (one, other)]
    places = most_changed(curves, count)
    assert places == sorted(set(places))
    assert len(places) == min(count, 4)

    def change(place):
        columns = [[row[place] for row in curve] for curve in (one, other) if curve]
        return max(max(column) - min(column) for column in columns)

    left_out = [change(place) for place in range(4) if place not in places]
    assert all(change(place) >= most for place in places for most in left_out)


def test_tables_of_runs():
    table = rounds_table([Round(1, 10, 0.5), Round(2, 20, 0.25, None, 0.75, 8)], "Rounds")
    assert table.headings == ("games", "loss", "against the start")
    assert table.rows == (("20", "0.25", "75.0% of 8"),)
    weights = weights_table("", ["a"], np.array([1.0]), np.array([0.5]), (10, 20))
    assert weights.headings == ("weight", "after 10 games", "after 20 games", "change")
    assert weights.rows == (("a", "1", "0.5", "-0.5"),)
    assert weights_table("", ["a"], np.ones(1), np.ones(1), (9, 9)).rows == (("a", "1"),)


def test_settings_that_differ_are_separate():
    plans = [
        ("one", {"depth": 2, "parameters": {"rate": 0.5}, "data": "", "lines": False}),
        ("two", {"depth": 2, "parameters": {"rate": 0.1}, "data": "x.csv", "lines": False}),
    ]
    different, same = settings_tables(plans)
    assert different.rows == (("rate", "0.5", "0.1"), ("data", "", "x.csv"))
    assert same.rows == (("depth", "2"), ("lines", "no"))
