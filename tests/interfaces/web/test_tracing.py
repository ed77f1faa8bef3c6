"""Trees are grown within limits, and what was reached is shown."""

from threading import Event
from typing import Any

import pytest

import plyforge
from plyforge.core.scores import SCORE_LIMIT
from plyforge.interfaces.web import tracing
from plyforge.interfaces.web.tracing import (
    CHOICES,
    MINIMAL,
    FeasibleDepth,
    MinimalLeaves,
    TraceRequest,
    TraceResult,
    trace_trees,
)
from plyforge.search.textbook.explain import window_for_max
from tests.search.textbook.figures import AIMA, DEEP, tree


def wish(
    *names: str,
    game: Any = tree,
    position: str | None = AIMA,
    depth: int = DEEP,
    best_first: bool = False,
) -> TraceRequest:
    history = game.history(None if position is None else game.parse(position))
    return TraceRequest(history, depth, names, best_first)


def grown(
    given: TraceRequest, stop: Event | None = None
) -> tuple[list[TraceResult], list[MinimalLeaves]]:
    found = list(trace_trees(given, stop or Event()))
    return [f for f in found if isinstance(f, TraceResult)], [
        f for f in found if isinstance(f, MinimalLeaves)
    ]


def test_the_textbook_tree_has_its_known_numbers() -> None:
    trees, least = grown(wish("minimax", "alpha-beta", "negascout", "mtdf"))
    assert [tree.value for tree in trees] == ["3"] * 4
    assert [tree.counts["leaves"] for tree in trees] == [9, 7, 7, 7]
    assert [tree.counts["visits"] for tree in trees] == [13, 11, 11, 14]
    assert [tree.counts["searches"] for tree in trees] == [1, 1, 1, 2]
    assert trees[1].counts["cuts"] == 1
    assert trees[1].counts["unseen"] == 2
    assert trees[3].counts["hits"] == 1
    assert least == [MinimalLeaves(5, "")]
    assert not any(tree.note for tree in trees)


@pytest.mark.parametrize("name", CHOICES)
def test_every_choice_finds_the_value(name: str) -> None:
    (found,), _ = grown(wish(name))
    assert found.value == "3"
    assert found.title
    assert found.idea


def test_the_minimal_tree_can_be_drawn_and_best_moves_come_first_on_demand() -> None:
    (minimal, plain), _ = grown(wish(MINIMAL, "alpha-beta"))
    assert [minimal.counts["leaves"], plain.counts["leaves"]] == [5, 7]
    (ordered,), _ = grown(wish("negascout", best_first=True))
    assert ordered.counts["leaves"] == 5


def test_null_windows_are_one_wide_where_all_values_are_whole() -> None:
    (whole,), _ = grown(wish("mtdf"))
    (real,), _ = grown(wish("mtdf", position="[[3,12.5,8],[2,4,6]]"))
    assert [root.beta - root.alpha for root in whole.trace.roots()] == [1, 1]
    assert all(0 < root.beta - root.alpha < 1 for root in real.trace.roots())
    assert real.value == "3"


def test_who_moves_is_known_in_games_that_do_not_tell(tmp_path: Any) -> None:
    game = plyforge.load("tictactoe")
    history = game.history()
    history.play_text("b2")
    (found,), _ = grown(TraceRequest(history, 2, ("minimax",), False))
    assert [visit.side for visit in found.trace.visits[:3]] == [1, 0, 1]


def test_too_many_visits_leave_a_part_and_tell_which_depth_can_be_done(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(tracing, "MAX_VISITS", 100)
    game = plyforge.load("connect4")
    given = wish("minimax", game=game, position=None, depth=4)
    found, least, reach = trace_trees(given, Event())
    assert isinstance(found, TraceResult)
    assert found.counts["visits"] == 100
    assert found.value == "unknown"
    assert "has reached 100 nodes" in found.note
    assert isinstance(least, MinimalLeaves)
    assert reach == FeasibleDepth(0, "Depth 2 can be searched whole.")


def test_a_minimal_tree_that_is_too_large_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "MAX_PROOFS", 50)
    game = plyforge.load("connect4")
    trees, (least,) = grown(wish(MINIMAL, "alpha-beta", game=game, position=None, depth=3))
    assert least.leaves is None
    assert "has reached 50 nodes" in least.note
    assert "in the rules' order" in trees[0].note
    assert trees[1].note == ""


def test_time_ends_a_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracing, "time", _Clock())
    game = plyforge.load("connect4")
    (found,), _ = grown(wish("minimax", game=game, position=None, depth=6))
    assert "has taken 12 seconds" in found.note


@pytest.mark.parametrize("best_first", [False, True])
def test_all_searches_of_a_wish_together_are_bounded(
    monkeypatch: pytest.MonkeyPatch, best_first: bool
) -> None:
    """Trees come first; the minimal tree and the depth that can be done follow within a bound."""
    clock = _Clock(0.01)
    monkeypatch.setattr(tracing, "time", clock)
    monkeypatch.setattr(tracing, "MAX_VISITS", 10**9)
    monkeypatch.setattr(tracing, "MAX_PROOFS", 10**9)
    game = plyforge.load("connect4")
    names = ("minimax", "negamax", "alpha-beta", "negascout")
    given = wish(*names, game=game, position=None, depth=20, best_first=best_first)
    found = list(trace_trees(given, Event()))
    kinds = (
        [MinimalLeaves, *[TraceResult] * 4] if best_first else [*[TraceResult] * 4, MinimalLeaves]
    )
    assert [type(one) for one in found] == [*kinds, *[FeasibleDepth] * 4]
    assert all("maybe more" in one.note for one in found[-4:])
    assert clock.now < 25


def test_a_depth_that_ends_inside_a_typed_tree_is_told() -> None:
    (found,), _ = grown(wish("minimax", depth=1))
    assert found.value == "0"
    assert "inner nodes of a tree have no evaluation and count as 0" in found.note
    (whole,), _ = grown(wish("minimax", depth=2))
    assert whole.note == ""


@pytest.mark.parametrize(
    ("name", "first", "end"), [("sss", "MAX", "above"), ("sss", "MIN", "below"),
                               ("dual", "MAX", "below"), ("dual", "MIN", "above")],
)  # fmt: skip
def test_where_null_windows_begin_is_told_in_view_of_max(name: str, first: str, end: str) -> None:
    position = f"[[[8,7],[3,9]],[[2,4],[1,6]]] {first}"
    (found,), _ = grown(wish(name, position=position))
    assert f"from {end} all values" in found.idea
    captions = window_for_max(found.trace.roots()[0])
    assert (captions[0] if end == "above" else -captions[1]) > SCORE_LIMIT


class _Clock:
    """Some time passes at every look."""

    def __init__(self, step: float = 1.0) -> None:
        self.now, self.step = 0.0, step

    def monotonic(self) -> float:
        self.now += self.step
        return self.now


def test_a_stop_before_or_during_a_search_ends_it() -> None:
    stop = Event()
    stop.set()
    assert grown(wish("minimax"), stop) == ([], [])

    game = plyforge.load("connect4")
    late = _StopAfter(500)
    (found,), least = grown(wish("minimax", "alpha-beta", game=game, position=None, depth=9), late)
    assert found.counts["visits"] < 600
    assert "was stopped" in found.note
    assert least == []


class _StopAfter(Event):
    """Set after it was looked at so many times."""

    def __init__(self, looks: int) -> None:
        super().__init__()
        self.left = looks

    def is_set(self) -> bool:
        self.left -= 1
        return self.left < 0
