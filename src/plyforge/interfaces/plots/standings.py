"""A plot of a match: each player's rating with its interval."""

from pathlib import Path
from typing import Final

from matplotlib.figure import Figure

from plyforge.interfaces.plots.canvas import ACCENT, INK, figure, save, tidy
from plyforge.match.results import Standings

_MAX_NAME: Final = 40
"""Letters of a name that fit beside the plot."""


def draw(title: str, results: Standings, path: Path) -> None:
    """Plot a match to a file."""
    save(plot_standings(title, results), path)


def plot_standings(title: str, results: Standings) -> Figure:
    """Plot the ratings from the best player down, and how their games ended."""
    rows = list(reversed(results.rows))
    places = list(range(len(rows)))
    picture = figure(9.6, 1.8 + 0.45 * len(rows))
    ratings, shares = picture.subplots(1, 2, width_ratios=(3, 2), sharey=True)
    values = [row.rating.value for row in rows]
    errors = [
        [row.rating.value - row.rating.low for row in rows],
        [row.rating.high - row.rating.value for row in rows],
    ]
    ratings.errorbar(values, places, xerr=errors, fmt="o", color=INK, capsize=4, linewidth=1.5)
    ratings.axvline(0, color="#999999", linewidth=0.8)
    ratings.set_yticks(places, [_label(row.name) for row in rows])
    ratings.set(xlabel="Elo against the mean of all players, 95 %")
    ratings.set_ylim(-0.6, len(rows) - 0.4)
    tidy(ratings, "x")
    left = [0.0] * len(rows)
    for label, colour, counts in (
        ("won", INK, [row.score.wins for row in rows]),
        ("drawn", "#b9c7d6", [row.score.draws for row in rows]),
        ("lost", ACCENT, [row.score.losses for row in rows]),
    ):
        widths = [100 * count / max(row.games, 1) for count, row in zip(counts, rows, strict=True)]
        shares.barh(places, widths, left=left, height=0.55, color=colour, label=label)
        left = [a + b for a, b in zip(left, widths, strict=True)]
    shares.set(xlabel="games in %", xlim=(0, 100))
    tidy(shares, "x")
    shares.legend(frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0))
    picture.suptitle(title, fontsize=12)
    return picture


def _label(name: str) -> str:
    """Shorten a name, and escape $: matplotlib would read text between two $ as a formula."""
    short = name if len(name) <= _MAX_NAME else f"{name[: _MAX_NAME - 1]}…"
    return short.replace("$", r"\$")
