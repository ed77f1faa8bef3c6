"""Plots of fitted numbers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from matplotlib.figure import Figure

from plyforge.interfaces.plots.canvas import ACCENT, INK, figure, save, tidy
from plyforge.learn.realization import describe
from plyforge.search.fits import Fit, Row

_MAX_POINTS: Final = 4000


def draw_fit(fit: Fit, samples: Sequence[Any], path: Path) -> None:
    """Plot a fit to a file."""
    plots = {"probcut": plot_predictions, "realization": plot_categories}
    save(plots[fit.method](fit, samples), path)


def plot_predictions(fit: Fit, samples: Sequence[Any]) -> Figure:
    """Plot the error of each prediction by depth, and the pairs of the deepest one."""
    picture = figure(9.6, 4.2)
    errors, pairs = picture.subplots(1, 2)
    closest: dict[tuple[float, float], Row] = {}
    for row in fit.rows:  # of two shallow depths, the deeper one
        closest[row["phase"], row["depth"]] = row
    stages = sorted({stage for stage, _ in closest})
    for stage in stages:
        rows = [row for (one, _), row in sorted(closest.items()) if one == stage]
        shade = 0.2 + 0.75 * stage / max(stages[-1], 1) if len(stages) > 1 else 1.0
        label = f"phase {stage:g}" if len(stages) > 1 else None
        errors.plot(
            [row["depth"] for row in rows],
            [row["sigma"] for row in rows],
            "o-",
            color=INK,
            alpha=shade,
            label=label,
        )
    errors.set(xlabel="depth", ylabel="standard deviation of the error", ylim=(0, None))
    if len(stages) > 1:
        errors.legend(frameon=False, ncols=2, loc="upper left", fontsize=8)
        errors.set_ylim(0, 1.35 * max(row["sigma"] for row in closest.values()))
    tidy(errors)
    last = fit.rows[-1]
    _plot_pairs(pairs, last, samples)
    picture.suptitle(f"{fit.game}: how shallow searches predict deeper ones", fontsize=12)
    return picture


def _plot_pairs(axes: Any, row: Row, samples: Sequence[Any]) -> None:
    deep, shallow = int(row["depth"]), int(row["shallow"])
    points = [
        (values[shallow - 1], values[deep - 1])
        for game in samples
        for stage, values in game
        if stage == row["phase"] and len(values) >= deep
    ]
    known = [(x, y) for x, y in points if x is not None and y is not None][:_MAX_POINTS]
    if known:
        xs, ys = zip(*known, strict=True)
        axes.plot(xs, ys, ".", color="#b9c7d6", markersize=3)
        ends = (min(xs), max(xs))
        axes.plot(ends, [row["a"] * x + row["b"] for x in ends], color=ACCENT)
    axes.set(
        xlabel=f"value at depth {shallow}",
        ylabel=f"value at depth {deep}",
        title=f"a = {row['a']:g}, b = {row['b']:g}, σ = {row['sigma']:g}",
    )
    tidy(axes)


def plot_categories(fit: Fit, samples: Sequence[Any]) -> Figure:
    """Plot the depth that moves of each category cost."""
    rows = sorted(fit.rows, key=lambda row: -row["plies"])
    picture = figure(9.6, 1.4 + 0.32 * len(rows))
    axes = picture.subplots()
    places = range(len(rows))
    axes.barh(places, [row["plies"] for row in rows], height=0.6, color=INK)
    axes.set_yticks(places, [describe(int(row["category"])) for row in rows])
    axes.axvline(1.0, color=ACCENT)
    axes.set(xlabel="plies that a move costs")
    tidy(axes, "x")
    picture.suptitle(f"{fit.game}: depth by category of move", fontsize=12)
    return picture
