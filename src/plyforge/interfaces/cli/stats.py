"""`plyforge stats`."""

from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from plyforge.game.game import Game
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.output import console, plot_path, print_json
from plyforge.interfaces.cli.positions import open_game, open_history
from plyforge.match.statistics import Budget, RandomPlay, Statistics, Survey
from plyforge.match.statistics.figures import Interval, Tally

_ENDS = {
    "rules": "by the rules",
    "no_move": "no move",
    "drawn": "a draw by rule",
    "repetition": "repetition",
    "no_progress": "no progress",
    "ply_limit": "broken off (too long)",
}
_TABLE_ROWS = 12
"""Rows of the table by ply; a longer game is shown in steps."""


def run(
    name: str,
    position: str | None,
    moves: str | None,
    budget: Budget,
    seed: int,
    plot: str | None,
    backend: str | None,
    as_json: bool,
) -> int:
    """Play, then print; 130 if an interrupt ended the play, else 0."""
    target = None if plot is None else plot_path(plot)
    game = open_game(name, backend)
    source = RandomPlay(open_history(game, position, moves), seed)
    survey = Survey(source, Tally())
    interrupted = not _played(survey, budget)
    if not survey.tally.games:
        raise KeyboardInterrupt
    found = survey.tally.statistics()
    if target is not None:
        from plyforge.interfaces.plots.statistics import draw

        draw(game, found, target)
    if as_json:
        print_json(fields(game, found, seed, survey.seconds, target, interrupted))
    else:
        _print(game, found, seed, survey.seconds, target, interrupted)
    return exits.INTERRUPTED if interrupted else 0


def _played(survey: Survey, budget: Budget) -> bool:
    """Whether the play came to its end; progress is shown to someone who watches."""
    screen = Console(stderr=True)
    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    shown = screen.is_terminal
    try:
        with Progress(*columns, console=screen, transient=True, disable=not shown) as progress:
            # Where only the time is limited, no number of games is known to aim at.
            open_end = budget.games is None and budget.seconds is not None
            task = progress.add_task("games", total=None if open_end else budget.most_games)
            survey.run(budget, lambda done: progress.update(task, completed=done))
    except KeyboardInterrupt:
        return False
    return True


def fields(
    game: Game,
    found: Statistics,
    seed: int,
    seconds: float,
    plot: Path | None = None,
    interrupted: bool = False,
) -> dict[str, Any]:
    """The statistics as one JSON object; docs/reference/stats.md says what each field means."""
    score = found.final_score
    length = found.length
    return {
        "game": game.name,
        "games": found.games,
        "seed": seed,
        "interrupted": interrupted,
        "first_player": game.players[0],
        "first_player_score": found.first_player_score,
        "interval": list(found.interval),
        "wins": found.wins / found.games,
        "draws": found.draws / found.games,
        "losses": found.losses / found.games,
        "final_score": score
        and {"games": score.games, "mean": score.mean, "interval": list(score.interval)},
        "length": {
            "mean": length.mean,
            "median": length.median,
            "min": length.shortest,
            "max": length.longest,
            "quantiles": {f"{share:g}": plies for share, plies in length.quantiles.items()},
            "histogram": {str(plies): count for plies, count in length.histogram.items()},
        },
        "branching": {
            "mean": found.branching,
            "min": min((ply.least for ply in found.plies), default=0),
            "max": max((ply.most for ply in found.plies), default=0),
            "by_ply": [
                {"games": ply.games, "mean": ply.mean, "min": ply.least, "max": ply.most}
                for ply in found.plies
            ],
        },
        "forced": {"share": found.forced, "by_ply": [ply.forced for ply in found.plies]},
        "ends": found.ends,
        "plot": None if plot is None else str(plot),
        "seconds": seconds,
        "games_per_second": found.games / seconds if seconds else 0.0,
    }


def _print(
    game: Game, found: Statistics, seed: int, seconds: float, plot: Path | None, interrupted: bool
) -> None:
    first, second = game.players
    length = found.length
    out = console()

    def line(label: str, text: str) -> None:
        out.print(f"{label:<14} {text}", markup=False)

    ended = "interrupted after " if interrupted else ""
    line("games", f"{ended}{found.games:,} random games of {game.title}, seed {seed}")
    line(
        f"{first} scores",
        f"{found.first_player_score:.4f}  (95 %: {_interval(found.interval)})",
    )
    line(
        "results",
        f"{first} wins {_share(found.wins, found.games)}, draws"
        f" {_share(found.draws, found.games)}, {second} wins {_share(found.losses, found.games)}",
    )
    if found.final_score is not None:
        score = found.final_score
        line("final score", f"{score.mean:+.3f} for {first}  (95 %: {_interval(score.interval)})")
    low, lower, upper, high = length.quantiles.values()
    line(
        "length",
        f"mean {length.mean:.1f}, median {length.median}, from {length.shortest} to"
        f" {length.longest} plies; half of them {lower} to {upper}, 90 % {low} to {high}",
    )
    most = max((ply.most for ply in found.plies), default=0)
    line("moves", f"mean {found.branching:.2f}, at most {most}; forced {found.forced:.1%}")
    ends = [f"{_ENDS[name]} {_share(n, found.games)}" for name, n in found.ends.items() if n]
    line("ends", ", ".join(ends))
    if found.ends["ply_limit"]:
        line("", "games that were broken off count as draws; does every game end?")
    line("speed", f"{found.games / seconds if seconds else 0:,.0f} games/s, {seconds:.2f} s")
    if plot is not None:
        line("plot", str(plot))
    _print_plies(found, out)


def _print_plies(found: Statistics, out: Console) -> None:
    """The moves by ply: at most a dozen rows, evenly spread."""
    out.print()
    out.print(f"{'ply':>5} {'games':>12} {'moves':>8} {'least':>6} {'most':>6} {'forced':>8}")
    step = -(-len(found.plies) // _TABLE_ROWS)
    for number, ply in enumerate(found.plies[::step]):
        out.print(
            f"{number * step + 1:>5} {ply.games:>12,} {ply.mean:>8.2f} {ply.least:>6}"
            f" {ply.most:>6} {ply.forced:>8.1%}"
        )


def _interval(interval: Interval) -> str:
    return f"{interval[0]:.4f} to {interval[1]:.4f}"


def _share(count: int, games: int) -> str:
    return f"{count / games:.1%}"
