"""The minimal tree is proved by counting: no search sees fewer leaves, and alpha-beta sees them."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge import Game
from plyforge.search.textbook import Trace, View, alpha_beta, for_max, minimax
from plyforge.search.textbook.algorithms import ALGORITHMS
from plyforge.search.textbook.minimal import Minimal, OrderedView, minimal_tree
from tests.search.examples import examples
from tests.search.textbook.figures import AIMA, DEEP, leaf_values, record_search, tree

lists = st.recursive(
    st.integers(-4, 4), lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=24
)


def minimal(position: Any, depth: int = DEEP, game: Game = tree) -> Minimal:
    view = View(game)
    return minimal_tree(view, view.root(position), depth)


def trace_in_best_order(
    position: Any, found: Minimal, depth: int = DEEP, game: Game = tree
) -> Trace:
    trace = Trace()
    view = OrderedView(game, found.order, trace=trace)
    alpha_beta(view, view.root(position), depth)
    return trace


def test_the_textbook_tree_needs_five_leaves() -> None:
    position = tree.parse(AIMA)
    found = minimal(position)
    assert (found.value, found.leaves) == (3, 5)
    assert leaf_values(trace_in_best_order(position, found)) == [3, 12, 8, 2, 2]


@pytest.mark.parametrize(("branching", "depth"), [(2, 5), (3, 4), (4, 3), (2, 6)])
def test_uniform_trees_have_the_leaves_of_knuth_and_moore(branching: int, depth: int) -> None:
    game = plyforge.load(f"tree:uniform,{branching},{depth},values=0")
    found = minimal(game.initial(), depth, game)
    assert found.leaves == branching ** -(-depth // 2) + branching ** (depth // 2) - 1


@examples(80)
@given(lists, st.sampled_from(["MAX", "MIN"]))
def test_alpha_beta_in_best_order_visits_the_minimal_tree(nested: Any, side: str) -> None:
    text = json.dumps(nested if isinstance(nested, list) else [nested])
    position = tree.parse(f"{text} {side}")
    found = minimal(position)
    view = View(tree)
    assert found.value == minimax(view, view.root(position), DEEP)
    assert len(trace_in_best_order(position, found).leaves()) == found.leaves
    for row in ALGORITHMS.values():
        assert len(record_search(row.search, position).leaves()) >= found.leaves


@pytest.mark.parametrize(
    ("name", "depth"),
    [("tictactoe", 3), ("kalah:3,2", 4), ("connect4", 3), ("tree:skipping,2,6,width=3", 6)],
)
def test_minimal_trees_of_games_with_transpositions_and_second_moves(name: str, depth: int) -> None:
    game = plyforge.load(name)
    found = minimal(game.initial(), depth, game)
    trace = trace_in_best_order(game.initial(), found, depth, game)
    assert len(trace.leaves()) == found.leaves
    root = trace.visits[0]
    node = View(game).root(game.initial())
    assert for_max(node, root.value) == found.value
    assert found.leaves <= len(record_search(alpha_beta, game.initial(), depth, game).leaves())


def test_an_empty_order_changes_nothing() -> None:
    trace = Trace()
    view = OrderedView(tree, {}, trace=trace)
    alpha_beta(view, view.root(tree.parse(AIMA)), DEEP)
    plain = record_search(alpha_beta, tree.parse(AIMA))
    assert [visit.path for visit in trace.visits] == [visit.path for visit in plain.visits]
