"""Every visit is explained, in view of MAX."""

import json
import math
from threading import Event
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyforge.core.scores import WIN
from plyforge.search.textbook import Trace, View, alpha_beta, mtdf, negascout
from plyforge.search.textbook.algorithms import ALGORITHMS
from plyforge.search.textbook.explain import (
    bounded,
    brief,
    entered,
    explain,
    window_text,
)
from tests.search.textbook.figures import AIMA, DEEP, recorded, tree

numbers = st.one_of(st.integers(-9, 9), st.floats(-4, 4, width=16))
lists = st.recursive(numbers, lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=16)


def told(search: Any, text: str = AIMA, integer: bool = False) -> list[str]:
    trace = Trace()
    view = View(tree, integer=integer, trace=trace)
    search(view, view.root(tree.parse(text)), DEEP)
    return [explain(visit) for visit in trace.visits]


def test_a_cut_says_who_has_what_already() -> None:
    sentences = told(alpha_beta)
    assert sentences[5] == (
        "visit 5, move 2: 2, window (3, ∞), CUT by move 1: a value of at most 2 cannot interest"
        " MAX, who has 3 already; 2 moves left out"
    )
    assert (
        sentences[0] == "visit 0, the root: 3, window (-∞, ∞), PV: the greatest value of all moves"
    )
    assert sentences[3] == (
        "visit 3, move 2: 12, window (-∞, 3), a leaf: it cannot interest MIN, who has 3 already"
    )


def test_a_cut_of_max_is_of_no_interest_to_min() -> None:
    sentences = told(alpha_beta, "[[3,12,8],[2,4,6],[14,5,2]] MIN")
    cuts = [sentence for sentence in sentences if "left out" in sentence]
    assert cuts
    assert all("cannot interest MIN, who has 6 already" in sentence for sentence in cuts)


def test_a_null_window_asks_a_question() -> None:
    whole, real = told(mtdf, integer=True), told(mtdf)
    assert "window (-1, 0), CUT by move 1: is it at least 0? yes, at least 3" in whole[0]
    assert "window (0⁻, 0), CUT by move 1: is it at least 0? yes, at least 3" in real[0]
    assert "window (3, 3⁺)" in told(negascout)[5]
    assert any("from the table: at most 3" in sentence for sentence in whole)


def test_a_later_visit_says_so() -> None:
    assert "visit 5, the root (visited once before): 3" in told(mtdf)[5]


def test_bounds_beyond_all_values_are_infinite() -> None:
    assert [brief(x) for x in (WIN + 1.0, -WIN - 1.0, math.inf)] == ["∞", "-∞", "∞"]
    first = recorded(ALGORITHMS["sss"].search, tree.parse(AIMA)).visits[0]
    assert window_text(first) == "(W0, ∞)"


@settings(max_examples=60, deadline=None)
@given(lists, st.sampled_from(["MAX", "MIN"]), st.sampled_from(sorted(ALGORITHMS)))
def test_every_visit_has_a_sentence(nested: Any, side: str, name: str) -> None:
    text = json.dumps(nested if isinstance(nested, list) else [nested])
    trace = recorded(ALGORITHMS[name].search, tree.parse(f"{text} {side}"))
    for visit in trace.visits:
        sentence = explain(visit)
        assert sentence.startswith(f"visit {visit.number}")
        assert window_text(visit, short=False) in sentence
        assert bounded(visit)
        assert str(visit.number) in entered(visit)
        if visit.unseen and visit.cut_by is not None:
            assert f"{len(visit.unseen)} move" in sentence


class Enough(Exception):
    pass


def test_a_search_that_is_stopped_leaves_open_visits() -> None:
    seen = Event()

    def watch(trace: Trace) -> None:
        if len(trace.visits) == 5:
            seen.set()
            raise Enough

    trace = Trace(watch)
    view = View(tree, trace=trace)
    with pytest.raises(Enough):
        alpha_beta(view, view.root(tree.parse(AIMA)), DEEP)
    assert seen.is_set()
    assert [visit.kind for visit in trace.visits] == ["OPEN", "PV", "PV", "CUT", "CUT"]
    assert "the search was stopped" in explain(trace.visits[0])
    assert bounded(trace.visits[0]) == "unknown"
    assert trace.visits[0].cut_by is None
