"""The policy `shared` of repetition: values and bounds compared with minimax on whole paths."""

import math
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge import Engine
from plyforge.compilation.kernel import BACKENDS, Backend
from plyforge.core.scores import LOSS, SCORE_LIMIT, WIN
from plyforge.search.hashtable import HashTable
from tests.reference.path_minimax import minimax
from tests.reference.path_solver import PathSolver
from tests.reference.tree import Recipe
from tests.search.examples import examples
from tests.search.kernel.configurations import Configuration, configurations
from tests.search.kernel.games import cycle_game, cyclic, load_tree
from tests.search.kernel.test_cycles import depth_within, random_history, rules_of_repetition
from tests.search.proof.test_cycles import random_root

LONG = pytest.mark.long
SHARED = {"cycle-policy": "shared"}
backends = pytest.mark.parametrize("backend", ["python", pytest.param("compiled", marks=LONG)])
"""The compiled kernel is one that no other test of the fast tier needs."""


def sharing(configuration: Configuration) -> Configuration:
    """Return the configuration with a table and the policy `shared`."""
    on = tuple(sorted({*configuration.on, "table"}))
    return replace(configuration, on=on, settings=configuration.settings | SHARED)


@backends
@given(
    seed=st.integers(0, 10**6),
    width=st.integers(1, 4),
    clock=st.sampled_from([0, 0, 1, 3]),
    rules=rules_of_repetition,
    before=st.tuples(st.integers(0, 10**6), st.integers(0, 8)),
    depth=st.integers(1, 8),
    configuration=configurations(cycles=True),
)
@examples(60)
def test_values_depend_on_the_path_as_the_rules_say(
    backend: Backend,
    seed: int,
    width: int,
    clock: int,
    rules: dict[str, Any],
    before: tuple[int, int],
    depth: int,
    configuration: Configuration,
) -> None:
    game = cycle_game(seed, width, clock, **rules)
    if game.history().verdict().over:
        return
    root = random_history(game, *before)
    depth = depth_within(root, depth, 600 if backend == "compiled" else 200)
    expected = minimax(root, depth)
    engine = sharing(configuration).engine(game, backend=backend)
    assert engine.analyse(root, depth=depth).score == expected
    assert engine.analyse(root, depth=depth).score == expected


@backends
@given(
    recipe=cyclic,
    before=st.tuples(st.integers(0, 10**6), st.integers(0, 6)),
    depth=st.integers(1, 8),
    configuration=configurations(cycles=True),
)
@examples(40)
def test_values_of_cyclic_graphs(
    backend: Backend,
    recipe: Recipe,
    before: tuple[int, int],
    depth: int,
    configuration: Configuration,
) -> None:
    root = random_history(load_tree(recipe), *before)
    depth = depth_within(root, depth, 600 if backend == "compiled" else 200)
    engine = sharing(configuration).engine(root.game, backend=backend)
    assert engine.analyse(root, depth=depth).score == minimax(root, depth)


@backends
@given(
    seed=st.integers(0, 10**6),
    rules=rules_of_repetition,
    plies=st.integers(1, 6),
    depth=st.integers(1, 5),
    configuration=configurations(cycles=True),
)
@examples(30)
def test_a_table_serves_games_with_different_histories(
    backend: Backend,
    seed: int,
    rules: dict[str, Any],
    plies: int,
    depth: int,
    configuration: Configuration,
) -> None:
    """One engine searches the same game repeatedly, one move further each time."""
    game = cycle_game(seed, 2, **rules)
    if game.history().verdict().over:
        return
    engine = sharing(configuration).engine(game, backend=backend)
    whole = random_history(game, seed, plies)
    path = game.history()
    for move in [*whole.moves, None]:
        plies = depth_within(path, depth, 200)
        assert engine.analyse(path, depth=plies).score == minimax(path, plies)
        alone = game.history(path.position)
        if not alone.verdict().over:
            assert engine.analyse(alone, depth=plies).score == minimax(alone, plies)
        if move is not None:
            path.play(move)


@pytest.mark.parametrize("rule", ["draw", "loss", "illegal"])
def test_bounds_hold_in_any_window_on_paths(rule: str) -> None:
    for seed in range(8):
        game = cycle_game(seed, 2, REPETITION=rule, REPETITION_COUNT=2)
        root = game.history()
        if root.verdict().over:
            continue
        true = minimax(root, 5)
        engine = Engine(game, entries=300, settings=SHARED, backend="python")
        for low, high in [(-3, 3), (0, 1), (-20, -10), (LOSS, LOSS + 3), (WIN - 5, math.inf)]:
            result = engine.search(root, low, high, 5)
            if result.value <= low:
                assert true <= result.value
            elif result.value >= high:
                assert true >= result.value
            else:
                assert true == result.value


@LONG
@pytest.mark.parametrize("rule", ["draw", "loss", "illegal"])
def test_both_backends_visit_the_same_nodes(rule: str) -> None:
    for seed in range(12):
        game = cycle_game(seed, 3, REPETITION=rule, REPETITION_COUNT=2 + seed % 2)
        if game.history().verdict().over:
            continue
        results = [
            Engine(game, entries=1000, settings=SHARED, backend=backend).analyse(depth=7)
            for backend in BACKENDS
        ]
        assert results[0].score == results[1].score
        assert results[0].nodes == results[1].nodes


def test_several_threads_store_results_by_path() -> None:
    """Another thread could change the set of an entry while it is read."""
    game = cycle_game(3, 3, REPETITION="draw", REPETITION_COUNT=2)
    for threads, policy in [(1, "shared"), (2, "safe")]:
        engine = Engine(game, entries=1000, settings=SHARED, threads=threads)
        assert engine.options.get("cycle-policy") == policy
        assert engine.options.is_exact


def test_sets_are_part_of_the_size_of_a_table() -> None:
    small = HashTable.sized(mib=1, set_words=9)
    assert small.entries == (1 << 20) // (16 + 8 * 9)
    assert len(small.reserve_sets(9)) == 9 * small.entries


def test_a_child_that_repeats_has_no_entry() -> None:
    """It ends the game on this path, whatever was found on another."""
    for seed in (10085, 10207, 10423):
        root = random_root(seed, "loss", 2)
        engine = Engine(root.game, entries=1 << 14, settings=SHARED, backend="python")
        score = engine.analyse(root, depth=20).score
        value = PathSolver(root).value
        assert score == value or (abs(score) > SCORE_LIMIT and score * value > 0)
