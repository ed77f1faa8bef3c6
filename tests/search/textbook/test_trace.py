"""The recorded tree, and its exports."""

import json
import re
import shutil
import subprocess
from typing import Any

import pytest

import plyforge
from plyforge.search.textbook import (
    Trace,
    View,
    alpha_beta,
    alpha_beta_table,
    expectimax,
    minimax,
    mtdf,
    negascout,
    star2,
    to_dot,
    to_json,
    to_tikz,
    vision_draughts,
)
from plyforge.search.textbook.export import format_value
from plyforge.search.textbook.trace import Visit
from tests.search.textbook.figures import AIMA, DEEP, record_search, tree

TRACES = {
    "alpha-beta": lambda: record_search(alpha_beta, tree.parse(AIMA)),
    "MIN root": lambda: record_search(alpha_beta, tree.parse(f"{AIMA} MIN")),
    "MTD(f)": lambda: record_search(mtdf, tree.parse(AIMA)),
    "NegaScout": lambda: record_search(negascout, tree.parse("[[1,2],[3,4],[5,6]]")),
    "chess": lambda: record_game("chess", "k7/8/1K6/8/8/8/8/7R w - - 0 1", 2),
    "kalah": lambda: record_game("kalah:3,2", "2,2,2/0 2,2,2/0 S", 3),
    "pig": lambda: record_game("pig", "98 97 0 Second", 2, star2),
}


def record_game(name: str, position: str, depth: int, search: Any = alpha_beta) -> Trace:
    game = plyforge.load(name)
    return record_search(search, game.parse(position), depth, game)


def test_every_visit_is_recorded_in_order() -> None:
    trace = record_search(alpha_beta, tree.parse(AIMA), depth=2)
    assert [visit.number for visit in trace.visits] == list(range(11))
    assert [".".join(str(m + 1) for m in visit.path) for visit in trace.visits] == (
        ["", "1", "1.1", "1.2", "1.3", "2", "2.1", "3", "3.1", "3.2", "3.3"]
    )
    assert [visit.parent for visit in trace.visits] == [None, 0, 1, 1, 1, 0, 5, 0, 7, 7, 7]
    assert [visit.move for visit in trace.visits] == ["", *"1123213123"]
    second = trace.visits[5]
    assert (second.alpha, second.beta, second.value) == (float("-inf"), -3, -2)
    assert (second.kind, second.cut_by, second.unseen) == ("CUT", "1", ["2", "3"])
    assert (second.ply, second.depth, second.side, second.leaf) == (1, 1, 1, False)
    last = trace.visits[7]
    assert (last.cut_by, last.unseen) == ("3", [])


def test_kinds_follow_from_window_and_value() -> None:
    kinds = []
    for value in (-2.0, -1.0, 0.0, 1.0, 2.0):
        kinds.append(Visit(0, None, (), "", None, 0, 1, 0, -1.0, 1.0, 0, value).kind)
    assert kinds == ["ALL", "ALL", "PV", "CUT", "CUT"]


def test_kinds_of_a_perfectly_ordered_tree_are_those_of_the_minimal_tree() -> None:
    """PV below PV at the first move and CUT at the others; ALL below CUT; CUT below ALL."""
    game = plyforge.load("tree:ordered,branching=3,depth=4,p=1")
    trace = record_search(alpha_beta, game.initial(), 4, game)
    assert trace.roots()[0].kind == "PV"
    for visit in trace.visits:
        for index, child in enumerate(trace.children(visit)):
            if visit.kind == "PV":
                assert child.kind == ("PV" if index == 0 else "CUT")
            else:
                assert child.kind == ("ALL" if visit.kind == "CUT" else "CUT")


def test_algorithms_for_max_are_recorded_for_the_side_to_move() -> None:
    full = record_search(minimax, tree.parse(AIMA))
    assert full.visits[1].value == -3
    assert (full.visits[1].alpha, full.visits[1].beta) == (float("-inf"), float("inf"))
    one, other = (record_search(s, tree.parse(AIMA)) for s in (vision_draughts, alpha_beta))
    assert [(v.path, v.alpha, v.beta, v.value) for v in one.visits] == [
        (v.path, v.alpha, v.beta, v.value) for v in other.visits
    ]


def test_repeated_searches_are_numbered() -> None:
    again = record_search(negascout, tree.parse("[[1,2],[3,4],[5,6]]"))
    assert [(v.move, v.research) for v in again.children(again.visits[0])] == [
        ("1", 0), ("2", 0), ("2", 1), ("3", 0), ("3", 1),
    ]  # fmt: skip
    passes = record_search(mtdf, tree.parse(AIMA)).roots()
    assert [visit.research for visit in passes] == list(range(len(passes)))
    assert len(passes) > 1


@pytest.mark.parametrize("search", [alpha_beta_table, vision_draughts])
def test_table_hits_are_not_leaves(search: Any) -> None:
    game = plyforge.load("tree:layered,branching=3,depth=4,width=2")
    trace = record_search(search, game.initial(), DEEP, game)
    hits = [visit for visit in trace.visits if visit.table_hit]
    assert hits
    for visit in trace.visits:
        assert visit.table_hit + visit.leaf + bool(visit.moves) == 1
        assert not (visit.table_hit and trace.children(visit))


def test_searching_without_a_trace_records_nothing_and_finds_the_same() -> None:
    view = View(tree)
    assert view.trace is None
    value = alpha_beta(view, view.root(tree.parse(AIMA)), 2)
    assert value == record_search(alpha_beta, tree.parse(AIMA), 2).visits[0].value


