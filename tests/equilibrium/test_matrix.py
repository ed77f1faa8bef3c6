"""Matrix games: closed forms, and comparison with what equilibria are by definition."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyforge.core.errors import PlyforgeError
from plyforge.equilibrium import (
    MatrixGame,
    best_replies,
    eliminate,
    find_equilibria,
    solve_zero_sum,
)

FREE = settings(deadline=None, derandomize=True, max_examples=40)


def matrices(max_size=4, low=-6, high=6):
    sizes = st.tuples(st.integers(1, max_size), st.integers(1, max_size))
    return sizes.flatmap(
        lambda size: st.lists(
            st.lists(st.integers(low, high), min_size=size[1], max_size=size[1]),
            min_size=size[0],
            max_size=size[0],
        )
    )


@pytest.mark.parametrize(
    ("payoffs", "value", "row", "column"),
    [
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, [1 / 3] * 3, [1 / 3] * 3),
        ([[1, -1], [-1, 1]], 0, [1 / 2] * 2, [1 / 2] * 2),
        ([[3, -1], [-2, 4]], 1, [3 / 5, 2 / 5], [1 / 2, 1 / 2]),
        ([[0, -1, 2], [1, 0, -3], [-2, 3, 0]], 0, [1 / 2, 1 / 3, 1 / 6], [1 / 2, 1 / 3, 1 / 6]),
        ([[5]], 5, [1], [1]),
        ([[2, 7, 1]], 1, [1], [0, 0, 1]),
        ([[1e-9, -1e-9], [-1e-9, 1e-9]], 0, [1 / 2] * 2, [1 / 2] * 2),
        ([[1e9, -1e9], [-1e9, 1e9]], 0, [1 / 2] * 2, [1 / 2] * 2),
    ],
)
def test_a_zero_sum_game_has_its_known_value_and_mixes(payoffs, value, row, column):
    solution = solve_zero_sum(MatrixGame.zero_sum(payoffs))
    assert solution.value == pytest.approx(value, abs=1e-9 * np.abs(payoffs).max())
    assert solution.row.tolist() == pytest.approx(row, abs=1e-9)
    assert solution.column.tolist() == pytest.approx(column, abs=1e-9)


def test_rock_paper_scissors_lizard_spock_is_mixed_equally():
    beats = {0: (2, 3), 1: (0, 4), 2: (1, 3), 3: (4, 1), 4: (2, 0)}
    payoffs = [
        [1 if j in beats[i] else -1 if i in beats[j] else 0 for j in range(5)] for i in range(5)
    ]
    assert solve_zero_sum(MatrixGame.zero_sum(payoffs)).row.tolist() == pytest.approx([0.2] * 5)


@FREE
@given(matrices())
def test_no_reply_gains_against_optimal_mixes(payoffs):
    game = MatrixGame.zero_sum(payoffs)
    solution = solve_zero_sum(game)
    assert (solution.row @ game.row).min() == pytest.approx(solution.value, abs=1e-9)
    assert (game.row @ solution.column).max() == pytest.approx(solution.value, abs=1e-9)


@FREE
@given(matrices(), st.randoms(use_true_random=False))
def test_all_equilibria_found_are_equilibria_and_include_the_pure_ones(payoffs, numbers):
    other = [[numbers.randint(-6, 6) for _ in row] for row in payoffs]
    game = MatrixGame.bimatrix(payoffs, other)
    found = find_equilibria(game)
    assert found.extreme
    for one in found.extreme:
        assert min(one.row.min(), one.column.min()) >= 0.0
        assert (one.row.sum(), one.column.sum()) == pytest.approx((1.0, 1.0))
        assert (game.row @ one.column).max() == pytest.approx(one.payoffs[0], abs=1e-9)
        assert (one.row @ game.column).max() == pytest.approx(one.payoffs[1], abs=1e-9)
    pure = [(int(e.row.argmax()), int(e.column.argmax())) for e in found.extreme if e.is_pure]
    assert sorted(pure) == sorted(game.pure_equilibria()) == sorted(_pure_by_definition(game))
    if not found.degenerate:
        assert len(found.extreme) % 2 == 1


def _pure_by_definition(game):
    rows, columns = game.row.shape
    return [
        (i, j)
        for i, j in product(range(rows), range(columns))
        if all(game.row[k, j] <= game.row[i, j] for k in range(rows))
        and all(game.column[i, k] <= game.column[i, j] for k in range(columns))
    ]


@FREE
@given(matrices(max_size=3))
def test_every_equilibrium_of_a_zero_sum_game_has_its_value(payoffs):
    game = MatrixGame.zero_sum(payoffs)
    value = solve_zero_sum(game).value
    for one in find_equilibria(game).extreme:
        assert one.payoffs == pytest.approx((value, -value), abs=1e-9)


def test_the_prisoners_defect():
    game = MatrixGame.bimatrix([[-1, -3], [0, -2]], [[-1, 0], [-3, -2]])
    (one,) = find_equilibria(game).extreme
    assert (one.row.tolist(), one.column.tolist(), one.payoffs) == ([0, 1], [0, 1], (-2, -2))
    assert eliminate(game).rows == eliminate(game).columns == (1,)


@pytest.mark.parametrize(
    ("row", "column", "mixed", "payoff"),
    [
        ([[0, -1], [1, -10]], [[0, 1], [-1, -10]], ([0.9, 0.1], [0.9, 0.1]), -0.1),
        ([[2, 0], [0, 1]], [[1, 0], [0, 2]], ([2 / 3, 1 / 3], [1 / 3, 2 / 3]), 2 / 3),
    ],
    ids=["chicken", "battle of the sexes"],
)
def test_two_pure_equilibria_and_a_mixed_one(row, column, mixed, payoff):
    found = find_equilibria(MatrixGame.bimatrix(row, column))
    assert [one.is_pure for one in found.extreme] == [True, True, False]
    assert not found.degenerate
    last = found.extreme[2]
    assert last.row.tolist() == pytest.approx(mixed[0])
    assert last.column.tolist() == pytest.approx(mixed[1])
    assert last.payoffs == pytest.approx((payoff, payoff))


def test_a_degenerate_game_is_said_to_be_one_and_has_all_corners():
    # Against left both rows are equally good; the row player may mix as long as left is best.
    game = MatrixGame.bimatrix([[1, 0], [1, 2]], [[1, 0], [0, 3]])
    found = find_equilibria(game)
    assert found.degenerate
    corners = {(tuple(np.round(e.row, 6)), tuple(np.round(e.column, 6))) for e in found.extreme}
    assert corners == {
        ((1.0, 0.0), (1.0, 0.0)),
        ((0.75, 0.25), (1.0, 0.0)),
        ((0.0, 1.0), (0.0, 1.0)),
    }
    assert len({one.component for one in found.extreme}) == 2


def test_a_game_of_equal_payoffs_has_every_cell_as_a_corner():
    found = find_equilibria(MatrixGame.zero_sum([[2, 2], [2, 2]]))
    assert found.degenerate
    assert len(found.extreme) == 4
    assert {one.component for one in found.extreme} == {1}


@pytest.mark.parametrize("seed", range(15))
def test_support_enumeration_finds_what_nashpy_finds(seed):
    nashpy = pytest.importorskip("nashpy", reason="nashpy is not installed")
    numbers = np.random.default_rng(seed)
    size = (int(numbers.integers(2, 5)), int(numbers.integers(2, 5)))
    row, column = numbers.random(size), numbers.random(size)
    ours = sorted(
        (*np.round(e.row, 7), *np.round(e.column, 7))
        for e in find_equilibria(MatrixGame.bimatrix(row, column)).extreme
    )
    theirs = sorted(
        (*np.round(x, 7), *np.round(y, 7))
        for x, y in nashpy.Game(row, column).support_enumeration()
    )
    assert np.array(ours) == pytest.approx(np.array(theirs), abs=1e-6)


def test_domination_by_a_mix_is_found_and_iterated():
    # Row 3 loses to half of row 1 and half of row 2; without it column 2 is dominated.
    game = MatrixGame.bimatrix(
        [[4, 0], [0, 4], [1, 1]], [[3, 1], [3, 1], [0, 9]]
    )  # fmt: skip
    found = eliminate(game)
    first = found.steps[0]
    assert (first.player, first.strategy, first.strict) == (0, 2, True)
    assert [k for k, _ in first.by] == [0, 1]
    assert sum(share for _, share in first.by) == pytest.approx(1.0)
    assert (found.rows, found.columns) == ((0,), (0,))


@settings(FREE, max_examples=20)
@given(matrices(max_size=3, low=-3, high=3), st.randoms(use_true_random=False))
def test_eliminating_strictly_dominated_strategies_keeps_all_equilibria(payoffs, numbers):
    other = [[numbers.randint(-3, 3) for _ in row] for row in payoffs]
    game = MatrixGame.bimatrix(payoffs, other)
    left = eliminate(game)
    for step in left.steps:
        values = game.row if step.player == 0 else game.column.T
        by = sum(share * values[k] for k, share in step.by)
        assert by.shape == values[step.strategy].shape
    for one in find_equilibria(game).extreme:
        assert set(np.flatnonzero(one.row)) <= set(left.rows)
        assert set(np.flatnonzero(one.column)) <= set(left.columns)
    small = game.restrict(left.rows, left.columns)
    assert len(find_equilibria(small).extreme) == len(find_equilibria(game).extreme)


def test_weak_domination_is_used_only_if_wanted():
    game = MatrixGame.zero_sum([[1, 2], [1, 1]])
    assert eliminate(game).rows == (0, 1)
    weak = eliminate(game, weak=True)
    assert weak.rows == (0,)
    assert not weak.steps[-1].strict or not weak.steps[0].strict


def test_best_replies_to_a_mix():
    game = MatrixGame.zero_sum([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])
    assert best_replies(game, 0, [1, 0, 0]) == ([1], 1.0)
    replies, value = best_replies(game, 1, [1 / 3] * 3)
    assert (replies, value) == ([0, 1, 2], pytest.approx(0.0))


@pytest.mark.parametrize(
    ("mix", "message"),
    [
        ([0.5, 0.6], "add up to 1.1, not to 1"),
        ([-0.5, 1.5], "the probability of '1' is -0.5"),
        ([float("nan"), 1.0], "the probability of '1' is nan"),
        ([1.0], "has 2 strategies"),
    ],
)
def test_a_wrong_mix_is_refused(mix, message):
    with pytest.raises(PlyforgeError, match=message):
        MatrixGame.zero_sum([[1, 2], [3, 4]]).mix(0, mix)


@pytest.mark.parametrize(
    ("payoffs", "message"),
    [
        ([], "are empty"),
        ([[]], "are empty"),
        ([[1, 2], [3]], "row 2 of the payoffs has 1 numbers, row 1 has 2"),
        ([[1, float("nan")]], "row 1, column 2 is nan"),
        ([[1, float("inf")]], "row 1, column 2 is inf"),
        ([[1, "x"]], "not numbers"),
    ],
)
def test_wrong_payoffs_are_refused(payoffs, message):
    with pytest.raises(PlyforgeError, match=message):
        MatrixGame.zero_sum(payoffs)


def test_different_sizes_equal_names_and_huge_games_are_refused():
    with pytest.raises(PlyforgeError, match="both need the same size"):
        MatrixGame.bimatrix([[1]], [[1, 2]])
    with pytest.raises(PlyforgeError, match="two rows are called 'a'"):
        MatrixGame.zero_sum([[1], [2]], ["a", "a"])
    with pytest.raises(PlyforgeError, match="pairs of supports"):
        find_equilibria(MatrixGame.bimatrix(np.eye(20), np.eye(20)))
    with pytest.raises(PlyforgeError, match="not zero-sum"):
        solve_zero_sum(MatrixGame.bimatrix([[1]], [[1]]))
