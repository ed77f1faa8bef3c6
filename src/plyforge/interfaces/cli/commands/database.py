"""`plyforge database` and its commands."""

from typing import Annotated

import typer

from plyforge.interfaces.cli.arguments import (
    BackendName,
    ExecutorName,
    GameName,
    Jobs,
    Json,
    Moves,
    Position,
    Seed,
    integer,
)
from plyforge.interfaces.cli.exits import finish

group = typer.Typer(
    name="database",
    help="Build and use endgame databases: exact values of all positions of a kind.",
    no_args_is_help=True,
)
Folder = Annotated[
    str | None,
    typer.Option(
        "--folder",
        metavar="FOLDER",
        help="The folder of the database (default: the game's name and '-database').",
    ),
]
Slices = Annotated[
    list[str],
    typer.Argument(
        metavar="SLICE ...",
        help="Slices by name or number, such as 2-4 pieces in checkers or KRKP in chess.",
    ),
]
SomeSlices = Annotated[
    list[str] | None,
    typer.Argument(metavar="[SLICE ...]", help="Names of slices (default: all)."),
]


@group.command()
def build(
    game: GameName,
    slices: Slices,
    folder: Folder = None,
    memory: Annotated[
        int | None,
        typer.Option(
            "--memory",
            parser=integer,
            metavar="MIB",
            help="MiB for the slices that are built at the same time, all together (default: half"
            " of the machine's memory).",
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="M",
            help="'retrograde', 'passes' (slower, with less memory), or 'auto'.",
        ),
    ] = "auto",
    wdl: Annotated[
        bool,
        typer.Option(
            "--wdl", help="Build smaller files, with wins, draws and losses but no distances."
        ),
    ] = False,
    jobs: Jobs = None,
    executor: ExecutorName = "local",
    backend: BackendName = None,
    json: Json = False,
) -> None:
    """Build slices and those that they need; run the same command again to resume."""
    from plyforge.interfaces.cli.database import BuildOptions, run_build
    from plyforge.interfaces.cli.executors import ExecutorOptions

    options = BuildOptions(
        game,
        slices,
        folder,
        memory,
        method,
        wdl,
        ExecutorOptions(jobs, executor),
        backend,
        json,
    )
    finish(run_build(options))


@group.command()
def probe(
    game: GameName,
    folder: Folder = None,
    position: Position = None,
    moves: Moves = None,
    json: Json = False,
) -> None:
    """Show the value of a position and of its moves."""
    from plyforge.interfaces.cli.database import run_probe

    finish(run_probe(game, folder, position, moves, json))


@group.command()
def stats(
    game: GameName,
    folder: Folder = None,
    json: Json = False,
) -> None:
    """List the slices of a database with their results, longest wins and sizes."""
    from plyforge.interfaces.cli.database import run_stats

    finish(run_stats(game, folder, json))


@group.command()
def verify(
    game: GameName,
    slices: SomeSlices = None,
    folder: Folder = None,
    samples: Annotated[
        int,
        typer.Option(
            "--samples",
            parser=integer,
            metavar="N",
            help="Also search N random positions of each slice without the database.",
        ),
    ] = 0,
    depth: Annotated[
        int,
        typer.Option(
            "--depth", parser=integer, metavar="D", help="The depth of these searches in plies."
        ),
    ] = 8,
    seed: Seed = 0,
    backend: BackendName = None,
    json: Json = False,
) -> None:
    """Compare every value with those of the positions after each move."""
    from plyforge.interfaces.cli.database import run_verify

    finish(run_verify(game, slices or [], folder, samples, depth, seed, backend, json))
