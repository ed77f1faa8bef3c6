"""Plots of learning: loss and score against the start by games, several runs side by side."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure

from plyforge.interfaces.plots.canvas import ACCENT, INK, figure, save, tidy
from plyforge.learn.curves import score_points
from plyforge.learn.store import Round

_COLOURS = (INK, ACCENT, "#2f7d5b", "#7a5195", "#b58900", "#5b6b7a")


def draw_learning(runs: Sequence[tuple[str, Sequence[Round]]], path: Path) -> None:
    """Plot runs to a file."""
    save(plot_learning(runs), path)


def plot_learning(runs: Sequence[tuple[str, Sequence[Round]]]) -> Figure:
    """Plot the loss of each run, and its score against the weights of the start."""
    picture = figure(9.6, 6.4)
    losses, scores = picture.subplots(2, 1, sharex=True)
    for number, (name, rounds) in enumerate(runs):
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
    scores.set(ylabel="points against the start, %", xlabel="games", ylim=(-3, 103))
    losses.set(ylabel="loss")
    for axes in (losses, scores):
        tidy(axes)
    losses.legend(frameon=False, loc="upper right")
    picture.align_ylabels()
    picture.suptitle("Learning: loss of each round, and tests with 95 % intervals", fontsize=12)
    return picture
