"""A plot of many games: how long they are, how many moves there are."""

from pathlib import Path
from typing import Any

from matplotlib.ticker import MaxNLocator, PercentFormatter

from plyforge.game.game import Game
from plyforge.interfaces.plots.canvas import ACCENT, INK, figure, save, tidy
from plyforge.match.statistics import Statistics

_RARE = 0.01
"""Minimum share of the games that reach a ply; the curves end where fewer do."""
_MAX_BARS = 60


def draw(game: Game, statistics: Statistics, path: Path, player: str = "random") -> None:
    """Plot the lengths of the games and the moves by ply."""
    picture = figure(9.6, 8.0)
    lengths, branching, forced = picture.subplots(3, 1, height_ratios=(1.1, 1.2, 0.8))
    _draw_lengths(lengths, statistics)
    _draw_branching(branching, statistics)
    _draw_forced(forced, statistics)
    forced.sharex(branching)
    branching.tick_params(labelbottom=False)
    picture.align_ylabels()
    low, high = statistics.interval
    games = "random games" if player == "random" else f"games of {player}"
    picture.suptitle(
        f"{game.title}: {statistics.games:,} {games}\n"
        f"{game.players[0]} scores {statistics.first_player_score:.3f}"
        f" ({low:.3f} to {high:.3f}, 95 %), draws {statistics.draws / statistics.games:.1%}",
        fontsize=13,
    )
    save(picture, path)


def _draw_lengths(axes: Any, statistics: Statistics) -> None:
    length = statistics.length
    width = max(1, -(-(length.longest - length.shortest + 1) // _MAX_BARS))
    bars: dict[int, int] = {}
    for plies, count in length.histogram.items():
        start = length.shortest + (plies - length.shortest) // width * width
        bars[start] = bars.get(start, 0) + count
    centres = [start + (width - 1) / 2 for start in bars]
    heights = [count / statistics.games for count in bars.values()]
    axes.bar(centres, heights, width=0.9 * width, color=INK, alpha=0.85)
    label = f"mean {length.mean:.1f}, median {length.median}"
    axes.axvline(length.mean, color=ACCENT, linewidth=1.5, label=label)
    _use_percentages(axes, max(heights))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    each = "" if width == 1 else f" ({width} plies per bar)"
    axes.set(xlabel=f"length of a game in plies{each}", ylabel="share of games")
    axes.legend(frameon=False)
    _tidy(axes)


def _common_plies(statistics: Statistics) -> list[int]:
    """Return the plies that enough games reach, from 0."""
    return [n for n, ply in enumerate(statistics.plies) if ply.games >= _RARE * statistics.games]


def _draw_branching(axes: Any, statistics: Statistics) -> None:
    numbers = _common_plies(statistics)
    plies = [statistics.plies[n] for n in numbers]
    places = [n + 1 for n in numbers]
    axes.fill_between(
        places,
        [ply.minimum for ply in plies],
        [ply.maximum for ply in plies],
        color=INK,
        alpha=0.18,
        linewidth=0,
        step="mid",  # plies are integers: nothing lies between two of them
        label="minimum to maximum",
    )
    axes.plot(places, [ply.mean for ply in plies], color=INK, linewidth=1.8, label="mean")
    # Room above the band for the legend.
    axes.set_ylim(0, 1.2 * max((ply.maximum for ply in plies), default=1))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    axes.set(ylabel="legal moves")
    axes.legend(frameon=False, ncols=2)
    _tidy(axes)


def _draw_forced(axes: Any, statistics: Statistics) -> None:
    numbers = _common_plies(statistics)
    shares = [statistics.plies[n].forced for n in numbers]
    places = [n + 1 for n in numbers]
    axes.plot(places, shares, color=ACCENT, linewidth=1.5, drawstyle="steps-mid")
    axes.fill_between(places, 0, shares, color=ACCENT, alpha=0.15, linewidth=0, step="mid")
    axes.set_ylim(0, max([0.02, *shares]) * 1.08)
    _use_percentages(axes, max([0.0, *shares]))
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    reached = f"; plies that fewer than {_RARE:.1%} of the games reach are left out"
    cut = reached if len(numbers) < len(statistics.plies) else ""
    axes.set(xlabel=f"ply{cut}", ylabel="forced moves")
    _tidy(axes)


def _use_percentages(axes: Any, maximum: float) -> None:
    # Steps of 2.5 % would need one more digit than the labels have.
    axes.yaxis.set_major_locator(MaxNLocator(nbins=6, steps=(1, 2, 5, 10)))
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0 if maximum >= 0.05 else 1))


def _tidy(axes: Any) -> None:
    tidy(axes)
    axes.margins(x=0.01)
