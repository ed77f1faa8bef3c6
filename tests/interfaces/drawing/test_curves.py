"""Line charts: all points within the picture, in order, with round numbers beside them."""

import math
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from plyforge.interfaces.drawing.curves import (
    COLOURS,
    DASHES,
    Axis,
    Line,
    curves,
    line_style,
    tick_texts,
    ticks,
    value_range,
)

SVG = "{http://www.w3.org/2000/svg}"
VALUES = st.floats(-1e12, 1e12) | st.floats(-1e308, 1e308) | st.floats(0.999999999, 1)
LINES = st.lists(st.lists(VALUES, min_size=1, max_size=8), max_size=4)


def make(values, intervals=False):
    return [
        Line(
            f"<{name}>",
            [(10.0 * place, value) for place, value in enumerate(line)],
            line_style(name),
            [(value - 1, value + 1) for value in line] if intervals else (),
        )
        for name, line in enumerate(values)
    ]


def places(path):
    return [tuple(map(float, place.split())) for place in path.removeprefix("M").split("L")]


@settings(deadline=None, max_examples=30)
@given(LINES, st.integers(240, 1600), st.booleans())
def test_all_points_lie_within_the_picture(values, width, intervals):
    text = curves(make(values, intervals), Axis("loss"), width=float(width))
    picture = ElementTree.fromstring(text)
    _, _, right, bottom = map(float, picture.get("viewBox", "").split())
    assert right == width
    shown = [g for g in picture.iter(f"{SVG}g") if g.get("data-line") is not None]
    assert [g.get("data-line") for g in shown] == [f"<{name}>" for name in range(len(values))]
    for line, group in zip(values, shown, strict=True):
        paths = [p for p in group.iter(f"{SVG}path") if p.get("class") == "curve"]
        assert len(paths) == (len(line) > 1)
        for path in paths:
            assert len(places(path.get("d", ""))) == len(line)
            assert all(0 < x < right and 0 < y < bottom for x, y in places(path.get("d", "")))
    assert "style=" not in text
    assert "nan" not in text


@settings(deadline=None, max_examples=40)
@given(st.lists(st.floats(-50, 50), min_size=2, max_size=30))
@example([0.0, 5e-324])
@example([1e-310, 3e-310])
def test_a_larger_value_is_higher_and_a_later_one_further_right(values):
    picture = ElementTree.fromstring(curves(make([values]), Axis("loss")))
    path = next(p for p in picture.iter(f"{SVG}path"))
    drawn = places(path.get("d", ""))
    for (x, y), (later, other), before, after in zip(
        drawn, drawn[1:], values, values[1:], strict=False
    ):
        assert later > x
        assert (other <= y) if after >= before else (other >= y)


@given(st.floats(-1e9, 1e9), st.floats(1e-3, 1e9), st.integers(2, 12))
def test_ticks_are_round_and_in_the_range(low, span, count):
    assume(span > 1e-6 * abs(low))
    found = ticks(low, low + span, count)
    assert 1 <= len(found) <= count + 1
    assert all(low - 1e-6 * span <= tick <= low + (1 + 1e-6) * span for tick in found)
    texts = tick_texts(found)
    steps = [after - before for before, after in pairwise(found)]
    if steps:
        assert max(steps) - min(steps) <= 1e-6 * max(abs(found[0]), abs(found[-1]), span)
        step = sum(steps) / len(steps)
        assert step / 10.0 ** math.floor(math.log10(step) + 1e-6) == pytest.approx(
            min((1, 2, 5), key=lambda one: abs(one - float(f"{step:.1e}"[0])))
        )
    if abs(low) < 1e5 and 1e-2 < span < 1e5:
        assert len(set(texts)) == len(texts)


@settings(deadline=None, max_examples=40)
@given(LINES)
def test_a_range_holds_all_values_and_is_not_empty(values):
    low, high = value_range(make(values))
    assert low < high
    assert math.isfinite(high - low)
    assert all(low <= value <= high for line in values for value in line if abs(value) < 1e99)


def test_zero_is_the_border_if_it_is_near():
    assert value_range(make([[0.1, 0.5]]))[0] == 0
    assert value_range(make([[-0.1, -0.5]]))[1] == 0
    assert value_range(make([[0.4, 0.5]]))[0] == pytest.approx(0.394)


def test_forty_lines_can_be_told_apart():
    count = COLOURS * DASHES
    assert len({line_style(place) for place in range(count)}) == count == 40
