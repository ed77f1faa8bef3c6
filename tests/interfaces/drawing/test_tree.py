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
from plyforge.interfaces.drawing.tree import tree as draw
from plyforge.interfaces.drawing.treecanvas import SIZES, Labels
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
from tests.search.textbook.figures import AIMA, DEEP, record_search, tree

SVG = "{http://www.w3.org/2000/svg}"
lists = st.recursive(
    st.integers(-9, 99), lambda below: st.lists(below, min_size=1, max_size=5), max_leaves=30
)
labels = st.sampled_from(sorted(SIZES))


def nodes(picture: str) -> dict[int, ET.Element]:
    """Return the groups of visits by number."""
    groups = ET.fromstring(picture).iter(f"{SVG}g")
    return {int(g.attrib["data-visit"]): g for g in groups if "visit" in g.attrib["class"].split()}


def boxes(picture: str) -> list[tuple[float, float, float, float]]:
    """Return left, right, top and bottom of every node that is not a triangle."""
    corners = []
    for group in nodes(picture).values():
        for rect in group.iter(f"{SVG}rect"):
            x, y, width, height = (float(rect.attrib[n]) for n in ("x", "y", "width", "height"))
            corners.append((x, x + width, y, y + height))
    return corners


def record(nested: Any, name: str) -> Trace:
    text = json.dumps(nested if isinstance(nested, list) else [nested])
    return record_search(ALGORITHMS[name].search, tree.parse(text))


def connect4(depth: int, search: Any = alpha_beta) -> Trace:
    game = plyforge.load("connect4")
    return record_search(search, game.initial(), depth, game)


@settings(max_examples=40, deadline=None)
@given(lists, st.sampled_from(sorted(ALGORITHMS)), labels, st.data())
def test_each_visible_visit_is_one_node_and_nodes_do_not_overlap(
    nested: Any, name: str, detail: Labels, data: st.DataObject
) -> None:
    trace = record(nested, name)
    collapsed = data.draw(st.frozensets(st.integers(0, len(trace.visits)), max_size=4))
    picture = draw(trace, collapsed=collapsed, labels=detail)
    groups = nodes(picture)
    hidden = {visit.number for visit in trace.visits if _below(trace, visit.number, collapsed)}
    assert set(groups) == {visit.number for visit in trace.visits} - hidden
    places = boxes(picture)
    places.sort()
    for number, (_, right, top, bottom) in enumerate(places):
        for left_, _, top_, bottom_ in places[number + 1 :]:
            if left_ >= right:
                break
            assert bottom_ <= top or bottom <= top_


def _below(trace: Trace, number: int, collapsed: frozenset[int]) -> bool:
    parent = trace.visits[number].parent
    while parent is not None:
        if parent in collapsed:
            return True
        parent = trace.visits[parent].parent
    return False


@pytest.mark.parametrize("detail", sorted(SIZES))
def test_a_picture_shows_the_trace(detail: Labels) -> None:
    trace = record_search(alpha_beta, tree.parse(AIMA))
    groups = nodes(draw(trace, labels=detail))
    for visit in trace.visits:
        group = groups[visit.number]
        title = group.find(f"{SVG}title")
        assert title is not None
        assert title.text == explain(visit)
        assert visit.kind.lower() in group.attrib["class"].split()
        parent = group.attrib.get("data-parent")
        assert parent == (None if visit.parent is None else str(visit.parent))
    assert {n for n, g in groups.items() if "line" in g.attrib["class"].split()} == {0, 1, 2}


def test_the_textbook_tree_shows_values_windows_moves_and_skipped_moves() -> None:
    group = nodes(draw(record_search(alpha_beta, tree.parse(AIMA))))[5]
    texts = [(text.attrib["class"], text.text) for text in group.iter(f"{SVG}text")]
    assert texts == [
        ("move", "2"), ("unseen", "2"), ("unseen", "3"), ("value", "2"), ("window", "(3, ∞)"),
    ]  # fmt: skip
    assert sum(line.attrib["class"] == "bar" for line in group.iter(f"{SVG}line")) == 2


def test_a_cutoff_at_the_last_move_is_not_marked() -> None:
    groups = nodes(draw(record_search(alpha_beta, tree.parse(AIMA))))
    barred = {n for n, g in groups.items() if 'class="bar"' in ET.tostring(g, encoding="unicode")}
    assert barred == {5}


def test_fail_hard_shows_the_value_of_the_leaf_itself() -> None:
    groups = nodes(draw(record_search(ALGORITHMS["fail-hard"].search, tree.parse("[[6,7],[3,8]]"))))
    texts = [text.text for text in groups[5].iter(f"{SVG}text") if text.attrib["class"] == "value"]
    assert texts == ["3→6"]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("[[1,2],[3,4],[5,6]]", [0, 12, 13]),
        ("[[[5,6],[7,4,5]],[[3]],[[6],[6,9]],[[5],[9,8]]]", [0, 1, 2, 5]),
    ],
)
def test_a_value_confirmed_by_a_second_search_is_a_pv_node(text: str, line: list[int]) -> None:
    groups = nodes(draw(record_search(negascout, tree.parse(text))))
    classes = {n: g.attrib["class"].split() for n, g in groups.items()}
    assert [n for n, names in classes.items() if "line" in names] == line
    assert all("pv" in classes[n] and "cut" not in classes[n] for n in line)


