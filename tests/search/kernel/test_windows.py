"""In any window, the result of a search is the true value or a bound of it."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge import Engine, Game
from plyforge.core.scores import LOSS, WIN
from plyforge.search.request import SearchRequest, WindowResult, root_of
from tests.reference.tree import Recipe
from tests.search.examples import examples
from tests.search.kernel.configurations import Configuration, configurations
from tests.search.kernel.games import load_tree, random_graph, recipes

bounds = st.one_of(
    st.integers(-12, 12).map(float),
    st.floats(-60, 60, width=32),
    st.floats(-1, 1),
    st.sampled_from([-math.inf, math.inf, WIN - 3.0, WIN - 2.5, LOSS + 2.0, 8e6, -8e6, 1e300]),
)
windows = st.lists(bounds, min_size=2, max_size=2, unique=True).map(sorted)


def assert_theorem(result: WindowResult, low: float, high: float, true: float) -> None:
    """Check a result against the given window, not the float32 window around it."""
    assert result.alpha <= low < high <= result.beta
    if result.value <= low:
        assert true <= result.value
    elif result.value >= high:
        assert true >= result.value
    else:
        assert true == result.value
    if result.bound == "exact":
        assert true == result.value


def true_value(game: Game, depth: int) -> float:
    engine = Engine(game, driver="minimax", off=["cycles"], entries=256)
    return engine.analyse(depth=depth).score


@given(
    recipe=recipes,
    depth=st.integers(1, 5),
    requested=st.lists(windows, min_size=1, max_size=5),
    configuration=configurations(drivers=["alphabeta"]),
)
@examples(100)
def test_bounds_in_trees_and_graphs(
    recipe: Recipe, depth: int, requested: list[list[float]], configuration: Configuration
) -> None:
    """Several windows in turn, so that the table is full of bounds."""
    game = load_tree(recipe)
    true = true_value(game, depth)
    engine = configuration.engine(game)
    for low, high in requested:
        assert_theorem(engine.search(None, low, high, depth), low, high, true)


@given(
    seed=st.integers(0, 10**6),
    depths=st.lists(st.integers(1, 6), min_size=1, max_size=3),
    requested=st.lists(windows, min_size=1, max_size=4),
    configuration=configurations(drivers=["alphabeta"]),
)
@examples(100)
def test_bounds_where_sides_move_twice(
    seed: int, depths: list[int], requested: list[list[float]], configuration: Configuration
) -> None:
    game = random_graph(seed, 21)
    if game.verdict(game.initial()).over:
        return
    searcher = configuration.searcher(game)
    root = root_of(game.history(), game)
    true = {depth: true_value(game, depth) for depth in depths}
    for low, high in requested:
        for depth in depths:
            result = searcher.search(SearchRequest.of(root, low, high, depth))
            assert_theorem(result, low, high, true[depth])


@given(seed=st.integers(0, 10**6), depth=st.integers(1, 5))
@examples(60)
def test_bounds_are_fail_soft(seed: int, depth: int) -> None:
    """A window far from the value returns a leaf's value, not the window's end."""
    game = random_graph(seed, 21)
    if game.verdict(game.initial()).over:
        return
    engine = Engine(game, off=["all", "cycles"])
    low = engine.search(None, 300.25, 301.75, depth)
    assert low.value not in (300.25, 301.75)
    high = engine.search(None, -301.75, -300.25, depth)
    assert high.value not in (-301.75, -300.25)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_only_an_exact_result_has_a_line(depth: int) -> None:
    for seed in range(12):
        game = random_graph(seed, 21)
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
