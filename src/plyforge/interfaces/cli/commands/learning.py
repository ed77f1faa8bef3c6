"""Commands that learn from games."""

from functools import partial
from typing import Annotated, Any, Final

import typer
import typer.core

from plyforge.interfaces.cli.arguments import (
    BackendName,
    DatabaseFolder,
    Evaluation,
    ExecutorName,
    GameName,
    Jobs,
    Json,
    MaxPlies,
    Overwrite,
    Seed,
    integer,
    number,
)
from plyforge.interfaces.cli.exits import finish


class _RunByDefault(typer.core.TyperGroup):
    """A group whose command `run` may be left out: `plyforge learn GAME METHOD`."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        return super().resolve_command(ctx, args if args[0] in self.commands else ["run", *args])


group: Final = typer.Typer()
learn: Final = typer.Typer(
    name="learn",
    help="Learn the weights of an evaluation; 'plyforge learn GAME METHOD' runs a method.",
    no_args_is_help=True,
    cls=_RunByDefault,
)
command = partial(group.command, rich_help_panel="Learning")


@command()
def fit(
    game: GameName,
    method: Annotated[
        str, typer.Argument(metavar="METHOD", help="What to fit: probcut or realization.")
    ],
    games: Annotated[
        int | None,
        typer.Option("--games", parser=integer, metavar="N", help="How many games to play."),
    ] = None,
    depth: Annotated[
        int | None,
        typer.Option("--depth", parser=integer, metavar="D", help="How deep to search them."),
    ] = None,
    opening: Annotated[
        int,
        typer.Option(
            "--opening", parser=integer, metavar="N", help="Random moves at the start of a game."
        ),
    ] = 8,
    seed: Seed = 0,
    evaluation: Evaluation = None,
    file: Annotated[
        str | None,
        typer.Option(
            "--file", metavar="FILE", help="Take the games from a file instead (realization)."
        ),
    ] = None,
    jobs: Jobs = None,
    executor: ExecutorName = "local",
    db: Annotated[
        str, typer.Option("--db", metavar="FILE", help="The SQLite file of samples.")
    ] = "fit.db",
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="FILE", help="The file to write (default: GAME-METHOD.json)."
        ),
    ] = None,
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="Plot the fit (.png or .svg).")
    ] = None,
    overwrite: Overwrite = False,
    json: Json = False,
) -> None:
    """Fit numbers of a search step to games; run the same command again to resume."""
    from plyforge.interfaces.cli.executors import ExecutorOptions
    from plyforge.interfaces.cli.fit import FitOptions, run

    options = FitOptions(
        game, method, games, depth, opening, seed, evaluation,
        file, ExecutorOptions(jobs, executor), db, output, plot, overwrite, json,
    )  # fmt: skip
    finish(run(options))


LearningFile = Annotated[
    str, typer.Option("--db", metavar="FILE", help="The SQLite file of what was learned.")
]
Precision = Annotated[
    str,
    typer.Option("--precision", metavar="P", help="How weights are stored: int16 or float32."),
]


@learn.command()
def run(
    game: GameName,
    method: Annotated[
        str,
        typer.Argument(metavar="METHOD", help="A method that 'plyforge learn methods' lists."),
    ],
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            parser=integer,
            metavar="N",
            help="How many games to play (default: 1000; genetic, evolution: all generations).",
        ),
    ] = None,
    depth: Annotated[
        int,
        typer.Option("--depth", parser=integer, metavar="D", help="How deep to search."),
    ] = 4,
    evaluation: Evaluation = None,
    start: Annotated[
        str | None,
        typer.Option(
            "--from",
            metavar="FILE",
            help="A file of weights to start from, `zero`, or `declared` for those in the code.",
        ),
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            "--data",
            metavar="FILE",
            help="Learn from a data set: PGN, PDN, plain games, CSV, or recorded games (.games).",
        ),
    ] = None,
    settings: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="NAME=VALUE",
            help="A parameter that 'plyforge learn methods' lists, such as rate=0.01.",
        ),
    ] = None,
    opponent: Annotated[
        str,
        typer.Option(
            "--opponent", metavar="O", help="'self', or 'clone': an earlier copy of the learner."
        ),
    ] = "self",
    round_games: Annotated[
        int,
        typer.Option(
            "--round", parser=integer, metavar="N", help="Games between two changes of the weights."
        ),
    ] = 10,
    tournament: Annotated[
        int,
        typer.Option(
            "--tournament",
            parser=integer,
            metavar="N",
            help="Games against a clone, after which a better learner replaces it.",
        ),
    ] = 200,
    replace_above: Annotated[
        float,
        typer.Option(
            "--replace-above",
            parser=number,
            metavar="S",
            help="The share of points in a tournament above which it is replaced.",
        ),
    ] = 0.5,
    slow_after: Annotated[
        int,
        typer.Option(
            "--slow-after",
            parser=integer,
            metavar="N",
            help="Divide the rate by 1 + games / N, so that it is half after N games; 0: constant.",
        ),
    ] = 0,
    search_weight: Annotated[
        float,
        typer.Option(
            "--search-weight",
            parser=number,
            metavar="W",
            help="How much the value of a search counts as a target, from 0 (only results) to 1.",
        ),
    ] = 0.0,
    squash: Annotated[
        str | None,
        typer.Option(
            "--squash",
            metavar="F",
            help="How values become predictions: identity, sigmoid or tanh.",
        ),
    ] = None,
    scale: Annotated[
        float,
        typer.Option(
            "--scale",
            parser=number,
            metavar="S",
            help="The unit of values, with --squash; 0: found from recorded games.",
        ),
    ] = 1.0,
    opening: Annotated[
        int,
        typer.Option(
            "--opening", parser=integer, metavar="N", help="Random moves at the start of a game."
        ),
    ] = 4,
    explored: Annotated[
        int,
        typer.Option(
            "--explored",
            parser=integer,
            metavar="N",
            help="Later, one move in N is random; 0 for none.",
        ),
    ] = 0,
    max_plies: MaxPlies = 200,
    positions: Annotated[
        int,
        typer.Option(
            "--positions",
            parser=integer,
            metavar="N",
            help="Of recorded games: how many positions of each to learn from; 0 for all.",
        ),
    ] = 0,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", help="Of recorded games: learn from quiet positions only."),
    ] = False,
    test_rounds: Annotated[
        int | None,
        typer.Option(
            "--test-rounds",
            parser=integer,
            metavar="N",
            help="Rounds between two tests against the start; 0 for no tests"
            " (default: 20; genetic, evolution: 1, a generation).",
        ),
    ] = None,
    test_games: Annotated[
        int,
        typer.Option("--test-games", parser=integer, metavar="N", help="Games of such a test."),
    ] = 20,
    seed: Seed = 0,
    backend: BackendName = None,
    jobs: Jobs = None,
    executor: ExecutorName = "local",
    db: LearningFile = "learn.db",
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="The name of the run (default: GAME-METHOD)."),
    ] = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output",
            "-o",
            metavar="FILE",
            help="The file of weights (default: NAME.npz).",
        ),
    ] = None,
    precision: Precision = "int16",
    plot: Annotated[
        str | None, typer.Option("--plot", metavar="FILE", help="Plot the run (.png or .svg).")
    ] = None,
    overwrite: Overwrite = False,
    json: Json = False,
) -> None:
    """Learn the weights of an evaluation; run the same command again to resume."""
    from plyforge.interfaces.cli.executors import ExecutorOptions
    from plyforge.interfaces.cli.learn import LearnOptions
    from plyforge.interfaces.cli.learn import run as run_learning

    options = LearnOptions(
        game, method, games, depth, evaluation, start, data, settings, opponent, round_games,
        tournament, replace_above, slow_after, search_weight, squash, scale, opening, explored,
        max_plies, positions, quiet, test_rounds, test_games, seed, backend,
        ExecutorOptions(jobs, executor), db, name, output, precision, plot, overwrite, json,
    )  # fmt: skip
    finish(run_learning(options))


@learn.command()
def record(
    game: GameName,
    file: Annotated[str, typer.Argument(metavar="FILE", help="The file of games (.games).")],
    games: Annotated[
        int,
        typer.Option(
            "--games", parser=integer, metavar="N", help="How many games the file has at the end."
        ),
    ] = 1000,
    nodes: Annotated[
        int,
        typer.Option(
            "--nodes", parser=integer, metavar="N", help="About how many nodes a search takes."
        ),
    ] = 1000,
    depth: Annotated[
        int,
        typer.Option("--depth", parser=integer, metavar="D", help="How deep to search at most."),
    ] = 60,
    opening: Annotated[
        int,
        typer.Option(
            "--opening", parser=integer, metavar="N", help="Random moves at the start of a game."
        ),
    ] = 4,
    longest_opening: Annotated[
        int,
        typer.Option(
            "--longest-opening",
            parser=integer,
            metavar="N",
            help="If it is more than --opening: up to so many, a random number in each game.",
        ),
    ] = 0,
    explored: Annotated[
        int,
        typer.Option(
            "--explored",
            parser=integer,
            metavar="N",
            help="Later, one move in N is random; 0 for none.",
        ),
    ] = 0,
    decided_at: Annotated[
        float,
        typer.Option(
            "--decided-at",
            parser=number,
            metavar="V",
            help="A side that is ahead by V in six searches in a row has won; 0 for never.",
        ),
    ] = 0.0,
    max_plies: MaxPlies = 200,
    evaluation: Evaluation = None,
    database: DatabaseFolder = None,
    seed: Seed = 0,
    backend: BackendName = None,
    jobs: Jobs = None,
    executor: ExecutorName = "local",
    json: Json = False,
) -> None:
    """Record games of self-play for fits; run the same command again to resume or to add games."""
    from plyforge.interfaces.cli.executors import ExecutorOptions
    from plyforge.interfaces.cli.positions import check_backend
    from plyforge.interfaces.cli.record import RecordOptions
    from plyforge.interfaces.cli.record import run as run_recording
    from plyforge.learn.recording import RecordingPlan

    plan = RecordingPlan(
        game, evaluation or "", depth, seed, opening, explored, max_plies,
        backend=check_backend(backend), longest_opening=longest_opening, nodes=nodes,
        decided_at=decided_at, database=database or "",
    )  # fmt: skip
    finish(run_recording(RecordOptions(plan, file, games, ExecutorOptions(jobs, executor), json)))


@learn.command("list")
def list_runs(db: LearningFile = "learn.db", json: Json = False) -> None:
    """List the runs of a file."""
    from plyforge.interfaces.cli.learn import list_runs

    finish(list_runs(db, json))


@learn.command()
def show(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Names of runs.")],
    db: LearningFile = "learn.db",
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="FILE", help="Plot the runs side by side (.png or .svg)."),
    ] = None,
    json: Json = False,
) -> None:
    """Show the settings and the figures of runs."""
    from plyforge.interfaces.cli.learn import show

    finish(show(names, db, plot, json))


@learn.command()
def export(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of a run.")],
    db: LearningFile = "learn.db",
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write the weights (.npz).")
    ] = None,
    data: Annotated[
        str | None,
        typer.Option(
            "--data",
            metavar="FILE",
            help="Write the games: positions as CSV, or games in the format of the game.",
        ),
    ] = None,
    precision: Precision = "int16",
    overwrite: Overwrite = False,
) -> None:
    """Write the weights or the games of a run."""
    from plyforge.interfaces.cli.learn import export

    finish(export(name, db, output, data, precision, overwrite))


@learn.command()
def methods() -> None:
    """List the methods and their parameters."""
    from plyforge.interfaces.cli.learn import print_methods

    finish(print_methods())
