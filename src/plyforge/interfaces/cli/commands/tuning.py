"""Commands that tune the engine by games."""

from functools import partial
from typing import Annotated, Final

import typer

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.cli.arguments import (
    AdjudicateDraw,
    AdjudicateWin,
    ClockText,
    Depth,
    ExecutorName,
    Jobs,
    Json,
    MaxPlies,
    Nodes,
    Seconds,
    Seed,
    integer,
    number,
)
from plyforge.interfaces.cli.engines import EngineOptions, with_engine_options
from plyforge.interfaces.cli.exits import finish

group: Final = typer.Typer()
command = partial(group.command, rich_help_panel="Learning")
_WITH_RESUME: Final = (
    "resume", "confirm", "sprt", "games", "jobs", "executor", "db", "plot", "json",
)  # fmt: skip
"""Parameters of `tune` that do not change which games are played."""


@command()
@with_engine_options
def tune(
    context: typer.Context,
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME PARAMETER ...",
            help="A game, and numeric parameters of the search as NAME, NAME=START or"
            " NAME=START:MIN:MAX:STEP; 'plyforge options' lists them.",
        ),
    ] = None,
    iterations: Annotated[
        int,
        typer.Option("--iterations", parser=integer, metavar="N", help="Steps of the tuning."),
    ] = 200,
    pairs: Annotated[
        int,
        typer.Option(
            "--pairs",
            parser=integer,
            metavar="N",
            help="Pairs of games per iteration, which are played at the same time.",
        ),
    ] = 1,
    rate: Annotated[
        float | None,
        typer.Option(
            "--rate",
            parser=number,
            metavar="R",
            help="Size of the steps at the end (default: 0.5 / sqrt(number of pairs)).",
        ),
    ] = None,
    depth: Depth = None,
    nodes: Nodes = None,
    time: Seconds = None,
    clock: ClockText = None,
    openings: Annotated[
        str,
        typer.Option(
            "--openings",
            metavar="SOURCE",
            help="random:PLIES, balanced:PLIES (found by search) or file:PATH.",
        ),
    ] = "random:4",
    max_plies: MaxPlies = 500,
    adjudicate_win: AdjudicateWin = None,
    adjudicate_draw: AdjudicateDraw = None,
    engine: EngineOptions = EngineOptions(preset="play"),  # noqa: B008 (it is frozen)
    seed: Seed = 0,
    jobs: Jobs = None,
    executor: ExecutorName = "local",
    db: Annotated[
        str, typer.Option("--db", metavar="FILE", help="The SQLite file of the tuning.")
    ] = "tuning.db",
    resume: Annotated[
        bool, typer.Option("--resume", help="Resume the tuning in FILE with its own settings.")
    ] = False,
    confirm: Annotated[
        bool, typer.Option("--confirm", help="Play the match that tests the result.")
    ] = False,
    sprt: Annotated[
        str,
        typer.Option(
            "--sprt", metavar="ELO0,ELO1[,ALPHA,BETA]", help="The sequential test of that match."
        ),
    ] = "0,20",
    games: Annotated[
        int,
        typer.Option(
            "--games", parser=integer, metavar="N", help="The maximum number of its games."
        ),
    ] = 2000,
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="FILE", help="Plot the values to a .png or .svg file."),
    ] = None,
    json: Json = False,
) -> None:
    """Tune numeric parameters of the search by games (SPSA); run the same command to resume.

    Each iteration moves all parameters up or down at random and plays a pair of games against the
    opposite move. The parameters then take a step towards the better player.
    """
    from plyforge.interfaces.cli.executors import ExecutorOptions
    from plyforge.interfaces.cli.tune import Confirmation, make_plan, run, stored_plan

    if resume:
        _reject_settings(context)
        plan = stored_plan(db)
    else:
        plan = make_plan(
            words or [], engine, iterations, pairs, rate, openings, depth, nodes, time, clock,
            max_plies, adjudicate_win, adjudicate_draw, seed,
        )  # fmt: skip
    workers = ExecutorOptions(jobs, executor)
    finish(run(plan, db, workers, Confirmation(confirm, sprt, games), plot, json))


def _reject_settings(context: typer.Context) -> None:
    """Reject what `--resume` would ignore."""
    for parameter in context.command.params:
        name = str(parameter.name)
        source = context.get_parameter_source(name)
        given = source is not None and source.name == "COMMANDLINE"
        if given and name not in _WITH_RESUME:
            option = parameter.opts[0] if parameter.opts[0].startswith("-") else "GAME PARAMETER"
            raise PlyforgeError(
                f"--resume uses the settings that are stored; leave out {option}, or leave out"
                " --resume and repeat the whole command"
            )
