"""Fits: lines through pairs of values, probabilities of categories, and games that are repeated."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.jobs.local import local_executor
from plyforge.learn import probcut, realization
from plyforge.learn.fitting import METHODS, SampleStore, collect, make_fit
from plyforge.learn.selfplay import SelfPlay
from plyforge.search.predictions import fitted_numbers
from plyforge.search.steps.realization import CATEGORIES, category_of
from plyforge.search.steps.realization import fitted_numbers as costs

PLAN = SelfPlay("connect4:4x4", "", depth=4, seed=3, opening=2)
numbers = st.floats(-100, 100, allow_nan=False).map(lambda value: round(value, 3))


@given(st.lists(st.tuples(numbers, numbers), min_size=4, max_size=30, unique_by=lambda p: p[0]))
def test_the_line_is_that_of_numpy(pairs) -> None:
    shallow, deep = (np.array(column) for column in zip(*pairs, strict=True))
    line = probcut.fit_line(shallow, deep)
    slope, shift = np.polyfit(shallow, deep, 1)
    assert line.a == pytest.approx(slope, abs=1e-6, rel=1e-6)
    assert line.b == pytest.approx(shift, abs=1e-4, rel=1e-6)
    rest = deep - slope * shallow - shift
    assert line.sigma**2 * (len(deep) - 2) == pytest.approx(np.sum(rest**2), abs=1e-4, rel=1e-6)


def test_a_phase_with_few_pairs_gets_the_numbers_of_all() -> None:
    generator = np.random.default_rng(1)
    values = generator.normal(0, 10, 400)
    errors = generator.normal(0, 2, 400)
    games = [
        [(0 if n < 390 else 1, [float(v), 0.0, float(0.9 * v + 3 + e)])]
        for n, (v, e) in enumerate(zip(values, errors, strict=True))
    ]
    first, second = probcut.fit_rows(games, 2, 3)
    assert (first["depth"], first["shallow"]) == (3, 1)
    assert first["a"] == pytest.approx(0.9, abs=0.05)
    assert first["b"] == pytest.approx(3, abs=0.4)
    assert first["sigma"] == pytest.approx(2, abs=0.3)
    assert (first["pairs"], second["pairs"]) == (390, 400)
    assert second["sigma"] == pytest.approx(first["sigma"], abs=0.1)


def test_values_of_finished_games_are_left_out() -> None:
    games = [[(0, [1.0, None, 2.0])]] * 40 + [[(0, [None, 1.0, None])]] * 40
    with pytest.raises(PlyforgeError, match="play more games"):
        probcut.fit_rows(games, 1, 3)


@pytest.mark.parametrize("depth", [3, 8, 20])
def test_pairs_have_shallow_depths_of_the_same_parity(depth) -> None:
    pairs = probcut.depth_pairs(depth)
    assert {deep for deep, _ in pairs} == set(range(3, depth + 1))
    assert all(0 < shallow < deep and (deep - shallow) % 2 == 0 for deep, shallow in pairs)


def test_the_kernel_finds_the_numbers_of_a_case() -> None:
    rows = [
        {"depth": 3, "shallow": 1, "phase": 1, "a": 2.0, "b": 3.0, "sigma": 4.0},
        {"depth": 5, "shallow": 3, "phase": 0, "a": 5.0, "b": 6.0, "sigma": 7.0},
        {"depth": 5, "shallow": 1, "phase": 0, "a": 8.0, "b": 9.0, "sigma": 1.0},
    ]
    found = fitted_numbers(rows)
    phases, depth, choices = map(int, found[:3])
    assert (phases, depth, choices) == (2, 5, 2)
    place = 3 + 4 * choices * (3 * phases + 1)
    assert found[place : place + 8] == [1, 2, 3, 4, 0, 0, 0, 0]
    place = 3 + 4 * choices * (5 * phases)
    assert found[place : place + 8] == [1, 8, 9, 1, 3, 5, 6, 7]
    assert len(found) == 3 + 4 * choices * phases * 6


def test_a_rare_category_costs_more_and_played_moves_cost_a_ply_on_average() -> None:
    games = [[([0, 1], 0)] * 90 + [([0, 1], 1)] * 10]
    rows = {int(row["category"]): row for row in realization.fit_rows(games)}
    assert rows[1]["plies"] > 1 > rows[0]["plies"]
    assert rows[0]["probability"] == pytest.approx(0.9, abs=0.01)
    assert (rows[1]["seen"], rows[1]["played"]) == (100, 10)
    mean = 0.9 * np.log(rows[0]["probability"]) + 0.1 * np.log(rows[1]["probability"])
    assert rows[0]["plies"] == pytest.approx(
        max(np.log(rows[0]["probability"]) / mean, realization.MIN_PLIES), abs=1 / 16
    )


def test_categories_have_numbers_of_their_own() -> None:
    every = {
        category_of(kind, a, b, c, d)
        for kind in range(8)
        for a in (False, True)
        for b in (False, True)
        for c in (False, True)
        for d in (False, True)
    }
    assert every == set(range(CATEGORIES))
    assert costs([{"category": 3, "plies": 2.5}])[2:5] == [16.0, 40.0, 16.0]


def test_the_categories_of_a_chess_position() -> None:
    game = plyforge.load("chess", "python")
    history = game.history(game.parse("4k3/8/8/3r4/4P3/8/8/4K3 w - - 0 1"))
    move = game.parse_move(history.position, "e4d5")
    possible, played = realization.categories(game, history, move)
    assert played == category_of(1, False, False, False, False)
    hangs_the_pawn = category_of(0, False, True, False, False)
    assert set(possible) == {0, played, hangs_the_pawn}


def test_samples_are_read_from_a_file_of_games(tmp_path) -> None:
    file = tmp_path / "mate.pgn"
    file.write_text('[Result "1-0"]\n\n1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n')
    (samples,) = realization.read_samples(plyforge.load("chess", "python"), file)
    assert len(samples) == 7
    mates = category_of(1, True, False, False, False)
    assert samples[-1][1] == mates


def test_games_are_the_same_in_any_order_and_are_resumed(tmp_path) -> None:
    method = METHODS["probcut"]
    with SampleStore(tmp_path / "a.db") as store:
        fit = store.open_fit("probcut", PLAN, "x")
        steps = collect(method, PLAN, 4, store, fit, local_executor(0))
        assert next(steps) == 0
        next(steps)
        steps.close()  # as if interrupted after a game
        assert len(store.samples(fit)) == 1
        assert list(collect(method, PLAN, 4, store, fit, local_executor(0))) == [1, 2, 3, 4]
        resumed = store.samples(fit)
    with SampleStore(tmp_path / "b.db") as store:
        fit = store.open_fit("probcut", PLAN, "x")
        list(collect(method, PLAN, 4, store, fit, local_executor(0)))
        assert store.samples(fit) == resumed
    assert len({str(sample) for sample in resumed.values()}) == 4


def test_the_file_says_how_it_was_made() -> None:
    game = plyforge.load("chess", "python")
    samples = [[([0, 1], 0)] * 60]
    fit = make_fit("realization", game, samples, 5, {"depth": 5, "seed": 1})
    assert fit.made["games"] == 1
    assert fit.made["positions"] == 60
    assert fit.game == "chess"
