"""Plots of learning: losses, scores against the start and weights by games, of several runs."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from matplotlib.figure import Figure

from plyforge.interfaces.plots.canvas import ACCENT, INK, figure, save, tidy
from plyforge.learn.curves import WeightCurves, score_points, shown_weights
from plyforge.learn.store import Round

_COLOURS: Final = (INK, ACCENT, "#2f7d5b", "#7a5195", "#b58900", "#5b6b7a")
_STYLES: Final = ("-", "--")
MAX_WEIGHTS: Final = len(_COLOURS) * len(_STYLES)
"""Weights of a run that are drawn."""
MAX_POINTS: Final = 400
"""Points of the curve of a weight."""
_FEW_ROUNDS: Final = 12
"""With fewer rounds, each is marked."""
_MAX_NAME: Final = 40


@dataclass(frozen=True)
class PlottedRun:
    """What is plotted of a run."""

    name: str
    rounds: Sequence[Round]
    curves: WeightCurves


def draw_learning(runs: Sequence[PlottedRun], path: Path) -> None:
    """Plot runs to a file."""
    save(plot_learning(runs), path)


def plot_learning(runs: Sequence[PlottedRun]) -> Figure:
    """Plot the losses of each run, its scores against the weights of the start, and its weights.

    Scores are left out if no run was tested.  Of many weights only those that changed most are
    drawn.
    """
    shown = shown_weights([run.curves for run in runs], MAX_WEIGHTS, MAX_WEIGHTS)
    weights = [
        (run.name, curves, places)
        for run, (curves, places) in zip(runs, shown, strict=True)
        if len(curves.games) > 1
    ]
    tested = any(one.score is not None for run in runs for one in run.rounds)
    rows = 1 + tested + len(weights)
    picture = figure(9.6, 3.2 * max(rows, 1.25))
    losses, *others = picture.subplots(rows, 1, sharex=True, squeeze=False)[:, 0]
    _plot_losses(losses, runs)
    if tested:
        _plot_scores(others[0], runs)
    for axes, (name, curves, places) in zip(others[tested:], weights, strict=True):
        _plot_weights(axes, name, curves, places)
    for axes in (losses, *others):
        tidy(axes)
    (losses, *others)[-1].set_xlabel("games")
    picture.align_ylabels()
    tests = ", and tests with 95 % intervals" if tested else ""
    picture.suptitle(f"Learning: loss of each round{tests}", fontsize=12)
    return picture


def _plot_losses(axes: Any, runs: Sequence[PlottedRun]) -> None:
    """Plot the loss of each run, and dashed that in held-out games."""

    def draw(run: PlottedRun, loss: Callable[[Round], float | None], **style: Any) -> None:
        points = [(one.games, loss(one)) for one in run.rounds if loss(one) is not None]
        if points:
            marker = "o" if len(points) < _FEW_ROUNDS else None
            axes.plot(*zip(*points, strict=True), marker=marker, markersize=4, alpha=0.9, **style)

    for number, run in enumerate(runs):
        colour = _COLOURS[number % len(_COLOURS)]
        draw(run, lambda one: one.loss, color=colour, linewidth=1.0, label=run.name)
        held_out = {"color": colour, "linewidth": 1.4, "linestyle": "--"}
        draw(run, lambda one: one.held_out_loss, label=f"{run.name}, held-out games", **held_out)
    axes.set(ylabel="loss")
    axes.legend(frameon=False, loc="best")


def _plot_scores(axes: Any, runs: Sequence[PlottedRun]) -> None:
    """Plot the points of each run against the weights of the start."""
    for number, run in enumerate(runs):
        tested, _ = score_points(run.rounds)
        limits = [point.interval for point in tested]
        axes.errorbar(
            [point.games for point in tested],
            [100.0 * point.score for point in tested],
            yerr=[
                [100.0 * (one.score - low) for one, (low, _) in zip(tested, limits, strict=True)],
                [100.0 * (high - one.score) for one, (_, high) in zip(tested, limits, strict=True)],
            ],
            color=_COLOURS[number % len(_COLOURS)],
            linewidth=1.4,
            marker="o",
            markersize=4,
            capsize=2,
            label=run.name,
        )
    axes.axhline(50.0, color="#999999", linewidth=1.0, linestyle="--")
    axes.set(ylabel="points against the start, %", ylim=(-3, 103))


def _plot_weights(axes: Any, name: str, curves: WeightCurves, places: Sequence[int]) -> None:
    for number, place in enumerate(places):
        axes.plot(
            curves.games,
            curves.weights[:, place],
            color=_COLOURS[number % len(_COLOURS)],
            linestyle=_STYLES[number // len(_COLOURS)],
            linewidth=1.2,
            label=_short(curves.weight_name(place)),
        )
    some = f", the {len(places)} of {curves.count:,} that changed most"
    axes.set_title(
        f"Weights of {name}{some if len(places) < curves.count else ''}", fontsize=10, loc="left"
    )
    axes.set_ylabel("weight")
    axes.legend(frameon=False, fontsize=8, loc="upper left", bbox_to_anchor=(1.0, 1.0))


def _short(name: str) -> str:
    return name if len(name) <= _MAX_NAME else f"{name[: _MAX_NAME - 1]}…"
