"""Repetition and lack of progress: the kernel compared with minimax on whole paths."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge import Engine, Game
from plyforge.compilation.kernel import BACKENDS
from plyforge.core.randomness import Stream
from plyforge.core.scores import DRAW, LOSS, WIN
from plyforge.game.game import History
from tests.reference.path_minimax import minimax
from tests.reference.tree import Recipe
from tests.search.examples import examples, is_long_tier
from tests.search.kernel.configurations import Configuration, configurations
from tests.search.kernel.games import NOT_COMPILED, cycle_game, cyclic, load_tree

LONG = pytest.mark.long
rules_of_repetition = st.fixed_dictionaries(
    {"REPETITION": st.sampled_from(["draw", "loss", "illegal", None])},
    optional={
        "REPETITION_COUNT": st.sampled_from([2, 3]),
        "NO_PROGRESS_LIMIT": st.integers(2, 7),
    },
).filter(lambda rules: is_long_tier() or rules["REPETITION"] or "NO_PROGRESS_LIMIT" in rules)
"""Any rules.  Without any rule there is another kernel, which only the long tier compiles."""


def random_history(game: Game, seed: int, plies: int, start: Any = None) -> History:
    """Return a game in progress that is not over."""
    stream, history = Stream(seed), game.history(start)
    for _ in range(plies):
        move = stream.choice(history.legal_moves())
        history.play(move)
        if history.verdict().over:
            return random_history(game, seed, len(history.moves) - 1, start)
    return history


def leaves(history: History, depth: int) -> int:
    return history.game.perft(history.position, depth, "python")


def depth_within(history: History, depth: int, max_leaves: int = 600) -> int:
    """Return `depth`, or less if the tree has too many leaves."""
    while depth > 1 and leaves(history, depth) > max_leaves:
        depth -= 1
    return depth


@given(
    seed=st.integers(0, 10**6),
    width=st.integers(1, 4),
    clock=st.sampled_from([0, 0, 1, 3]),
    rules=rules_of_repetition,
    before=st.tuples(st.integers(0, 10**6), st.integers(0, 8)),
    depth=st.integers(1, 8),
    configuration=configurations(cycles=True),
)
@examples(120)
def test_values_depend_on_the_path_as_the_rules_say(
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
    depth = depth_within(root, depth)
    expected = minimax(root, depth)
    engine = configuration.engine(game)
    assert engine.analyse(root, depth=depth).score == expected
    assert engine.analyse(root, depth=depth).score == expected


@given(
    recipe=cyclic,
    before=st.tuples(st.integers(0, 10**6), st.integers(0, 6)),
    depth=st.integers(1, 8),
    configuration=configurations(cycles=True),
)
@examples(60)
def test_values_of_cyclic_graphs(
    recipe: Recipe, before: tuple[int, int], depth: int, configuration: Configuration
) -> None:
    root = random_history(load_tree(recipe), *before)
    depth = depth_within(root, depth)
    assert configuration.engine(root.game).analyse(root, depth=depth).score == minimax(root, depth)


@given(
    seed=st.integers(0, 10**6),
    rules=rules_of_repetition,
    plies=st.integers(1, 6),
    depth=st.integers(1, 5),
    configuration=configurations(cycles=True),
)
@examples(60)
def test_a_table_serves_games_with_different_histories(
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
    engine = configuration.engine(game)
    whole = random_history(game, seed, plies)
    path = game.history()
    for move in [*whole.moves, None]:
        plies = depth_within(path, depth)
        assert engine.analyse(path, depth=plies).score == minimax(path, plies)
        alone = game.history(path.position)
        if not alone.verdict().over:
            assert engine.analyse(alone, depth=plies).score == minimax(alone, plies)
        if move is not None:
            path.play(move)


ENDINGS = {
    "checkers": ["W:WK14:BK32", "B:WK18,K15:BK3", "W:WK29,30:BK1,5"],
    "chess": [
        "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1",
        "8/8/8/4k3/8/8/8/R3K3 w - - 96 80",
        "7k/5Q2/8/8/8/8/8/K7 w - - 97 90",
        "8/6k1/8/8/8/8/1r6/K6R b - - 98 90",
    ],
}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        pytest.param(name, text, marks=[] if name not in NOT_COMPILED and not number else LONG)
        for name, texts in ENDINGS.items()
        for number, text in enumerate(texts)
    ],
)
@given(
    seed=st.integers(0, 10**6),
    plies=st.integers(0, 6),
    depth=st.integers(1, 5),
    configuration=configurations(cycles=True),
)
@examples(5)
def test_endings_in_which_positions_repeat(
    name: str, text: str, seed: int, plies: int, depth: int, configuration: Configuration
) -> None:
    game = plyforge.load(name)
    start = game.parse(text)
    if game.history(start).verdict().over:
        return
    root = random_history(game, seed, plies, start)
    depth = depth_within(root, depth, 300)
    assert configuration.engine(game).analyse(root, depth=depth).score == minimax(root, depth)


def test_positions_before_the_root_count() -> None:
    """After the position has occurred twice, the move that repeats it is a draw."""
    game = plyforge.load("checkers")
    history = game.history(game.parse("W:WK14,K15:BK1"))
    history.play_text("14-18 1-5 18-14 5-1 14-18 1-5 18-14")
    engine = Engine(game, entries=4096)
    back = game.parse_move(history.position, "5-1")
    result = engine.analyse(history, depth=1, moves=[back])
    assert result.score == DRAW
    assert engine.analyse(history.position, depth=1, moves=[back]).score != DRAW


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_repetition_comes_before_lack_of_progress(limit: int) -> None:
    """As in `History`: the side that repeats loses, even if the same move reaches the limit."""
    for seed in (5, 18, 154, *range(4)):
        game = cycle_game(seed, 2, REPETITION="loss", NO_PROGRESS_LIMIT=limit)
        if game.history().verdict().over:
            continue
        for backend in BACKENDS:
            engine = Engine(game, off=["all"], backend=backend)
            assert engine.analyse(depth=4).score == minimax(game.history(), 4), seed


def test_bounds_hold_in_any_window_on_paths() -> None:
    for seed in range(20):
        game = cycle_game(seed, 2, REPETITION="loss", REPETITION_COUNT=2)
        root = game.history()
        if root.verdict().over:
            continue
        true = minimax(root, 5)
        engine = Engine(game, entries=300)
        for low, high in [(-3, 3), (0, 1), (-20, -10), (LOSS, LOSS + 3), (WIN - 5, math.inf)]:
            result = engine.search(root, low, high, 5)
            if result.value <= low:
                assert true <= result.value
            elif result.value >= high:
                assert true >= result.value
            else:
                assert true == result.value


@pytest.mark.parametrize("preset", ["play", "exact"])
@pytest.mark.parametrize("policy", ["fast", "safe"])
@pytest.mark.parametrize("depth_rule", ["at-least", "equal"])
@given(recipe=cyclic)
@examples(5)
def test_every_policy_finds_a_legal_move(
    preset: str, policy: str, depth_rule: str, recipe: Recipe
) -> None:
    game = load_tree(recipe)
    options = {"cycle-policy": policy, "depth-rule": depth_rule}
    engine = Engine(game, preset=preset, settings=options, entries=256)
    result = engine.analyse(depth=7)
    assert result.move in game.moves(game.initial())
    exact = policy == "safe" and depth_rule == "equal"
    assert engine.options.is_exact == exact
    if not exact:
        assert not result.proved
