"""With every switch off, the kernel visits the same nodes as textbook alpha-beta."""

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge import Game
from plyforge.compilation.kernel import Backend
from plyforge.core.hashing import WORD
from plyforge.search.kernels.context import ONE_PLY
from plyforge.search.options import Options
from plyforge.search.request import SearchRequest, root_of
from plyforge.search.searcher import Searcher
from plyforge.search.textbook import Trace, View, alpha_beta, minimax, negascout
from tests.reference.tree import Recipe
from tests.search.examples import examples
from tests.search.kernel.games import (
    GAMES,
    depth_within,
    load_tree,
    random_graph,
    random_position,
    recipes,
)

Visit = tuple[int, int, int, float, float]
"""Key, ply, depth, alpha, beta."""

SMALL = 500


def bare_options(horizon_moves: bool, *on: str, **settings: Any) -> Options:
    off = ["all", "cycles"] if horizon_moves else ["all", "cycles", "horizon-moves"]
    return Options.preset("exact").changed(on, off, settings)


def kernel_visits(
    game: Game, position: Any, depth: int, options: Options, backend: Backend, room: int
) -> tuple[float, list[Visit]]:
    searcher = Searcher(game, options, backend=backend, log=room)
    root = root_of(game.history(position), game)
    value = searcher.search(SearchRequest.of(root, -math.inf, math.inf, depth)).value
    visits = []
    for visit in searcher.log[: searcher.context.logged]:
        assert visit.depth % ONE_PLY == 0
        key, depth_left = int(visit.key) & WORD, visit.depth // ONE_PLY
        visits.append((key, visit.ply, depth_left, visit.alpha, visit.beta))
    return value, visits


def textbook_visits(
    game: Game, position: Any, depth: int, horizon_moves: bool, search: Any = alpha_beta
) -> tuple[float, list[Visit]]:
    trace = Trace()
    view = View(game, stuck_at_horizon=horizon_moves, trace=trace)
    value = search(view, view.root(position), depth)
    visits = [(game.key(v.position), v.ply, v.depth, v.alpha, v.beta) for v in trace.visits]
    return value, visits


def assert_same(
    game: Game, position: Any, depth: int, horizon_moves: bool, *backends: Backend
) -> None:
    value, visits = textbook_visits(game, position, depth, horizon_moves)
    for backend in backends:
        room = len(visits) + 1
        found = kernel_visits(game, position, depth, bare_options(horizon_moves), backend, room)
        assert found == (value, visits), backend


@given(recipe=recipes, depth=st.integers(1, 7), horizon_moves=st.booleans())
@examples(60)
def test_the_same_visits_in_trees_and_graphs(
    recipe: Recipe, depth: int, horizon_moves: bool
) -> None:
    game = load_tree(recipe)
    depth = min(depth, depth_within(game, game.initial(), SMALL, 7))
    assert_same(game, game.initial(), depth, horizon_moves, "compiled", "python")


@given(
    seed=st.integers(0, 10**6),
    spread=st.sampled_from([1, 3, 1001]),
    depth=st.integers(1, 6),
    horizon_moves=st.booleans(),
)
@examples(60)
def test_the_same_visits_where_sides_move_twice(
    seed: int, spread: int, depth: int, horizon_moves: bool
) -> None:
    game = random_graph(seed, spread)
    if not game.verdict(game.initial()).over:
        assert_same(game, game.initial(), depth, horizon_moves, "compiled", "python")


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 80), horizon_moves=st.booleans())
@examples(5)
def test_the_same_visits_in_every_game(
    name: str, seed: int, plies: int, horizon_moves: bool
) -> None:
    game = plyforge.load(name)
    position = random_position(game, seed, plies)
    depth = depth_within(game, position, SMALL)
    assert_same(game, position, depth, horizon_moves, "compiled")
    if depth > 1:
        assert_same(game, position, depth - 1, horizon_moves, "python")


@given(
    seed=st.integers(0, 10**6),
    depth=st.integers(1, 5),
    horizon_moves=st.booleans(),
    skip_research=st.booleans(),
)
@examples(60)
def test_with_pvs_alone_the_visits_are_those_of_negascout(
    seed: int, depth: int, horizon_moves: bool, skip_research: bool
) -> None:
    """Except at leaves: the kernel searches a move to a leaf with the whole window at once."""
    game = random_graph(seed, 21)
    if game.verdict(game.initial()).over:
        return

    def search(view: View, node: Any, depth: int) -> float:
        return negascout(view, node, depth, skip_research=skip_research)

    value, visits = textbook_visits(game, game.initial(), depth, horizon_moves, search)
    options = bare_options(
        horizon_moves, "pvs", **{"skip-research": "yes" if skip_research else "no"}
    )
    room = 2 * len(visits) + 1
    found, seen = kernel_visits(game, game.initial(), depth, options, "compiled", room)
    assert found == value
    inner = [visit for visit in visits if visit[2] > 0]
    assert [visit for visit in seen if visit[2] > 0] == inner


@given(recipe=recipes, depth=st.integers(1, 5))
@examples(30)
def test_minimax_of_the_kernel_is_that_of_the_textbook(recipe: Recipe, depth: int) -> None:
    """The other tests of values use it as the reference."""
    game = load_tree(recipe)
    depth = min(depth, depth_within(game, game.initial(), 1000, 5))
    assert_minimax(game, game.initial(), depth)


@given(seed=st.integers(0, 10**6), depth=st.integers(1, 6))
@examples(30)
def test_minimax_is_that_of_the_textbook_where_sides_move_twice(seed: int, depth: int) -> None:
    game = random_graph(seed, 9)
    if not game.verdict(game.initial()).over:
        assert_minimax(game, game.initial(), depth)


@pytest.mark.parametrize("name", GAMES)
@given(seed=st.integers(0, 2**32), plies=st.integers(0, 80))
@examples(5)
def test_minimax_is_that_of_the_textbook_in_every_game(name: str, seed: int, plies: int) -> None:
    game = plyforge.load(name)
    position = random_position(game, seed, plies)
    assert_minimax(game, position, depth_within(game, position, SMALL))


def assert_minimax(game: Game, position: Any, depth: int) -> None:
    trace = Trace()
    view = View(game, trace=trace)
    root = view.root(position)
    value = minimax(view, root, depth)
    searcher = Searcher(game, bare_options(horizon_moves=True))
    searcher.prune(False)
    start = root_of(game.history(position), game)
    result = searcher.search(SearchRequest.of(start, -math.inf, math.inf, depth))
    assert result.value == (value if root.side == 0 else -value)
    assert searcher.counts.nodes == len(trace.visits)
    assert searcher.counts.leaves == len(trace.leaves())
