"""A plot of a tuning: the value of each parameter after every iteration."""

from collections.abc import Sequence
from pathlib import Path

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from plyforge.interfaces.plots.canvas import ACCENT, INK, figure, save, tidy
from plyforge.match.tuning import TunedParameter


def draw(
    title: str,
    parameters: Sequence[TunedParameter],
    course: Sequence[Sequence[float]],
    path: Path,
) -> None:
    """Plot a tuning to a file."""
    save(plot_course(title, parameters, course), path)


def plot_course(
    title: str, parameters: Sequence[TunedParameter], course: Sequence[Sequence[float]]
) -> Figure:
    """Plot the values of each parameter, one below the other, with the start as a dashed line."""
    picture = figure(9.6, 1.2 + 2.0 * len(parameters))
    rows = picture.subplots(len(parameters), 1, sharex=True, squeeze=False)[:, 0]
    for place, (axes, one) in enumerate(zip(rows, parameters, strict=True)):
        axes.plot([values[place] for values in course], color=INK, linewidth=1.6)
        axes.axhline(one.start, color=ACCENT, linewidth=1.0, linestyle="--", label="start")
        low, high = axes.get_ylim()
        # A course that hardly moves should look like one.
        axes.set_ylim(min(low, one.start - one.step), max(high, one.start + one.step))
        axes.set(ylabel=one.name)
        tidy(axes)
    rows[0].legend(frameon=False, loc="lower right", bbox_to_anchor=(1.0, 1.0))
    rows[-1].set(xlabel="iterations")
    rows[-1].xaxis.set_major_locator(MaxNLocator(integer=True))
    picture.align_ylabels()
    picture.suptitle(title, fontsize=12)
    return picture
