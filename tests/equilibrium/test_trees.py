"""Trees with information sets: known sizes and values, and comparison with slow references."""

import numpy as np
import pytest

from plyforge.equilibrium import (
    MatrixGame,
    RegretMinimizer,
    SequenceForm,
    best_response,
    build_tree,
    exploitability,
    load,
    names,
    solve_sequence_form,
    solve_zero_sum,
)
from tests.equilibrium.profiles import as_strategy
from tests.equilibrium.random_games import random_game
from tests.reference.hidden_information import (
    TextbookCfr,
    best_value,
    count_pure_strategies,
    expected,
    information_sets,
    pure_strategies,
)

SEEDS = [
    seed
    for seed in range(60)
    if count_pure_strategies(random_game(seed), 0) * count_pure_strategies(random_game(seed), 1)
    <= 300
][:12]
"""Games with few enough pure strategies to try all pairs."""


def test_the_built_in_games_are_listed():
    assert names() == ["kuhn", "leduc", "liars-dice", "pennies", "rps"]


@pytest.mark.parametrize(
    ("name", "nodes", "ends", "sets"),
    [
        ("rps", 13, 9, 2),
        ("pennies", 7, 4, 2),
        ("kuhn", 58, 30, 12),
        ("leduc:2", 1_985, 1_128, 384),
        ("liars-dice:1,1,2", 127, 60, 32),
    ],
)
def test_a_tree_has_its_known_size(name, nodes, ends, sets):
    # A round of Leduc has 6 nodes of players, 4 folds and 5 other ends; with two ranks there are 12
    # deals, and 2 cards for the table.  A deal of liar's dice with 4 bids has 2^4 nodes of players.
    tree = build_tree(load(name))
    assert (tree.size, len(tree.ends), len(tree.sets)) == (nodes, ends, sets)


@pytest.mark.parametrize(
    ("name", "value"),
    [("rps", 0.0), ("pennies", 0.0), ("kuhn", -1 / 18), ("liars-dice:1,1,3", 1 / 9)],
)
def test_the_linear_program_finds_known_values(name, value):
    profile = solve_sequence_form(build_tree(load(name)))
    assert profile.value == pytest.approx(value, abs=1e-9)
    assert abs(profile.exploitability) < 1e-9


def test_rock_paper_scissors_and_pennies_are_mixed_equally():
    for name, share in (("rps", 1 / 3), ("pennies", 1 / 2)):
        profile = solve_sequence_form(build_tree(load(name)))
        for number in range(2):
            assert list(profile.moves(number).values()) == pytest.approx([share] * round(1 / share))


def test_kuhn_poker_has_one_of_the_known_equilibria():
    profile = solve_sequence_form(build_tree(load("kuhn")))
    shares = {
        (one.player, one.label): list(profile.moves(number).values())[1]
        for number, one in enumerate(profile.tree.sets)
    }
    alpha = shares[0, "J"]
    assert -1e-9 <= alpha <= 1 / 3 + 1e-9
    assert shares[0, "Q"] == pytest.approx(0.0, abs=1e-9)
    assert shares[0, "K"] == pytest.approx(3 * alpha, abs=1e-9)
    assert shares[0, "Qpb"] == pytest.approx(alpha + 1 / 3, abs=1e-9)
    assert shares[1, "Jp"] == pytest.approx(1 / 3)
    assert shares[1, "Qb"] == pytest.approx(1 / 3)


@pytest.mark.long
def test_leduc_has_its_known_value():
    tree = build_tree(load("leduc"))
    assert (tree.size, len(tree.sets)) == (9_457, 936)
    assert solve_sequence_form(tree).value == pytest.approx(-0.0856064, abs=1e-7)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_tree_has_the_information_sets_of_the_rules(seed):
    game = random_game(seed)
    tree = build_tree(game)
    found = {(one.player, one.label): list(one.codes) for one in tree.sets}
    assert found == information_sets(game)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_linear_program_finds_the_value_of_the_matrix_of_pure_strategies(seed):
    game = random_game(seed)
    pure = [pure_strategies(game, player) for player in (0, 1)]
    matrix = [[expected(game, {**one, **other}) for other in pure[1]] for one in pure[0]]
    profile = solve_sequence_form(build_tree(game))
    assert profile.value == pytest.approx(solve_zero_sum(MatrixGame.zero_sum(matrix)).value)
    assert abs(profile.exploitability) < 1e-9


