"""Every visit is explained, with values for MAX."""

import json
import math
from itertools import pairwise
from threading import Event
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge.core.scores import WIN
from plyforge.search.textbook import Trace, View, alpha_beta, minimax, mtdf, negascout
from plyforge.search.textbook.algorithms import ALGORITHMS
from plyforge.search.textbook.explain import (
    explain,
    explain_entry,
    format_bound,
    format_short,
    kind_text,
    parent_windows,
    window_for_max,
    window_text,
)
from tests.search.examples import examples
from tests.search.textbook.figures import AIMA, DEEP, record_search, tree

numbers = st.one_of(st.integers(-9, 9), st.floats(-4, 4, width=16))
lists = st.recursive(numbers, lambda below: st.lists(below, min_size=1, max_size=4), max_leaves=16)


def sentences_of(search: Any, text: str = AIMA, integer: bool = False) -> list[str]:
    trace = Trace()
    view = View(tree, integer=integer, trace=trace)
    search(view, view.root(tree.parse(text)), DEEP)
    return [explain(visit) for visit in trace.visits]


def test_a_cut_names_the_side_and_its_value() -> None:
    sentences = sentences_of(alpha_beta)
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


def test_a_cut_by_max_names_min() -> None:
    sentences = sentences_of(alpha_beta, "[[3,12,8],[2,4,6],[14,5,2]] MIN")
    cuts = [sentence for sentence in sentences if "left out" in sentence]
    assert cuts
    assert all("cannot interest MIN, who has 6 already" in sentence for sentence in cuts)


def test_a_null_window_asks_a_question() -> None:
    whole, real = sentences_of(mtdf, integer=True), sentences_of(mtdf)
    assert "window (-1, 0), CUT by move 1: is it at least 0? yes, at least 3" in whole[0]
    assert "window (0⁻, 0), CUT by move 1: is it at least 0? yes, at least 3" in real[0]
    assert "window (3, 3⁺)" in sentences_of(negascout)[5]
    assert any("from the table: at most 3" in sentence for sentence in whole)


def test_a_later_visit_counts_the_earlier_ones() -> None:
    assert "visit 5, the root (visited once before): 3" in sentences_of(mtdf)[5]


AGAIN = "[[1,2],[3,4],[5,6]]"


def test_a_second_search_confirms_what_the_test_has_found() -> None:
    sentences = sentences_of(negascout, AGAIN, integer=True)
    assert sentences[12] == (
        "visit 12, move 3 (visited once before): 5, window (5, ∞), CUT by move 1: the test showed"
        " at least 5, this search confirms that it is exactly 5; 1 move left out"
    )
    assert sentences[13].endswith("it is the 5 that the test has found, no better for MAX")
    assert not any("who has 5 already" in sentence for sentence in sentences)
    visit = record_search(negascout, tree.parse(AGAIN)).visits[12]
    assert (visit.kind, kind_text(visit), format_bound(visit)) == ("CUT", "PV", "5")
    assert "searched again, from what the test has found, with window (5, ∞)" in explain_entry(
        visit
    )


def test_a_leaf_that_is_searched_again_says_why() -> None:
    sentences = sentences_of(negascout, "[[[5,6],[7,4,5]],[[3]],[[6],[6,9]],[[5],[9,8]]]")
    assert sentences[5] == (
        "visit 5, move 2 (visited once before): 6, window (6, ∞), a leaf: the test has found 6,"
        " which this search confirms; the published listing searches even leaves again"
    )


@examples(100)
@given(lists, st.sampled_from(["MAX", "MIN"]))
def test_what_is_confirmed_is_exact(nested: Any, side: str) -> None:
    root = tree.parse(f"{json.dumps(nested if isinstance(nested, list) else [nested])} {side}")
    exact = {visit.path: visit.value for visit in record_search(minimax, root).visits}
    for visit in record_search(negascout, root).visits:
        if visit.confirms:
            assert visit.value == exact[visit.path]
        if visit.again:
            assert visit.confirms or visit.kind != ("CUT" if visit.beta_tested else "ALL")


