"""The evaluation over a game: a point for each known score, all within the picture."""

import math
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyforge.core.errors import PlyforgeError
from plyforge.core.scores import WIN
from plyforge.interfaces.drawing.graph import graph

SVG = "{http://www.w3.org/2000/svg}"
SCORES = st.none() | st.floats(-2 * WIN, 2 * WIN) | st.sampled_from([math.inf, -math.inf])


def points(text: str) -> list[ElementTree.Element]:
    return [g for g in ElementTree.fromstring(text).iter(f"{SVG}g") if g.get("class") == "point"]


def dots(text: str) -> list[tuple[float, float]]:
    circles = [point.find(f"{SVG}circle") for point in points(text)]
    return [(float(d.get("cx", "")), float(d.get("cy", ""))) for d in circles if d is not None]


@settings(deadline=None, max_examples=40)
@given(st.lists(SCORES, max_size=60), st.floats(1e-3, 1e7), st.booleans())
def test_each_known_score_is_a_point_within_the_picture(scores, limit, standalone):
    text = graph(scores, limit, "score", standalone=standalone)
    known = [ply for ply, score in enumerate(scores) if score is not None]
    assert [int(point.get("data-ply", "")) for point in points(text)] == known
    _, _, width, height = map(float, ElementTree.fromstring(text).get("viewBox", "").split())
    assert all(0 < x < width and 0 < y < height for x, y in dots(text))
    assert "style=" not in text


@settings(deadline=None, max_examples=40)
@given(st.lists(st.floats(-50, 50), min_size=2, max_size=30))
def test_a_better_score_is_higher_and_a_later_one_further_right(scores):
    places = dots(graph(scores, 50, "score"))
    assert places == sorted(places, key=lambda place: place[0])
    for (_, high), (_, low), better, worse in zip(
        places, places[1:], scores, scores[1:], strict=False
    ):
        assert (high <= low) or better <= worse


@pytest.mark.parametrize("count", [0, 1, 2, 500])
def test_games_of_any_length_are_drawn(count):
    text = graph([math.sin(ply) for ply in range(count)], 1, "score")
    assert len(points(text)) == count
    ticks = [t for t in ElementTree.fromstring(text).iter(f"{SVG}text") if t.get("class") == "tick"]
    assert 2 <= len(ticks) <= 11


def test_an_unknown_score_breaks_the_line():
    text = graph([0, 1, None, 1, 2, None, 3, math.nan], 3, "score")
    assert text.count('class="curve"') == 2
    assert len(points(text)) == 5


def test_the_title_of_a_point_is_ply_and_score():
    titles = [p.findtext(f"{SVG}title") for p in points(graph([0.25, WIN - 7], 1, "score"))]
    assert titles == ["ply 0: +0.25", "ply 1: win in 7"]


def test_the_label_is_escaped_and_names_axis_and_picture():
    root = ElementTree.fromstring(graph([1], 1, "<b>\"&'"))
    assert root.get("aria-label") == "<b>\"&'"
    assert "<b>\"&'" in [text.text for text in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("limit", [0, -1, math.inf, math.nan])
def test_an_invalid_limit_is_refused(limit):
    with pytest.raises(PlyforgeError, match="must be positive and finite"):
        graph([1], limit, "score")
