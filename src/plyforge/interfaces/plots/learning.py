"""Plots of learning: loss, score against the start and weights by games, of several runs."""

from collections.abc import Sequence
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
    """Plot the loss of each run, its score against the weights of the start, and its weights.

    Of many weights only those that changed most are drawn.
    """
    shown = shown_weights([run.curves for run in runs], MAX_WEIGHTS, MAX_WEIGHTS)
    weights = [
        (run.name, curves, places)
        for run, (curves, places) in zip(runs, shown, strict=True)
        if len(curves.games) > 1
    ]
    picture = figure(9.6, 6.4 + 3.2 * len(weights))
    losses, scores, *others = picture.subplots(2 + len(weights), 1, sharex=True)
    for axes, (name, curves, places) in zip(others, weights, strict=True):
        _plot_weights(axes, name, curves, places)
    for number, run in enumerate(runs):
        name, rounds = run.name, run.rounds
        colour = _COLOURS[number % len(_COLOURS)]
        with_loss = [one for one in rounds if one.loss is not None]
        losses.plot(
            [one.games for one in with_loss],
            [one.loss for one in with_loss],
            color=colour,
            linewidth=1.0,
            alpha=0.9,
            marker="o" if len(with_loss) < 3 else None,
            label=name,
        )
        tested, _ = score_points(rounds)
        limits = [point.interval for point in tested]
        scores.errorbar(
            [point.games for point in tested],
            [100.0 * point.score for point in tested],
            yerr=[
                [100.0 * (one.score - low) for one, (low, _) in zip(tested, limits, strict=True)],
                [100.0 * (high - one.score) for one, (_, high) in zip(tested, limits, strict=True)],
            ],
            color=colour,
            linewidth=1.4,
            marker="o",
            markersize=4,
            capsize=2,
            label=name,
        )
    scores.axhline(50.0, color="#999999", linewidth=1.0, linestyle="--")
    scores.set(ylabel="points against the start, %", ylim=(-3, 103))
    losses.set(ylabel="loss")
    for axes in (losses, scores, *others):
        tidy(axes)
    (scores, *others)[-1].set_xlabel("games")
    losses.legend(frameon=False, loc="best")
    picture.align_ylabels()
    picture.suptitle("Learning: loss of each round, and tests with 95 % intervals", fontsize=12)
    return picture


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