def test_fail_hard_shows_a_leafs_own_value_and_the_returned_one() -> None:
    sentences = sentences_of(ALGORITHMS["fail-hard"].search, "[[6,7],[3,8]]")
    assert "visit 5, move 1: 3, returns 6, window (6, ∞), a leaf" in sentences[5]
    moved = record_search(ALGORITHMS["fail-hard"].search, tree.parse("[[6,7],[3,8]]")).visits[5]
    assert format_bound(moved) == "3, returns 6"
    assert not any("returns" in sentence for sentence in sentences_of(alpha_beta, "[[6,7],[3,8]]"))


def test_a_cut_at_the_last_move_skips_nothing() -> None:
    sentence = sentences_of(alpha_beta)[7]
    assert "CUT by move 3, its last: a value of at most 2 cannot interest MAX" in sentence
    assert "left out" not in sentence


def test_bounds_beyond_all_values_are_infinite() -> None:
    assert [format_short(x) for x in (WIN + 1.0, -WIN - 1.0, math.inf)] == ["∞", "-∞", "∞"]
    first = record_search(ALGORITHMS["sss"].search, tree.parse(AIMA)).visits[0]
    assert window_text(first) == "(W0, ∞)"


@examples(60)
@given(lists, st.sampled_from(["MAX", "MIN"]), st.sampled_from(sorted(ALGORITHMS)))
def test_every_visit_has_a_sentence(nested: Any, side: str, name: str) -> None:
    text = json.dumps(nested if isinstance(nested, list) else [nested])
    trace = record_search(ALGORITHMS[name].search, tree.parse(f"{text} {side}"))
    for visit in trace.visits:
        sentence = explain(visit)
        assert sentence.startswith(f"visit {visit.number}")
        assert window_text(visit, short=False) in sentence
        assert format_bound(visit)
        assert str(visit.number) in explain_entry(visit)
        if visit.unseen and visit.cut_by is not None:
            assert f"{len(visit.unseen)} move" in sentence


class StopSearch(Exception):
    pass


def test_a_search_that_is_stopped_leaves_open_visits() -> None:
    seen = Event()

    def watch(trace: Trace) -> None:
        if len(trace.visits) == 5:
            seen.set()
            raise StopSearch

    trace = Trace(watch)
    view = View(tree, trace=trace)
    with pytest.raises(StopSearch):
        alpha_beta(view, view.root(tree.parse(AIMA)), DEEP)
    assert seen.is_set()
    assert [visit.kind for visit in trace.visits] == ["OPEN", "PV", "PV", "CUT", "CUT"]
    assert "the search was stopped" in explain(trace.visits[0])
    assert format_bound(trace.visits[0]) == "unknown"
    assert trace.visits[0].cut_by is None


@examples(60)
@given(
    lists,
    st.sampled_from(["MAX", "MIN"]),
    st.sampled_from(["alpha-beta", "fail-hard", "negascout", "mtdf", "sss", "dual"]),
)
def test_the_next_move_is_searched_with_the_bound_that_its_parent_shows(
    nested: Any, side: str, name: str
) -> None:
    text = json.dumps(nested if isinstance(nested, list) else [nested])
    trace = record_search(ALGORITHMS[name].search, tree.parse(f"{text} {side}"))
    shown = parent_windows(trace.visits)
    for visit in trace.visits:
        end = visit.side  # 0, the lower end, at nodes of MAX
        children = trace.children(visit)
        for earlier, later in pairwise(children):
            window = shown[earlier.number]
            assert window is not None
            assert window[end] == window_for_max(later)[end]


def test_minimax_has_no_windows_that_change() -> None:
    trace = record_search(minimax, tree.parse(AIMA))
    assert parent_windows(trace.visits) == [None] * len(trace.visits)
