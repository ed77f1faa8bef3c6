"""Pictures of search trees: well-formed, complete, without overlaps."""

import json
import re
import xml.etree.ElementTree as ET
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge.interfaces.drawing import treeplan
from plyforge.interfaces.drawing.tree import tree as drawn
from plyforge.interfaces.drawing.treecanvas import LOOKS, Labels
from plyforge.search.textbook import (
    Trace,
    View,
    alpha_beta,
    alpha_beta_table,
    minimax,
    mtdf,
    negascout,
)
from plyforge.search.textbook.algorithms import ALGORITHMS
from plyforge.search.textbook.explain import explain, value_for_max
from tests.search.textbook.figures import AIMA, DEEP, recorded, tree

SVG = "{http://www.w3.org/2000/svg}"
lists = st.recursive(
    st.integers(-9, 99), lambda below: st.lists(below, min_size=1, max_size=5), max_leaves=30
)
labels = st.sampled_from(sorted(LOOKS))


def nodes(picture: str) -> dict[int, ET.Element]:
    """The groups of visits by number."""
    found = ET.fromstring(picture).iter(f"{SVG}g")
    return {int(g.attrib["data-visit"]): g for g in found if "visit" in g.attrib["class"].split()}


def boxes(picture: str) -> list[tuple[float, float, float, float]]:
    """Left, right, top and bottom of every node that is no triangle."""
    found = []
    for group in nodes(picture).values():
        for rect in group.iter(f"{SVG}rect"):
            x, y, width, height = (float(rect.attrib[n]) for n in ("x", "y", "width", "height"))
            found.append((x, x + width, y, y + height))
    return found


def grown(nested: Any, name: str) -> Trace:
    text = json.dumps(nested if isinstance(nested, list) else [nested])
    return recorded(ALGORITHMS[name].search, tree.parse(text))


def connect4(depth: int, search: Any = alpha_beta) -> Trace:
    game = plyforge.load("connect4")
    return recorded(search, game.initial(), depth, game)


@settings(max_examples=80, deadline=None)
@given(lists, st.sampled_from(sorted(ALGORITHMS)), labels, st.data())
def test_each_visit_that_is_not_hidden_is_one_node_and_none_overlap(
    nested: Any, name: str, look: Labels, data: st.DataObject
) -> None:
    trace = grown(nested, name)
    shut = data.draw(st.frozensets(st.integers(0, len(trace.visits)), max_size=4))
    picture = drawn(trace, collapsed=shut, labels=look)
    found = nodes(picture)
    hidden = {visit.number for visit in trace.visits if _below(trace, visit.number, shut)}
    assert set(found) == {visit.number for visit in trace.visits} - hidden
    places = boxes(picture)
    places.sort()
    for number, (_, right, top, bottom) in enumerate(places):
        for left_, _, top_, bottom_ in places[number + 1 :]:
            if left_ >= right:
                break
            assert bottom_ <= top or bottom <= top_


def _below(trace: Trace, number: int, shut: frozenset[int]) -> bool:
    above = trace.visits[number].parent
    while above is not None:
        if above in shut:
            return True
        above = trace.visits[above].parent
    return False


@pytest.mark.parametrize("look", sorted(LOOKS))
def test_a_picture_tells_what_the_trace_knows(look: Labels) -> None:
    trace = recorded(alpha_beta, tree.parse(AIMA))
    found = nodes(drawn(trace, labels=look))
    for visit in trace.visits:
        group = found[visit.number]
        title = group.find(f"{SVG}title")
        assert title is not None
        assert title.text == explain(visit)
        assert visit.kind.lower() in group.attrib["class"].split()
        parent = group.attrib.get("data-parent")
        assert parent == (None if visit.parent is None else str(visit.parent))
    assert {n for n, g in found.items() if "line" in g.attrib["class"].split()} == {0, 1, 2}


def test_the_textbook_tree_shows_values_windows_moves_and_what_was_left_out() -> None:
    group = nodes(drawn(recorded(alpha_beta, tree.parse(AIMA))))[5]
    texts = [(text.attrib["class"], text.text) for text in group.iter(f"{SVG}text")]
    assert texts == [
        ("move", "2"), ("unseen", "2"), ("unseen", "3"), ("value", "2"), ("window", "(3, ∞)"),
    ]  # fmt: skip
    assert sum(line.attrib["class"] == "bar" for line in group.iter(f"{SVG}line")) == 2


def test_a_cut_at_the_last_move_is_not_barred() -> None:
    found = nodes(drawn(recorded(alpha_beta, tree.parse(AIMA))))
    barred = {n for n, g in found.items() if 'class="bar"' in ET.tostring(g, encoding="unicode")}
    assert barred == {5}


def test_fail_hard_shows_a_leaf_s_own_value() -> None:
    found = nodes(drawn(recorded(ALGORITHMS["fail-hard"].search, tree.parse("[[6,7],[3,8]]"))))
    texts = [text.text for text in found[5].iter(f"{SVG}text") if text.attrib["class"] == "value"]
    assert texts == ["3→6"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[[1,2],[3,4],[5,6]]", [0, 12, 13]),
        ("[[[5,6],[7,4,5]],[[3]],[[6],[6,9]],[[5],[9,8]]]", [0, 1, 2, 5]),
    ],
)
def test_what_a_second_search_confirms_is_of_the_principal_kind(text: str, line: list[int]) -> None:
    found = nodes(drawn(recorded(negascout, tree.parse(text))))
    classes = {n: g.attrib["class"].split() for n, g in found.items()}
    assert [n for n, names in classes.items() if "line" in names] == line
    assert all("pv" in classes[n] and "cut" not in classes[n] for n in line)


