"""Draw the charts of experiments."""

from pathlib import Path
from typing import Any, Final

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from plyforge.interfaces.plots.canvas import figure, save, tidy
from plyforge.lab.charts import Chart, Series

_COLOURS: Final = (
    *("#1f4e79", "#b4540a", "#3b7d3b", "#7b4b94", "#a63d57", "#4a9aa5", "#8c7321", "#555555"),
)
_MARKS: Final = "osD^vP*X"
_PUBLISHED_SIZE: Final = 11
_POWERS: Final = tuple(float(1 << bits) for bits in range(13))
"""Numbers of threads and processors: a logarithmic axis that has only these is labelled by them."""


def draw(chart: Chart, path: Path) -> None:
    """Draw a chart to a file."""
    save(plot_chart(chart), path)


def plot_chart(chart: Chart) -> Figure:
    """Plot a chart; published figures are hollow and dashed."""
    rows = len(chart.x_names or ())
    each = 0.6 if chart.points else 0.34 if chart.stacked else 0.34 * len(chart.series)
    picture = figure(9.6, max(5.0, 1.6 + each * rows) if rows else 5.4)
    axes = picture.subplots()
    if chart.x_names is not None and chart.stacked:
        _draw_stacked_bars(axes, chart, chart.x_names)
    elif chart.x_names is not None:
        _draw_bars(axes, chart)
    else:
        _draw_lines(axes, chart)
    axes.set_title(chart.title, fontsize=12, loc="left")
    axes.legend(frameon=False, fontsize=9, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    return picture


def _draw_lines(axes: Any, chart: Chart) -> None:
    for number, series in enumerate(chart.series):
        colour = _colour_of(chart, number)
        style: dict[str, Any] = {"color": colour, "label": _label(series)}
        if series.published:
            style |= {"linestyle": "--", "marker": _MARKS[number % 8], "markerfacecolor": "white"}
            style |= {"markersize": _PUBLISHED_SIZE, "markeredgewidth": 1.8, "zorder": 3}
        else:
            style |= {"marker": _MARKS[number % 8], "linewidth": 1.8}
        axes.plot(series.x, series.y, **style)
        if series.low is not None and series.high is not None:
            axes.fill_between(series.x, series.low, series.high, color=colour, alpha=0.15, lw=0)
            if len(series.x) == 1:  # a band over one point has no width
                axes.vlines(series.x, series.low, series.high, color=colour, linewidth=1.2)
    axes.set(xlabel=chart.x_label, ylabel=chart.y_label)
    axes.set_yscale("log" if chart.log_y else "linear")
    axes.set_xscale("log" if chart.log_x else "linear")
    for axis, log in ((axes.xaxis, chart.log_x), (axes.yaxis, chart.log_y)):
        if log:
            _use_plain_numbers(axis)
    places = sorted({float(x) for series in chart.series for x in series.x})
    if chart.log_x and all(x in _POWERS for x in places):
        axes.set_xticks(places)
        axes.set_xticks([], minor=True)
    if not chart.log_x and all(x.is_integer() for x in places):
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    if chart.origin is not None:
        axes.axhline(chart.origin, color="#333333", linewidth=1)
    tidy(axes)


def _draw_bars(axes: Any, chart: Chart) -> None:
    """Draw horizontal bars or points, so that long names can be read."""
    assert chart.x_names is not None
    height = 0.8 / len(chart.series)
    begin = 0.0 if chart.origin is None else chart.origin
    if chart.log_y:
        axes.set_xscale("log")
        # The limits would stop at the origin, where bars begin, if other bars are very long.
        axes.use_sticky_edges = False
    for number, series in enumerate(chart.series):
        shift = (number - (len(chart.series) - 1) / 2) * height
        places = [-x - shift for x in series.x]
        style: dict[str, Any] = {"color": _colour_of(chart, number), "label": _label(series)}
        if chart.points:
            fill = "white" if series.published else style["color"]
            mark = _MARKS[number % len(_MARKS)]
            size = _PUBLISHED_SIZE if series.published else 6
            axes.plot(series.y, places, mark, markerfacecolor=fill, markersize=size, **style)
        else:
            if series.published:
                style |= {"facecolor": "white", "edgecolor": style.pop("color"), "hatch": "///"}
            axes.barh(places, [y - begin for y in series.y], 0.9 * height, left=begin, **style)
        if series.low is not None and series.high is not None:
            errors = [
                [max(0.0, y - low) for y, low in zip(series.y, series.low, strict=True)],
                [max(0.0, high - y) for y, high in zip(series.y, series.high, strict=True)],
            ]
            colour = _colour_of(chart, number) if chart.points else "#333333"
            axes.errorbar(
                series.y, places, xerr=errors, fmt="none", ecolor=colour, capsize=2, linewidth=1
            )
    axes.set_yticks([-float(i) for i in range(len(chart.x_names))], chart.x_names)
    axes.set(xlabel=chart.y_label, ylabel=chart.x_label)
    if chart.origin is not None:
        axes.axvline(chart.origin, color="#333333", linewidth=1)
    if chart.log_y:
        _use_plain_numbers(axes.xaxis)
    tidy(axes, "x")


def _draw_stacked_bars(axes: Any, chart: Chart, names: tuple[str, ...]) -> None:
    """Draw one horizontal bar for each name, made of a part for each series."""
    ends = [0.0] * len(names)
    for number, series in enumerate(chart.series):
        places = [int(x) for x in series.x]
        begins = [ends[place] for place in places]
        style: dict[str, Any] = {"color": _colour_of(chart, number), "label": _label(series)}
        axes.barh([-place for place in places], series.y, 0.72, left=begins, **style)
        for place, y in zip(places, series.y, strict=True):
            ends[place] += y
    axes.set_yticks([-float(i) for i in range(len(names))], names)
    axes.set(xlabel=chart.y_label, ylabel=chart.x_label)
    if chart.origin is not None:
        axes.axvline(chart.origin, color="#333333", linewidth=1)
    tidy(axes, "x")


def _use_plain_numbers(axis: Any) -> None:
    """Label a logarithmic axis with plain numbers, also between few powers of ten."""
    low, high = axis.get_view_interval()
    between = "" if high >= 200 * low else "25" if high >= 10_000 else "235"
    axis.set_major_formatter(lambda value, _: f"{value:,.15g}")
    axis.set_minor_formatter(
        lambda value, _: f"{value:,.10g}" if f"{value:e}"[0] in between else ""
    )


def _colour_of(chart: Chart, number: int) -> str:
    """Return the colour of a series; series with the same label share one."""
    labels = list(dict.fromkeys(series.label for series in chart.series))
    return _COLOURS[labels.index(chart.series[number].label) % len(_COLOURS)]


def _label(series: Series) -> str:
    return f"{series.label} ({series.origin})" if series.published else series.label
