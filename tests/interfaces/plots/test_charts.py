"""Charts become pictures that name their axes and draw published figures beside ours."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.plots.charts import draw, plot_chart
from plyforge.lab import Chart, Estimate, Series

OURS = Series.of("ours", [(4, Estimate(2, 1, 3, 9)), (5, None), (6, Estimate(3, 2, 5, 9))])
THEIRS = Series("ours", (4.0, 6.0), (2.5, 2.75), published=True)
LINES = Chart("lines", "A title", "depth", "leaves", (OURS, THEIRS))
BARS = Chart(
    "bars",
    "A title",
    "configuration",
    "ratio",
    (Series("leaves", (0.0, 1.0), (0.5, 8.0), (0.4, 6.0), (0.6, 9.0)),),
    ("without table", "with killers & more"),
    log_y=True,
    origin=1.0,
)
STACKED = Chart(
    "stacked",
    "A title",
    "",
    "share",
    (Series("work", (0.0, 1.0), (3.0, 2.0)), Series("idle", (1.0,), (4.0,))),
    ("one", "two"),
    stacked=True,
)
KINDS = {
    "stacked": STACKED,
    "lines": LINES,
    "bars": BARS,
    "one point": Chart("p", "t", "x", "y", (Series.of("a", [(3, Estimate(2, 1, 3, 9))]),)),
    "logarithms": Chart("l", "t", "x", "y", (OURS, THEIRS), log_x=True, log_y=True),
    "bars from zero": Chart("b", "t", "x", "y", BARS.series, BARS.x_names),
    "many": Chart("m", "t", "x", "y", tuple(Series(str(i), (1.0,), (i,)) for i in range(12))),
    "an empty series": Chart("e", "t", "x", "y", (OURS, Series("none", (), ()))),
    "a line to compare with": Chart("o", "t", "x", "y", (OURS,), origin=1.0),
}


@pytest.mark.parametrize(
    ("kind", "suffix"),
    [
        pytest.param(kind, suffix, marks=[pytest.mark.long] * (suffix == ".png" and kind != "bars"))
        for kind in KINDS
        for suffix in (".png", ".svg")
    ],
)
def test_a_chart_is_drawn(tmp_path, kind, suffix):
    path = tmp_path / f"x{suffix}"
    draw(KINDS[kind], path)
    start = path.read_bytes()[:100]
    assert start.startswith(b"\x89PNG" if suffix == ".png" else b"<?xml")


@pytest.mark.parametrize("chart", [LINES, BARS], ids=lambda chart: chart.name)
def test_the_same_chart_gives_the_same_image(tmp_path, chart):
    for name in ("a.svg", "b.svg"):
        draw(chart, tmp_path / name)
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()


def texts_of(tmp_path: Path, chart: Chart) -> set[str | None]:
    draw(chart, tmp_path / "x.svg")
    elements = ElementTree.parse(tmp_path / "x.svg").iter("{http://www.w3.org/2000/svg}text")
    return {element.text for element in elements}


def test_axes_title_and_published_figures_are_named(tmp_path):
    texts = texts_of(tmp_path, LINES)
    assert {"A title", "depth", "leaves", "ours", "ours (published)"} <= texts
    assert {"4", "5", "6"} <= texts  # depths are whole


def test_bars_are_named_and_their_scale_has_plain_numbers(tmp_path):
    texts = texts_of(tmp_path, BARS)
    assert {"without table", "ratio", "configuration", "0.5", "1", "2", "5"} <= texts


def test_parts_of_a_bar_begin_where_the_last_one_ends():
    bars = [(bar.get_x(), bar.get_width()) for bar in plot_chart(STACKED).axes[0].patches]
    assert bars == [(0, 3), (0, 2), (2, 4)]


def test_points_that_were_not_measured_are_left_out():
    assert (OURS.x, OURS.y, OURS.low, OURS.high) == ((4, 6), (2, 3), (1, 2), (3, 5))


def test_a_picture_has_no_date_and_keeps_the_decimals_of_its_texts(tmp_path):
    small = Chart("s", "t", "x", "y", (Series("a", (1.0, 2.0), (0.0001, 0.0002)),))
    assert {"0.00010", "0.00012"} <= texts_of(tmp_path, small)
    text = (tmp_path / "x.svg").read_text(encoding="utf-8")
    assert "dc:date" not in text
    assert "Matplotlib" not in text


def test_an_unwritable_file_is_reported(tmp_path):
    with pytest.raises(PlyforgeError, match="cannot be written"):
        draw(LINES, tmp_path / "no folder" / "x.png")