@pytest.mark.parametrize("seed", SEEDS)
def test_best_responses_are_the_best_of_all_pure_strategies(seed):
    game = random_game(seed)
    tree = build_tree(game)
    minimizer = RegretMinimizer(tree, backend="python")
    minimizer.iterate(3)
    profile = minimizer.profile()
    strategy = as_strategy(profile)
    assert profile.value == pytest.approx(expected(game, strategy))
    gains = []
    for player in (0, 1):
        response = best_response(profile.form, player, profile.plans[1 - player])
        gains.append(response.value)
        assert response.value == pytest.approx(best_value(game, player, strategy))
    assert exploitability(profile.form, profile.plans) == pytest.approx(sum(gains) / 2)


@pytest.mark.parametrize("plus", [False, True], ids=["cfr", "cfr+"])
@pytest.mark.parametrize("game", [load("kuhn"), *map(random_game, SEEDS[:5])], ids=str)
def test_regret_minimisation_is_that_of_the_textbook(game, plus):
    slow = TextbookCfr(game, plus)
    fast = RegretMinimizer(build_tree(game), None, "cfr+" if plus else "cfr", "python")
    for _ in range(4):
        slow.iterate()
    reached = fast.iterate(1)
    reached = fast.iterate(3)
    found = as_strategy(fast.profile())
    average = slow.average()
    assert found.keys() == average.keys()
    for key, moves in average.items():
        if any(slow.sums[key].values()):
            assert found[key] == pytest.approx(moves)
    assert reached == pytest.approx(fast.profile().exploitability)


def test_compiled_regret_minimisation_is_that_of_the_python_backend():
    tree = build_tree(load("kuhn"))
    runs = [RegretMinimizer(tree, backend=backend) for backend in ("compiled", "python")]
    assert runs[0].iterate(25) == pytest.approx(runs[1].iterate(25), rel=1e-12)
    for one, other in zip(runs[0].profile().plans, runs[1].profile().plans, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-12)


@pytest.mark.parametrize("method", ["cfr", "cfr+"])
@pytest.mark.parametrize(("name", "other"), [("kuhn", "kuhn_poker")])
def test_exploitability_after_ten_iterations_is_that_of_openspiel(method, name, other):
    _compare_with_openspiel(method, name, other)


@pytest.mark.long
@pytest.mark.parametrize("method", ["cfr", "cfr+"])
@pytest.mark.parametrize(
    ("name", "other"),
    [("leduc", "leduc_poker"), ("liars-dice:1,1,3", "liars_dice(dice_sides=3)")],
)
def test_the_same_in_larger_games(method, name, other):
    _compare_with_openspiel(method, name, other)


def _compare_with_openspiel(method, name, other):
    pyspiel = pytest.importorskip("pyspiel", reason="open_spiel is not installed")
    game = pyspiel.load_game(other)
    solver = (pyspiel.CFRSolver if method == "cfr" else pyspiel.CFRPlusSolver)(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    theirs = pyspiel.nash_conv(game, solver.average_policy()) / 2
    minimizer = RegretMinimizer(build_tree(load(name)), None, method)
    assert minimizer.iterate(10) == pytest.approx(theirs, rel=1e-10)


def test_a_plan_and_its_strategy_are_converted_both_ways():
    tree = build_tree(load("kuhn"))
    form = SequenceForm.of(tree)
    numbers = np.random.default_rng(5)
    for player in form.players:
        strategy = np.ones(player.size)
        for number in range(player.sets):
            shares = numbers.random(player.starts[number + 1] - player.starts[number])
            strategy[player.starts[number] : player.starts[number + 1]] = shares / shares.sum()
        np.testing.assert_allclose(player.strategy(player.plan(strategy)), strategy)