# Exports


CHANCE_FIELDS = {"chance", "probability", "information", "probe"}
FIELDS = {
    "number", "parent", "move", "path", "ply", "depth", "side", "alpha", "beta", "value", "kind",
    "leaf", "table_hit", "research", "moves", "cut_by", "unseen",
}  # fmt: skip


@pytest.mark.parametrize("name", TRACES)
def test_json_holds_every_visit(name: str) -> None:
    trace = TRACES[name]()
    found = json.loads(to_json(trace), parse_constant=pytest.fail)
    assert found["format"] == "plyforge search tree 1"
    assert len(found["visits"]) == len(trace.visits)
    for row, visit in zip(found["visits"], trace.visits, strict=True):
        assert set(row) - CHANCE_FIELDS == FIELDS
        assert ("probability" in row) == (visit.chance or visit.probability is not None)
        assert row["value"] == visit.value
        assert row["parent"] is None or row["parent"] < row["number"]
        assert (row["alpha"] is None) == (visit.alpha in (float("-inf"), float("inf")))


NAME = r"n\d+(?:s\d+)?"
TEXT = r'"(?:[^"\\\n]|\\.)*"'
PAIR = rf"\w+=(?:\w+|{TEXT})"
STATEMENT = re.compile(rf"  ({NAME})(?: -> ({NAME}))? \[{PAIR}(?:, {PAIR})*\];")


@pytest.mark.parametrize("name", TRACES)
def test_dot_is_well_formed_and_complete(name: str) -> None:
    trace = TRACES[name]()
    for stubs in (False, True):
        text = to_dot(trace, stubs=stubs)
        lines = text.splitlines()
        assert lines[0] == "digraph search {"
        assert lines[-1] == "}"
        matches = [STATEMENT.fullmatch(line) for line in lines[2:-1]]
        assert all(matches), text
        nodes = {m[1] for m in matches if m and m[2] is None}
        edges = [(m[1], m[2]) for m in matches if m and m[2]]
        assert {end for edge in edges for end in edge} <= nodes
        unseen = sum(len(visit.unseen) for visit in trace.visits)
        assert len(nodes) == len(trace.visits) + stubs * unseen
        assert len(edges) == len(nodes) - len(trace.roots())
        if shutil.which("dot"):
            subprocess.run(["dot", "-Tsvg"], input=text, text=True, capture_output=True, check=True)


def is_balanced(text: str) -> bool:
    closing = {"}": "{", "]": "["}
    waiting: list[str] = []
    for sign in re.sub(r"\\[\\{}]", "", text):
        if sign in "{[":
            waiting.append(sign)
        elif sign in closing and (not waiting or waiting.pop() != closing[sign]):
            return False
    return not waiting


@pytest.mark.parametrize("name", TRACES)
def test_tikz_is_balanced_and_complete(name: str) -> None:
    trace = TRACES[name]()
    text = to_tikz(trace)
    assert is_balanced(text)
    assert text.isascii()
    assert text.count(r"\begin{forest}") == text.count(r"\end{forest}") == len(trace.roots())
    assert len(re.findall(r"^ *\[\{", text, re.M)) == len(trace.visits)
    assert text.count("edge=dashed") == sum(len(visit.unseen) for visit in trace.visits)
    assert "edge=dashed" not in to_tikz(trace, stubs=False)


def test_pictures_show_values_for_max_or_for_the_mover() -> None:
    trace = record_search(alpha_beta, tree.parse(AIMA), depth=2)
    assert r'n5 [shape=ellipse, label="2\n(3, ∞)\n5: CUT"]' in to_dot(trace)
    assert r'n5 [shape=ellipse, label="-2\n(-∞, -3)\n5: CUT"]' in to_dot(trace, mover=True)


def test_chance_has_circles_of_its_own_in_pictures() -> None:
    """Circles are for chance; MIN, whose nodes are circles in other trees, has rounded boxes."""
    trace = record_game("pig", "98 95 0 Second", 2, expectimax)
    assert {visit.side for visit in trace.visits} == {0, 1}
    chance = [visit.number for visit in trace.visits if visit.chance]
    expanded = [visit.number for visit in trace.visits if visit.chance and not visit.leaf]
    assert expanded
    text = to_tikz(trace)
    assert is_balanced(text)
    assert text.count(", circle") == len(chance)
    assert ", rounded corners" in text
    dot = to_dot(trace)
    assert re.findall(r"n(\d+) \[shape=circle", dot) == [str(number) for number in chance]
    assert dot.count(': 1/6"') == 6 * len(expanded)


def test_move_texts_cannot_break_a_picture() -> None:
    trace = record_search(alpha_beta, tree.parse(AIMA), depth=2)
    trace.visits[1].move = 'a"b\\{%]_#\n'
    dot = to_dot(trace)
    assert all(STATEMENT.fullmatch(line) for line in dot.splitlines()[2:-1])
    trace.visits[1].move = "a{b}%_#$&^~\\"
    assert is_balanced(to_tikz(trace))


def test_values_are_formatted_for_people() -> None:
    texts = [format_value(v) for v in (3.0, -0.5, -0.0, 9_999_997.0, -9_999_998.0, float("-inf"))]
    assert texts == ["3", "-0.5", "0", "win in 3", "loss in 2", "-∞"]