@settings(max_examples=100, deadline=None)
@given(lists, st.sampled_from(["negascout", "alpha-beta", "mtdf", "sss", "dual"]))
def test_every_node_of_the_principal_line_has_the_root_s_value(nested: Any, name: str) -> None:
    trace = grown(nested, name)
    exact = {visit.path: value_for_max(visit) for visit in grown(nested, "minimax").visits}
    for number in treeplan.plan(trace).line:
        assert exact[trace.visits[number].path] == exact[()]


def test_steps_are_counted_as_the_search_went() -> None:
    found = nodes(drawn(recorded(minimax, tree.parse("[[1,2],3]"))))
    steps = {
        n: (int(g.attrib["data-began"]), int(g.attrib["data-ended"])) for n, g in found.items()
    }
    assert steps == {0: (0, 9), 1: (1, 6), 2: (2, 3), 3: (4, 5), 4: (7, 8)}


def test_several_searches_stand_side_by_side_with_captions() -> None:
    picture = drawn(recorded(mtdf, tree.parse(AIMA)))
    captions = re.findall(r'class="caption">(.*?)</text>', picture)
    assert [re.sub("<.*?>", "", text) for text in captions] == [
        "search 1: window (0⁻, 0), at least 3", "search 2: window (3, 3⁺), at most 3",
    ]  # fmt: skip
    assert "2 searches" in picture


def test_a_collapsed_node_tells_how_much_is_below() -> None:
    trace = recorded(alpha_beta, tree.parse(AIMA))
    group = nodes(drawn(trace, collapsed={1}))[1]
    assert "collapsed" in group.attrib["class"].split()
    assert [t.text for t in group.iter(f"{SVG}text") if t.attrib["class"] == "count"] == ["3"]
    assert "8 of 11 visits drawn" in drawn(trace, collapsed={1})


def test_a_leaf_cannot_be_collapsed() -> None:
    trace = recorded(alpha_beta, tree.parse(AIMA))
    assert drawn(trace, collapsed={2}) == drawn(trace)


def test_the_more_nodes_the_less_each_tells() -> None:
    looks = [ET.fromstring(drawn(connect4(depth))).attrib["class"] for depth in (1, 3, 4)]
    assert looks == ["searchtree full", "searchtree value", "searchtree dot"]


def test_too_many_nodes_are_collapsed_from_below(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = connect4(3, minimax)
    most = 100
    shut = treeplan.folded(trace, most=most)
    assert {trace.visits[n].ply for n in shut} == {2}
    assert min(shut) > max(v.number for v in trace.visits if v.ply == 2 and v.number not in shut)
    assert treeplan.folded(trace, shut, most) == shut
    assert treeplan.folded(trace, most=len(trace.visits)) == frozenset()
    monkeypatch.setattr(treeplan.folded, "__defaults__", (frozenset(), most))
    picture = drawn(trace)
    assert len(nodes(picture)) == 99
    assert "99 of 400 visits drawn" in picture
    assert len(treeplan.plan(trace, treeplan.folded(trace, most=1)).drawn) == 1


def test_table_hits_and_searches_again_are_marked() -> None:
    game = plyforge.load("tree:layered,branching=3,depth=4,width=2")
    trace = recorded(alpha_beta_table, game.initial(), DEEP, game)
    marked = {n for n, g in nodes(drawn(trace)).items() if "table" in g.attrib["class"].split()}
    assert marked == {visit.number for visit in trace.visits if visit.table_hit}
    assert marked


def test_a_search_that_was_stopped_can_be_drawn() -> None:
    class Enough(Exception):
        pass

    def watch(trace: Trace) -> None:
        if len(trace.visits) == 9:
            raise Enough

    trace = Trace(watch)
    view = View(tree, trace=trace)
    with pytest.raises(Enough):
        alpha_beta(view, view.root(tree.parse(AIMA)), DEEP)
    found = nodes(drawn(trace))
    assert len(found) == 9
    assert "open" in found[0].attrib["class"].split()


def test_no_visits_make_an_empty_picture() -> None:
    assert nodes(drawn(Trace())) == {}


def test_texts_of_moves_cannot_break_out() -> None:
    trace = recorded(alpha_beta, tree.parse(AIMA))
    trace.visits[1].move = '<script>"&'
    trace.visits[5].moves = ["1", "<b>", "3"]
    picture = ET.fromstring(drawn(trace, alone=True))
    tags = {element.tag.rpartition("}")[2] for element in picture.iter()}
    assert not tags & {"script", "b"}
    assert '<script>"&' in "".join(picture.itertext())


def test_a_picture_alone_brings_its_colours() -> None:
    trace = recorded(alpha_beta, tree.parse(AIMA))
    assert "--tree-cut" in drawn(trace, alone=True)
    assert "style" not in drawn(trace)


def test_a_principal_line_ends_where_values_are_unknown() -> None:
    trace = recorded(mtdf, tree.parse(AIMA))
    plan = treeplan.plan(trace)
    last = trace.roots()[-1].number
    assert min(plan.line) == last
    for one, other in pairwise(sorted(plan.line)):
        assert trace.visits[other].parent == one
