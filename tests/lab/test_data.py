"""Figures are compared over common positions."""

import pytest

from plyforge.lab.data import Data, Measurement

A, B, C = "a", "b", "c"


def measurement(case, variation, depth=1, repeat=0, **values):
    return Measurement(case, variation, depth, repeat, values)


def test_a_ratio_uses_the_positions_that_both_have():
    data = Data(
        [
            measurement(0, A, n=10),
            measurement(1, A, n=30),
            measurement(1, B, n=15),
            measurement(2, B, n=999),
        ],
        (A, B),
    )
    found = data.ratio(B, A, 1, "n")
    assert (found.value, found.count) == (0.5, 1)
    assert data.mean(A, 1, "n").value == 20
    assert data.mean(B, 1, "n").count == 2


def test_a_third_configuration_takes_no_positions_from_the_other_two():
    rows = [measurement(i, name, n=i + 1) for i in range(4) for name in (A, B)]
    data = Data([*rows, measurement(0, C, n=1)], (A, B, C))
    assert data.ratio(B, A, 1, "n").count == 4
    assert data.values(A, 1, "n") == [1]
    assert data.values(A, 1, "n", (A, B)) == [1, 2, 3, 4]
    assert data.cases(1) == [0]


def test_missing_figures_are_none():
    data = Data([measurement(0, A, n=1), measurement(0, B, depth=2, n=1)], (A, B))
    assert data.ratio(B, A, 1, "n") is None
    assert data.mean(B, 1, "n") is None
    assert data.mean(A, 9, "n") is None
    assert data.per(B, 1, "n", "n") is None
    assert data.share(B, 1, lambda row: True) is None
    assert data.max_depth((A, B)) is None
    assert data.values(B, 1, "n") == []
    empty = Data([], (A, B))
    assert (empty.depths, empty.metrics, empty.max_depth((A,))) == ([], [], None)


def test_measurements_without_a_figure_are_skipped():
    data = Data(
        [
            measurement(0, A, n=1, x=4),
            measurement(1, A, n=3),
            measurement(0, B, n=2),
            measurement(1, B, n=6),
        ],
        (A, B),
    )
    assert data.mean(A, 1, "x").count == 1
    assert data.ratio(B, A, 1, "x") is None
    assert data.mean(A, 1, "unheard of") is None
    assert data.per(A, 1, "x", "n").value == 4
    assert data.metrics == ["n", "x"]


def test_a_ratio_to_zero_is_none():
    data = Data([measurement(0, A, n=0, m=5), measurement(0, B, n=3, m=5)], (A, B))
    assert data.ratio(B, A, 1, "n") is None
    assert data.per(A, 1, "m", "n") is None
    assert data.ratio(A, B, 1, "n").value == 0


@pytest.mark.parametrize("order", [1, -1])
def test_repeats_give_the_first_count_and_the_median_time(order):
    rows = [
        measurement(0, A, repeat=0, n=5, seconds=1.0),
        measurement(0, A, repeat=1, n=6, seconds=9.0),
        measurement(0, A, repeat=2, n=7, seconds=2.0),
    ]
    data = Data(rows[::order], (A,))
    assert data.row(A, 1, 0) == {"n": 5, "seconds": 2.0}
    assert data.mean(A, 1, "n").count == 1


def test_data_does_not_change_measurements():
    rows = [measurement(0, A, repeat=r, n=5, seconds=float(r)) for r in range(3)]
    Data(rows, (A,))
    assert [row.values["seconds"] for row in rows] == [0.0, 1.0, 2.0]


def test_configurations_come_in_the_order_of_the_experiment():
    data = Data(
        [measurement(0, C, n=1), measurement(0, A, n=1), measurement(0, "gone", n=1)], (A, B, C)
    )
    assert data.variations_at(1) == [A, C]


def test_the_deepest_common_depth():
    rows = [measurement(i, A, depth=d, n=1) for d in (1, 2, 3) for i in range(3)]
    rows += [measurement(i, B, depth=d, n=1) for d in (1, 2) for i in range(3 - d)]
    data = Data(rows, (A, B))
    assert data.max_depth((A, B)) == 2
    assert data.max_depth((A, B), min_positions=2) == 1
    assert data.max_depth((A, B), min_positions=3) is None
    assert data.max_depth((A,)) == 3


def test_a_share_counts_all_positions():
    data = Data([measurement(i, A, n=i) for i in range(4)], (A,))
    assert data.share(A, 1, lambda row: row["n"] >= 1).value == 0.75


def test_positions_of_one_game_are_resampled_together():
    """All ratios within a game are equal, so ten games count as ten figures, not a hundred."""
    rows = [measurement(i, A, n=10) for i in range(100)]
    rows += [measurement(i, B, n=1 + i // 10) for i in range(100)]
    single, whole = (Data(rows, (A, B), together=size) for size in (1, 10))
    for figure in (
        lambda data: data.ratio(B, A, 1, "n"),
        lambda data: data.mean(B, 1, "n"),
        lambda data: data.share(B, 1, lambda row: row["n"] > 5),
        lambda data: data.without_forced_wins().ratio(B, A, 1, "n"),
    ):
        one, ten = figure(single), figure(whole)
        assert (one.value, one.count) == (ten.value, ten.count)
        assert ten.high - ten.low > 2 * (one.high - one.low)


def test_a_sample_and_a_part_keep_the_games():
    """Two equal positions of each of ten games count as ten figures."""
    rows = [measurement(i, A, n=i // 10) for i in range(0, 100, 5)]
    found = Data(rows, (A,), together=10).mean(A, 1, "n")
    ten = Data([measurement(i, A, n=i) for i in range(10)], (A,)).mean(A, 1, "n")
    assert (found.value, found.low, found.high) == (ten.value, ten.low, ten.high)
    assert found.count == 20
    assert Data(rows, (A,), ("even", "odd"), together=10).part("even").together == 10


def test_custom_figures_have_estimates():
    data = Data([], (A,), together=2)
    assert data.mean_of({}) is None
    assert data.ratio_of({0: (1.0, 0.0)}) is None
    assert data.mean_of({0: 1.0, 1: 3.0, 2: 5.0}).value == 3.0
    assert data.ratio_of({0: (1.0, 2.0), 3: (2.0, 4.0)}).value == 0.5
