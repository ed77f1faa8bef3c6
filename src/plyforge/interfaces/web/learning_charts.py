"""Charts and tables of one or two runs of learning, side by side."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from plyforge.interfaces.drawing.curves import Axis, Line, curves, line_style, value_range
from plyforge.interfaces.web.archive import table_fields
from plyforge.learn.curves import (
    Point,
    WeightCurves,
    loss_points,
    merge_points,
    score_points,
    shown_weights,
)
from plyforge.learn.report import rounds_table, settings_tables, weights_table
from plyforge.learn.store import Round, RunRow

MAX_POINTS: Final = 200
"""Points of a line: of more rounds, neighbours are merged."""
MAX_TESTS: Final = 40
MAX_WEIGHTS: Final = 40
"""Weights that are all shown; of more, only some are."""
SHOWN_WEIGHTS: Final = 20
_SHIFT: Final = 5.0
"""Pixels between the tests of two runs after the same number of games."""


@dataclass(frozen=True)
class LoadedRun:
    """What the curves of a run are drawn from."""

    row: RunRow
    label: str
    rounds: list[Round]
    history: list[tuple[float, float | None]]
    """Losses of the steps in which a data set was learned."""
    curves: WeightCurves


def draw_runs(runs: Sequence[LoadedRun], width: int, changes: bool) -> dict[str, Any]:
    """Return the charts of runs side by side, and their tables.

    With `changes`, weights are drawn as differences from their first stored values.
    """
    different, same = settings_tables([(run.label, run.row.plan) for run in runs])
    charts = [_loss_chart(runs, width), _score_chart(runs, width), _step_chart(runs, width)]
    return {
        "charts": [chart for chart in charts if chart is not None]
        + _weight_charts(runs, width, changes),
        "tables": [
            table_fields(rounds_table(run.rounds, f"Rounds of {run.label}"))
            for run in runs
            if run.rounds
        ],
        "weights": [
            table_fields(_weights_table(run, places))
            for run, places in zip(runs, _shown_places(runs), strict=True)
            if len(places)
        ],
        "settings": [table_fields(table) for table in (different, same) if table.rows],
    }


def _loss_chart(runs: Sequence[LoadedRun], width: int) -> dict[str, Any]:
    lines, size = _loss_lines(runs, lambda run, held_out: loss_points(run.rounds, held_out))
    note = f"Each point is the mean of {size} rounds." if size > 1 else ""
    return _chart("Loss", lines, Axis("loss"), width, note, "No loss is known yet.")


def _loss_lines(
    runs: Sequence[LoadedRun], points_of: Callable[[LoadedRun, bool], list[Point]]
) -> tuple[list[Line], int]:
    """Return lines of losses, with dashes for held-out games; and how many points make one."""
    lines, sizes = [], [1]
    for place, run in enumerate(runs):
        for held_out in (False, True):
            points, size = merge_points(points_of(run, held_out), MAX_POINTS)
            if points:
                label = f"{run.label}, held-out games" if held_out else run.label
                lines.append(Line(label, points, f"c{place}{' d1' if held_out else ''}"))
                sizes.append(size)
    return lines, max(sizes)


def _score_chart(runs: Sequence[LoadedRun], width: int) -> dict[str, Any]:
    lines, sizes = [], []
    for place, run in enumerate(runs):
        points, size = score_points(run.rounds, MAX_TESTS)
        sizes.append(size)
        if points:
            values = [(float(point.games), point.score) for point in points]
            intervals = [point.interval for point in points]
            shift = _SHIFT * (place - (len(runs) - 1) / 2)
            lines.append(Line(run.label, values, f"c{place}", intervals, shift))
    note = "Bars are 95 % intervals; at 50 % the weights are as strong as at the start."
    if max(sizes) > 1:
        note += f" Each point is the mean of {max(sizes)} tests."
    axis = Axis("share of points", (0.0, 1.0), percent=True, reference=0.5)
    empty = "No test against the weights of the start has ended yet."
    return _chart("Points against the start", lines, axis, width, note, empty)


def _step_chart(runs: Sequence[LoadedRun], width: int) -> dict[str, Any] | None:
    """Return the losses while a data set was learned, None if no run has any."""

    def points_of(run: LoadedRun, held_out: bool) -> list[Point]:
        steps = [(float(n), loss[held_out]) for n, loss in enumerate(run.history, 1)]
        return [(step, loss) for step, loss in steps if loss is not None and math.isfinite(loss)]

    lines, size = _loss_lines(runs, points_of)
    if not lines:
        return None
    note = f"Each point is the mean of {size} steps." if size > 1 else ""
    return _chart("Loss by steps of the last fit", lines, Axis("loss"), width, note, x_axis="steps")


def _shown_places(runs: Sequence[LoadedRun]) -> list[list[int]]:
    """Return the places of the weights to show, for each run."""
    curves = [run.curves for run in runs]
    return [places for _, places in shown_weights(curves, MAX_WEIGHTS, SHOWN_WEIGHTS)]


def _weight_charts(runs: Sequence[LoadedRun], width: int, changes: bool) -> list[dict[str, Any]]:
    """Return a chart for each run; runs of one form have the same scale and colours."""
    shown = list(zip(runs, _shown_places(runs), strict=True))
    lines = [list(_weight_lines(run, places, changes)) for run, places in shown]
    alike = len({run.curves.fingerprint for run in runs}) == 1
    everything = [line for own in lines for line in own]
    ranges = [value_range(everything if alike else own) for own in lines]
    what, value = ("Changes of weights", "change") if changes else ("Weights", "value")
    charts = []
    for (run, places), own, limits in zip(shown, lines, ranges, strict=True):
        title = f"{what} of {run.label}" if len(runs) > 1 else what
        axis, count = Axis(value, limits), run.curves.count
        if len(run.curves.games) > 1:
            left_out = len(places) < count
            note = f"The {len(places)} of {count:,} weights that changed most." if left_out else ""
            charts.append(_chart(title, own, axis, width, note))
        else:
            charts.append(_chart(title, [], axis, width, empty=_no_curve(run, count)))
    return charts


def _no_curve(run: LoadedRun, count: int) -> str:
    """Say why there is no curve of weights."""
    if not run.curves.games:
        return "No weights are stored yet."
    reason = "the last values are stored" if len(run.rounds) > 1 else "one round has ended"
    return f"There is no curve of the {count:,} weights: only {reason}."


def _weight_lines(run: LoadedRun, places: Sequence[int], changes: bool) -> Iterator[Line]:
    weights = run.curves.weights
    finite = np.nan_to_num(weights - weights[:1] if changes else weights)
    for number, place in enumerate(places):
        points = list(zip(map(float, run.curves.games), finite[:, place].tolist(), strict=True))
        yield Line(run.curves.weight_name(place), points, line_style(number))


def _weights_table(run: LoadedRun, places: Sequence[int]) -> Any:
    curves = run.curves
    names = [curves.weight_name(place) for place in places]
    first, last = curves.weights[0, list(places)], curves.weights[-1, list(places)]
    games = curves.games[0], curves.games[-1]
    return weights_table(f"Weights of {run.label}", names, first, last, games)


def _chart(
    title: str,
    lines: Sequence[Line],
    axis: Axis,
    width: int,
    note: str = "",
    empty: str = "",
    x_axis: str = "games",
) -> dict[str, Any]:
    if not lines:
        return {"title": title, "svg": None, "note": empty, "legend": []}
    return {
        "title": title,
        "svg": curves(lines, axis, x_axis, float(width)),
        "note": note,
        "legend": [{"label": line.label, "style": line.style} for line in lines],
    }