@settings(max_examples=40, deadline=None)
@given(lists, st.sampled_from(["negascout", "alpha-beta", "mtdf", "sss", "dual"]))
def test_every_node_of_the_principal_variation_has_the_value_of_the_root(
    nested: Any, name: str
) -> None:
    trace = record(nested, name)
    exact = {visit.path: value_for_max(visit) for visit in record(nested, "minimax").visits}
    for number in treeplan.plan(trace).line:
        assert exact[trace.visits[number].path] == exact[()]


def test_steps_follow_the_search() -> None:
    groups = nodes(draw(record_search(minimax, tree.parse("[[1,2],3]"))))
    steps = {
        n: (int(g.attrib["data-began"]), int(g.attrib["data-ended"])) for n, g in groups.items()
    }
    assert steps == {0: (0, 9), 1: (1, 6), 2: (2, 3), 3: (4, 5), 4: (7, 8)}


def test_several_searches_are_drawn_side_by_side_with_captions() -> None:
    picture = draw(record_search(mtdf, tree.parse(AIMA)))
    captions = re.findall(r'class="caption">(.*?)</text>', picture)
    assert [re.sub("<.*?>", "", text) for text in captions] == [
        "search 1: window (0⁻, 0), at least 3", "search 2: window (3, 3⁺), at most 3",
    ]  # fmt: skip
    assert "2 searches" in picture


def test_a_collapsed_node_shows_the_number_of_visits_below() -> None:
    trace = record_search(alpha_beta, tree.parse(AIMA))
    group = nodes(draw(trace, collapsed={1}))[1]
    assert "collapsed" in group.attrib["class"].split()
    assert [t.text for t in group.iter(f"{SVG}text") if t.attrib["class"] == "count"] == ["3"]
    assert "8 of 11 visits drawn" in draw(trace, collapsed={1})


def test_a_leaf_cannot_be_collapsed() -> None:
    trace = record_search(alpha_beta, tree.parse(AIMA))
    assert draw(trace, collapsed={2}) == draw(trace)


def test_nodes_show_less_the_more_there_are() -> None:
    classes = [ET.fromstring(draw(connect4(depth))).attrib["class"] for depth in (1, 3, 4)]
    assert classes == ["searchtree full", "searchtree value", "searchtree dot"]


def test_in_a_large_tree_the_deepest_nodes_are_collapsed(monkeypatch: pytest.MonkeyPatch) -> None:
    trace = connect4(3, minimax)
    limit = 100
    collapsed = treeplan.choose_collapsed(trace, max_drawn=limit)
    assert {trace.visits[n].ply for n in collapsed} == {2}
    assert min(collapsed) > max(
        v.number for v in trace.visits if v.ply == 2 and v.number not in collapsed
    )
    assert treeplan.choose_collapsed(trace, collapsed, limit) == collapsed
    assert treeplan.choose_collapsed(trace, max_drawn=len(trace.visits)) == frozenset()
    monkeypatch.setattr(treeplan.choose_collapsed, "__defaults__", (frozenset(), limit))
    picture = draw(trace)
    assert len(nodes(picture)) == 99
    assert "99 of 400 visits drawn" in picture
    assert len(treeplan.plan(trace, treeplan.choose_collapsed(trace, max_drawn=1)).drawn) == 1


def test_table_hits_are_marked() -> None:
    game = plyforge.load("tree:layered,branching=3,depth=4,width=2")
    trace = record_search(alpha_beta_table, game.initial(), DEEP, game)
    marked = {n for n, g in nodes(draw(trace)).items() if "table" in g.attrib["class"].split()}
    assert marked == {visit.number for visit in trace.visits if visit.table_hit}
    assert marked


def test_an_interrupted_search_can_be_drawn() -> None:
    class StopSearch(Exception):
        pass

    def watch(trace: Trace) -> None:
        if len(trace.visits) == 9:
            raise StopSearch

    trace = Trace(watch)
    view = View(tree, trace=trace)
    with pytest.raises(StopSearch):
        alpha_beta(view, view.root(tree.parse(AIMA)), DEEP)
    groups = nodes(draw(trace))
    assert len(groups) == 9
    assert "open" in groups[0].attrib["class"].split()


def test_a_trace_without_visits_is_an_empty_picture() -> None:
    assert nodes(draw(Trace())) == {}


def test_move_texts_are_escaped() -> None:
    trace = record_search(alpha_beta, tree.parse(AIMA))
    trace.visits[1].move = '<script>"&'
    trace.visits[5].moves = ["1", "<b>", "3"]
    picture = ET.fromstring(draw(trace, standalone=True))
    tags = {element.tag.rpartition("}")[2] for element in picture.iter()}
    assert not tags & {"script", "b"}
    assert '<script>"&' in "".join(picture.itertext())


def test_a_standalone_picture_includes_its_stylesheet() -> None:
    trace = record_search(alpha_beta, tree.parse(AIMA))
    assert "--tree-cut" in draw(trace, standalone=True)
    assert "style" not in draw(trace)


def test_the_principal_variation_ends_where_values_are_unknown() -> None:
    trace = record_search(mtdf, tree.parse(AIMA))
    plan = treeplan.plan(trace)
    last = trace.roots()[-1].number
    assert min(plan.line) == last
    for one, other in pairwise(sorted(plan.line)):
        assert trace.visits[other].parent == one
