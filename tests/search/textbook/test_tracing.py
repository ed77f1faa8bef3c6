"""Textbook searches are traced within limits, and what was visited is returned."""

from threading import Event
from typing import Any

import pytest

import plyforge
from plyforge.core.scores import SCORE_LIMIT
from plyforge.search.textbook.explain import window_for_max
from plyforge.search.textbook.tracing import (
    CHOICES,
    MINIMAL,
    FeasibleDepth,
    MinimalLeaves,
    TraceLimits,
    TraceRequest,
    TraceResult,
    trace_trees,
)
from tests.search.textbook.figures import AIMA, DEEP, tree


def make_request(
    *names: str,
    game: Any = tree,
    position: str | None = AIMA,
    depth: int = DEEP,
    best_first: bool = False,
) -> TraceRequest:
    history = game.history(None if position is None else game.parse(position))
    return TraceRequest(history, depth, names, best_first)


def connect4_request(*names: str, depth: int, best_first: bool = False) -> TraceRequest:
    game = plyforge.load("connect4")
    return make_request(*names, game=game, position=None, depth=depth, best_first=best_first)


def trace(
    request: TraceRequest, stop: Event | None = None, limits: TraceLimits | None = None
) -> tuple[list[TraceResult], list[MinimalLeaves]]:
    results = list(trace_trees(request, stop or Event(), limits))
    trees = [one for one in results if isinstance(one, TraceResult)]
    return trees, [one for one in results if isinstance(one, MinimalLeaves)]


def test_the_textbook_tree_has_its_known_numbers() -> None:
    trees, minimal = trace(make_request("minimax", "alpha-beta", "negascout", "mtdf"))
    assert [tree.value for tree in trees] == ["3"] * 4
    assert [tree.counts["leaves"] for tree in trees] == [9, 7, 7, 7]
    assert [tree.counts["visits"] for tree in trees] == [13, 11, 11, 14]
    assert [tree.counts["searches"] for tree in trees] == [1, 1, 1, 2]
    assert trees[1].counts["cuts"] == 1
    assert trees[1].counts["unseen"] == 2
    assert trees[3].counts["hits"] == 1
    assert minimal == [MinimalLeaves(5, "")]
    assert not any(tree.note for tree in trees)


@pytest.mark.parametrize("name", CHOICES)
def test_every_choice_finds_the_value(name: str) -> None:
    (result,), _ = trace(make_request(name))
    assert result.value == "3"
    assert result.title
    assert result.idea


def test_best_first_order_gives_the_minimal_tree() -> None:
    (minimal, plain), _ = trace(make_request(MINIMAL, "alpha-beta"))
    assert [minimal.counts["leaves"], plain.counts["leaves"]] == [5, 7]
    (ordered,), _ = trace(make_request("negascout", best_first=True))
    assert ordered.counts["leaves"] == 5


def test_null_windows_are_one_wide_where_all_values_are_integers() -> None:
    (integers,), _ = trace(make_request("mtdf"))
    (reals,), _ = trace(make_request("mtdf", position="[[3,12.5,8],[2,4,6]]"))
    assert [root.beta - root.alpha for root in integers.trace.roots()] == [1, 1]
    assert all(0 < root.beta - root.alpha < 1 for root in reals.trace.roots())
    assert reals.value == "3"


def test_the_side_to_move_comes_from_the_history() -> None:
    game = plyforge.load("tictactoe")
    history = game.history()
    history.play_text("b2")
    (result,), _ = trace(TraceRequest(history, 2, ("minimax",), False))
    assert [visit.side for visit in result.trace.visits[:3]] == [1, 0, 1]


def test_a_search_with_too_many_visits_returns_a_part_and_the_feasible_depth() -> None:
    request, limits = connect4_request("minimax", depth=4), TraceLimits(visits=100)
    result, minimal, feasible = trace_trees(request, Event(), limits)
    assert isinstance(result, TraceResult)
    assert result.counts["visits"] == 100
    assert result.value == "unknown"
    assert "has reached 100 nodes" in result.note
    assert isinstance(minimal, MinimalLeaves)
    assert feasible == FeasibleDepth(0, "Depth 2 can be searched completely.")


def test_a_minimal_tree_that_is_too_large_is_reported() -> None:
    request = connect4_request(MINIMAL, "alpha-beta", depth=3)
    trees, (minimal,) = trace(request, limits=TraceLimits(minimal_nodes=50))
    assert minimal.leaves is None
    assert "has reached 50 nodes" in minimal.note
    assert "in the order of the rules" in trees[0].note
    assert trees[1].note == ""


def test_time_ends_a_search() -> None:
    limits = TraceLimits(clock=_Clock())
    (result,), _ = trace(connect4_request("minimax", depth=6), limits=limits)
    assert "has taken 12 seconds" in result.note


@pytest.mark.parametrize("best_first", [False, True])
def test_all_searches_of_a_request_share_one_time_limit(best_first: bool) -> None:
    clock = _Clock(0.01)
    limits = TraceLimits(visits=10**9, minimal_nodes=10**9, clock=clock)
    names = ("minimax", "negamax", "alpha-beta", "negascout")
    request = connect4_request(*names, depth=20, best_first=best_first)
    results = list(trace_trees(request, Event(), limits))
    trees: list[type] = [TraceResult] * 4
    expected = [MinimalLeaves, *trees] if best_first else [*trees, MinimalLeaves]
    assert [type(one) for one in results] == [*expected, *[FeasibleDepth] * 4]
    assert all("perhaps more" in one.note for one in results[-4:])
    assert clock.now < 25


def test_a_depth_that_ends_inside_a_typed_tree_is_noted() -> None:
    (result,), _ = trace(make_request("minimax", depth=1))
    assert result.value == "0"
    assert "inner nodes of a tree have no evaluation and count as 0" in result.note
    (complete,), _ = trace(make_request("minimax", depth=2))
    assert complete.note == ""


@pytest.mark.parametrize(
    ("name", "first", "end"), [("sss", "MAX", "above"), ("sss", "MIN", "below"),
                               ("dual", "MAX", "below"), ("dual", "MIN", "above")],
)  # fmt: skip
def test_the_idea_says_where_null_windows_begin_for_max(name: str, first: str, end: str) -> None:
    position = f"[[[8,7],[3,9]],[[2,4],[1,6]]] {first}"
    (result,), _ = trace(make_request(name, position=position))
    assert f"from {end} all values" in result.idea
    low, high = window_for_max(result.trace.roots()[0])
    assert (low if end == "above" else -high) > SCORE_LIMIT


class _Clock:
    """A clock that advances whenever it is read."""

    def __init__(self, step: float = 1.0) -> None:
        self.now, self.step = 0.0, step

    def __call__(self) -> float:
        self.now += self.step
        return self.now


def test_a_stop_before_or_during_a_search_ends_it() -> None:
    stop = Event()
    stop.set()
    assert trace(make_request("minimax"), stop) == ([], [])

    request = connect4_request("minimax", "alpha-beta", depth=9)
    (result,), minimal = trace(request, _StopAfter(500))
    assert result.counts["visits"] < 600
    assert "was stopped" in result.note
    assert minimal == []


class _StopAfter(Event):
    """An event that is set after it was read a number of times."""

    def __init__(self, reads: int) -> None:
        super().__init__()
        self.left = reads

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0
