"""The return value theorem: what a search says of the true value, in any window."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyforge import Engine, Game
from plyforge.core.scores import LOSS, WIN
from plyforge.search.searcher import WindowResult
from tests.reference.tree import Recipe
from tests.search.kernel.configurations import Configuration, configurations
from tests.search.kernel.games import grown, often, recipes, wayward

bounds = st.one_of(
    st.integers(-12, 12).map(float),
    st.floats(-60, 60, width=32),
    st.floats(-1, 1),
    st.sampled_from([-math.inf, math.inf, WIN - 3.0, WIN - 2.5, LOSS + 2.0, 8e6, -8e6, 1e300]),
)
windows = st.lists(bounds, min_size=2, max_size=2, unique=True).map(sorted)


def assert_theorem(answer: WindowResult, low: float, high: float, true: float) -> None:
    """The window that counts is the one given, not the one of float32 around it."""
    assert answer.alpha <= low < high <= answer.beta
    if answer.value <= low:
        assert true <= answer.value
    elif answer.value >= high:
        assert true >= answer.value
    else:
        assert true == answer.value
    if answer.bound == "exact":
        assert true == answer.value


def true_value(game: Game, depth: int) -> float:
    engine = Engine(game, driver="minimax", off=["cycles"], entries=256)
    return engine.analyse(depth=depth).score


@given(
    recipe=recipes,
    depth=st.integers(1, 5),
    asked=st.lists(windows, min_size=1, max_size=5),
    configuration=configurations(drivers=["alphabeta"]),
)
@settings(often, max_examples=100)
def test_bounds_in_trees_and_graphs(
    recipe: Recipe, depth: int, asked: list[list[float]], configuration: Configuration
) -> None:
    """Several windows one after the other: the table is full of bounds by then."""
    game = grown(recipe)
    true = true_value(game, depth)
    engine = configuration.engine(game)
    for low, high in asked:
        assert_theorem(engine.search(None, low, high, depth), low, high, true)


@given(
    seed=st.integers(0, 10**6),
    depths=st.lists(st.integers(1, 6), min_size=1, max_size=3),
    asked=st.lists(windows, min_size=1, max_size=4),
    configuration=configurations(drivers=["alphabeta"]),
)
@settings(often, max_examples=100)
def test_bounds_where_sides_move_twice(
    seed: int, depths: list[int], asked: list[list[float]], configuration: Configuration
) -> None:
    game = wayward(seed, 21)
    if game.verdict(game.initial()).over:
        return
    searcher = configuration.searcher(game)
    searcher.set_root(game.history())
    true = {depth: true_value(game, depth) for depth in depths}
    for low, high in asked:
        for depth in depths:
            assert_theorem(searcher.search(low, high, depth), low, high, true[depth])


@given(seed=st.integers(0, 10**6), depth=st.integers(1, 5))
@often
def test_bounds_are_soft(seed: int, depth: int) -> None:
    """A window far from the value returns a leaf's value, not the window's end."""
    game = wayward(seed, 21)
    if game.verdict(game.initial()).over:
        return
    engine = Engine(game, off=["all", "cycles"])
    low = engine.search(None, 300.25, 301.75, depth)
    assert low.value not in (300.25, 301.75)
    high = engine.search(None, -301.75, -300.25, depth)
    assert high.value not in (-301.75, -300.25)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_a_line_is_told_only_inside_the_window(depth: int) -> None:
    for seed in range(30):
        game = wayward(seed, 21)
        if game.verdict(game.initial()).over:
            continue
        engine = Engine(game, off=["all", "cycles"])
        true = engine.search(None, depth=depth)
        assert true.line
        assert true.line[0] == true.move
        missed = engine.search(None, true.value, math.inf, depth)
        assert (missed.bound, missed.line) == ("upper", ())
        beaten = engine.search(None, -math.inf, true.value, depth)
        assert (beaten.bound, beaten.line) == ("lower", ())
        assert beaten.move in game.moves(game.initial())
