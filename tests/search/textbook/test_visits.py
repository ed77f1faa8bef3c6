"""Which nodes the algorithms visit: the figures of the textbooks, minimal trees, dominance."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge.search.textbook import (
    Trace,
    View,
    alpha_beta,
    alpha_beta_fail_hard,
    dual,
    minimax,
    mtdf,
    negamax,
    negascout,
    sss,
)
from tests.reference.tree import Recipe, leaves
from tests.search.examples import examples
from tests.search.textbook.figures import (
    AIMA,
    ALGORITHMS,
    DEEP,
    FIGURES,
    leaf_values,
    negascout_skipping_research,
    record_search,
    tree,
    values,
)

shapes = st.recursive(
    st.integers(-3, 3), lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=25
).map(lambda value: value if isinstance(value, list) else [value])
"""Trees of any shape, with many ties."""


def root_of(lists: Any, side: str = "MAX") -> Any:
    return tree.parse(f"{str(lists).replace(' ', '')} {side}")


def leaf_paths(trace: Trace) -> set[tuple[int, ...]]:
    return {visit.path for visit in trace.leaves()}


# Figures


@pytest.mark.parametrize("text", FIGURES)
@pytest.mark.parametrize("search", [alpha_beta, alpha_beta_fail_hard])
def test_alpha_beta_visits_the_leaves_of_the_textbook(
    text: str, search: Callable[..., float]
) -> None:
    for_max, for_min, order, visited_min = FIGURES[text]
    trace = record_search(search, tree.parse(text))
    assert leaf_values(trace) == [float(word) for word in order.split()]
    assert trace.visits[0].value == for_max
    below_min = record_search(search, tree.parse(f"{text} MIN"))
    assert len(below_min.leaves()) == visited_min
    assert -below_min.visits[0].value == for_min


@pytest.mark.parametrize("text", FIGURES)
def test_all_algorithms_find_the_values_of_the_textbook(text: str) -> None:
    for_max, for_min, _, _ = FIGURES[text]
    assert set(values(View(tree), tree.parse(text), DEEP).values()) == {for_max}
    assert set(values(View(tree), tree.parse(f"{text} MIN"), DEEP).values()) == {for_min}


@pytest.mark.parametrize("unseen", [-100, 0, 4, 7, 9, 100])
def test_the_lectures_leaves_are_never_visited(unseen: int) -> None:
    for lists, value, hidden in (
        ([[5], [3, unseen], [8]], 8, (1, 1)),
        ([[20], [5, unseen]], 20, (1, 1)),
    ):
        trace = record_search(alpha_beta, root_of(lists))
        assert trace.visits[0].value == value
        assert hidden not in leaf_paths(trace)
        assert len(trace.leaves()) == len(leaves(lists)) - 1


def test_the_lectures_example_runs_as_described() -> None:
    """Calls with their windows and results: A; B = -5; C with beta -5, cut at -3; D = -8."""
    trace = record_search(alpha_beta, root_of([[5], [3, 100], [8]]), depth=2)
    inner = [visit for visit in trace.visits if not visit.leaf]
    inf = float("inf")
    calls = [(v.alpha, v.beta, v.value) for v in inner]
    assert calls == [(-inf, inf, 8), (-inf, inf, -5), (-inf, -5, -3), (-inf, -5, -8)]
    assert inner[2].cut_by == "1"
    assert inner[2].unseen == ["2"]


# Counts


@pytest.mark.parametrize(("branching", "max_depth"), [(1, 4), (2, 7), (3, 5), (5, 4), (10, 3)])
def test_perfect_order_leaves_the_minimal_tree(branching: int, max_depth: int) -> None:
    for depth in range(1, max_depth + 1):
        game = plyforge.load(f"tree:ordered,branching={branching},depth={depth},p=1")
        minimum = branching ** -(-depth // 2) + branching ** (depth // 2) - 1
        for search in (
            alpha_beta,
            negascout,
            partial(mtdf, guess=game.initial().value),
        ):
            trace = record_search(search, game.initial(), depth, game)
            assert len(leaf_paths(trace)) == minimum
            assert len(trace.leaves()) == minimum
        assert len(record_search(minimax, game.initial(), depth, game).leaves()) == branching**depth


@given(lists=shapes, side=st.sampled_from(["MAX", "MIN"]))
@examples(40)
def test_full_width_search_visits_every_leaf_once(lists: Any, side: str) -> None:
    for search in (minimax, negamax):
        trace = record_search(search, root_of(lists, side))
        assert leaf_values(trace) == leaves(lists)
        assert len(leaf_paths(trace)) == len(trace.leaves())


@given(lists=shapes, side=st.sampled_from(["MAX", "MIN"]))
@examples(40)
def test_fail_hard_and_fail_soft_visit_the_same_nodes(lists: Any, side: str) -> None:
    soft = record_search(alpha_beta, root_of(lists, side))
    hard = record_search(alpha_beta_fail_hard, root_of(lists, side))
    assert [visit.path for visit in soft.visits] == [visit.path for visit in hard.visits]


@given(lists=shapes, bounds=st.lists(st.integers(-4, 4), min_size=4, max_size=4))
@examples(40)
def test_a_window_inside_another_visits_no_other_leaves(lists: Any, bounds: list[int]) -> None:
    low, alpha, beta, high = sorted(bounds)
    wide = record_search(lambda v, n, d: alpha_beta(v, n, d, low - 1.0, high + 1.0), root_of(lists))
    narrow = record_search(lambda v, n, d: alpha_beta(v, n, d, alpha, beta + 0.5), root_of(lists))
    assert leaf_paths(narrow) <= leaf_paths(wide)


@given(
    lists=shapes,
    side=st.sampled_from(["MAX", "MIN"]),
    guess=st.integers(-5, 5),
)
@examples(40)
def test_null_window_algorithms_see_no_leaf_that_alpha_beta_skips(
    lists: Any, side: str, guess: int
) -> None:
    """In trees searched in one fixed order.

    All their windows lie inside those of alpha-beta, so each pass visits some of its leaves; with
    memory no leaf is evaluated twice, so SSS*, DUAL* and MTD(f) never evaluate more leaves.
    NegaScout without memory may: it evaluates some of them again.
    """
    position = root_of(lists, side)
    seen = leaf_paths(record_search(alpha_beta, position))
    assert leaf_paths(record_search(negascout, position)) <= seen
    for search in (sss, dual, lambda v, n, d: mtdf(v, n, d, guess)):
        trace = record_search(search, position)
        assert leaf_paths(trace) <= seen
        assert len(trace.leaves()) == len(leaf_paths(trace))


@given(seed=st.integers(0, 2**32 - 1))
@examples(15)
def test_skip_research_only_skips_repeated_searches(seed: int) -> None:
    game = plyforge.load(f"tree:uniform,branching=3,depth=4,seed={seed}")
    usual = record_search(negascout, game.initial(), 4, game)
    skipping = record_search(negascout_skipping_research, game.initial(), 4, game)
    assert leaf_paths(skipping) == leaf_paths(usual)
    assert len(skipping.visits) <= len(usual.visits)


def test_negascout_may_evaluate_more_often_than_alpha_beta() -> None:
    worst = [[[1, 1], [1, 1]], [[2, 2], [2, 2]], [[3, 3], [3, 3]]]
    position = root_of(worst)
    assert len(record_search(negascout, position).leaves()) > len(
        record_search(alpha_beta, position).leaves()
    )


def test_transpositions_are_searched_once() -> None:
    recipe = Recipe("layered", 3, 6, width=2)
    game = plyforge.load(f"tree:{recipe.variant}")
    with_table = record_search(ALGORITHMS["table"], game.initial(), 6, game)
    without = record_search(alpha_beta, game.initial(), 6, game)
    assert any(visit.table_hit for visit in with_table.visits)
    assert len(with_table.visits) < len(without.visits) / 2
    assert not any(visit.table_hit for visit in without.visits)


def test_the_worked_example_of_the_page() -> None:
    trace = record_search(alpha_beta, tree.parse(AIMA), depth=2)
    assert [visit.kind for visit in trace.visits if not visit.leaf] == ["PV", "PV", "CUT", "CUT"]
