"""`plyforge stats`."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rich.console import Console

from plyforge.game.game import Game
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.output import console, plot_path, print_json
from plyforge.interfaces.cli.positions import open_game, open_history
from plyforge.interfaces.cli.progress import Progress
from plyforge.jobs.executor import Executor
from plyforge.jobs.local import local_executor
from plyforge.match.openings import Opening
from plyforge.match.players import Description, Kind, player
from plyforge.match.ratings.wilson import Interval
from plyforge.match.statistics import (
    Budget,
    ParallelSurvey,
    RandomPlay,
    SelfPlay,
    SelfPlaySettings,
    Statistics,
    Survey,
)
from plyforge.match.statistics.figures import Tally
from plyforge.match.statistics.self_play import DEFAULT_RANDOM_PLIES

_ENDS = {
    "rules": "by the rules",
    "no_move": "no move",
    "drawn": "a draw by rule",
    "repetition": "repetition",
    "no_progress": "no progress",
    "ply_limit": "stopped (too long)",
}
_TABLE_ROWS = 12
"""Rows of the table by ply; a longer game is shown in steps."""


@dataclass(frozen=True)
class PlayOptions:
    """Who plays the games, and how."""

    player: Description
    random_plies: int = DEFAULT_RANDOM_PLIES
    executor: Executor = field(default_factory=local_executor)
    seed: int = 0

    @property
    def is_random(self) -> bool:
        return self.player.kind is Kind.RANDOM


def run(
    name: str,
    position: str | None,
    moves: str | None,
    budget: Budget,
    options: PlayOptions,
    plot: str | None,
    backend: str | None,
    as_json: bool,
) -> int:
    """Play games and print statistics; return 130 if interrupted, else 0."""
    target = None if plot is None else plot_path(plot)
    game = open_game(name, backend)
    survey = _make_survey(name, game, position, moves, options)
    interrupted = not _play(survey, budget, options)
    if not survey.tally.games:
        raise KeyboardInterrupt
    statistics = survey.tally.statistics()
    if target is not None:
        from plyforge.interfaces.plots.statistics import draw

        draw(game, statistics, target, options.player.name)
    if as_json:
        print_json(fields(game, statistics, options, survey.seconds, target, interrupted))
    else:
        _print(game, statistics, options, survey.seconds, target, interrupted)
    return exits.INTERRUPTED if interrupted else 0


def _make_survey(
    name: str, game: Game, position: str | None, moves: str | None, options: PlayOptions
) -> Survey | ParallelSurvey:
    history = open_history(game, position, moves)
    if options.is_random:
        player(game, options.player).close()  # an error if the description is wrong
        return Survey(RandomPlay(history, options.seed), Tally())
    settings = SelfPlaySettings(
        name,
        str(options.player),
        Opening(tuple(history.moves), position),
        options.seed,
        options.random_plies,
        game.backend,
    )
    # Kernels are compiled here even if other processes play, so that they are compiled only once.
    source = SelfPlay(settings, game)
    source.warm_up()
    if options.executor.workers == 1 and not options.executor.place:
        return Survey(source, Tally())
    source.close()
    return ParallelSurvey(settings, Tally(), options.executor)


def _play(survey: Survey | ParallelSurvey, budget: Budget, options: PlayOptions) -> bool:
    """Play the games and show progress on a terminal; return False if interrupted."""
    # With a limit on time alone, the number of games is not known.
    open_end = budget.games is None and budget.seconds is not None
    try:
        with Progress("games", options.executor) as progress:
            progress.start(None if open_end else budget.max_games)
            survey.run(budget, progress.update)
    except KeyboardInterrupt:
        return False
    return True


def fields(
    game: Game,
    statistics: Statistics,
    options: PlayOptions,
    seconds: float,
    plot: Path | None = None,
    interrupted: bool = False,
) -> dict[str, Any]:
    """Return the statistics as a JSON object; docs/reference/stats.md documents the fields."""
    score = statistics.final_score
    length = statistics.length
    return {
        "game": game.name,
        "games": statistics.games,
        "player": str(options.player),
        "random_plies": None if options.is_random else options.random_plies,
        "different": statistics.different,
        "seed": options.seed,
        "interrupted": interrupted,
        "first_player": game.players[0],
        "first_player_score": statistics.first_player_score,
        "interval": list(statistics.interval),
        "wins": statistics.wins / statistics.games,
        "draws": statistics.draws / statistics.games,
        "losses": statistics.losses / statistics.games,
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
            "mean": statistics.branching,
            "min": min((ply.minimum for ply in statistics.plies), default=0),
            "max": max((ply.maximum for ply in statistics.plies), default=0),
            "by_ply": [
                {"games": ply.games, "mean": ply.mean, "min": ply.minimum, "max": ply.maximum}
                for ply in statistics.plies
            ],
        },
        "forced": {"share": statistics.forced, "by_ply": [ply.forced for ply in statistics.plies]},
        "ends": statistics.ends,
        "plot": None if plot is None else str(plot),
        "seconds": seconds,
        "games_per_second": statistics.games / seconds if seconds else 0.0,
    }


def _print(
    game: Game,
    statistics: Statistics,
    options: PlayOptions,
    seconds: float,
    plot: Path | None,
    interrupted: bool,
) -> None:
    first, second = game.players
    length = statistics.length
    out = console()

    def line(label: str, text: str) -> None:
        out.print(f"{label:<14} {text}", markup=False)

    ended = "interrupted after " if interrupted else ""
    kind = "random games" if options.is_random else "games"
    line("games", f"{ended}{statistics.games:,} {kind} of {game.title}, seed {options.seed}")
    if not options.is_random:
        line(
            "player",
            f"{options.player.name} against itself after {options.random_plies} random plies;"
            f" {statistics.different:,} different games",
        )
    line(
        f"{first} scores",
        f"{statistics.first_player_score:.4f}  (95 %: {_interval(statistics.interval)})",
    )
    line(
        "results",
        f"{first} wins {statistics.wins / statistics.games:.1%},"
        f" draws {statistics.draws / statistics.games:.1%},"
        f" {second} wins {statistics.losses / statistics.games:.1%}",
    )
    if statistics.final_score is not None:
        score = statistics.final_score
        line("final score", f"{score.mean:+.3f} for {first}  (95 %: {_interval(score.interval)})")
    low, lower, upper, high = length.quantiles.values()
    line(
        "length",
        f"mean {length.mean:.1f}, median {length.median}, from {length.shortest} to"
        f" {length.longest} plies; half of them {lower} to {upper}, 90 % {low} to {high}",
    )
    maximum = max((ply.maximum for ply in statistics.plies), default=0)
    line(
        "moves",
        f"mean {statistics.branching:.2f}, at most {maximum}; forced {statistics.forced:.1%}",
    )
    ends = [f"{_ENDS[name]} {n / statistics.games:.1%}" for name, n in statistics.ends.items() if n]
    line("ends", ", ".join(ends))
    if statistics.ends["ply_limit"]:
        line("", "games that were stopped count as draws; check that every game can end")
    line("speed", f"{statistics.games / seconds if seconds else 0:,.0f} games/s, {seconds:.2f} s")
    if plot is not None:
        line("plot", str(plot))
    _print_plies(statistics, out)


def _print_plies(statistics: Statistics, out: Console) -> None:
    """Print the moves by ply: at most a dozen rows, evenly spread."""
    out.print()
    out.print(f"{'ply':>5} {'games':>12} {'moves':>8} {'min':>6} {'max':>6} {'forced':>8}")
    step = -(-len(statistics.plies) // _TABLE_ROWS)
    for number, ply in enumerate(statistics.plies[::step]):
        out.print(
            f"{number * step + 1:>5} {ply.games:>12,} {ply.mean:>8.2f} {ply.minimum:>6}"
            f" {ply.maximum:>6} {ply.forced:>8.1%}"
        )


def _interval(interval: Interval) -> str:
    return f"{interval[0]:.4f} to {interval[1]:.4f}"
