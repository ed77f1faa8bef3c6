"""Commands about the rules of a game."""

from functools import partial
from typing import Annotated, Final

import typer

from plyforge.core.errors import PlyforgeError, clip
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
    number,
)
from plyforge.interfaces.cli.exits import finish

group: Final = typer.Typer()
command = partial(group.command, rich_help_panel="Rules")


@command()
def games(json: Json = False) -> None:
    """List the built-in games with their variants and hooks."""
    from plyforge.interfaces.cli.games import run

    run(json)


@command()
def show(
    game: GameName, position: Position = None, moves: Moves = None, json: Json = False
) -> None:
    """Show a position: board, side to move, legal moves, outcome."""
    from plyforge.interfaces.cli.show import run

    run(game, position, moves, json)


@command()
def perft(
    game: GameName,
    depth: Annotated[
        int,
        typer.Option(
            "--depth", "-d", parser=integer, metavar="D", help="Length of the move sequences."
        ),
    ],
    position: Position = None,
    moves: Moves = None,
    divide: Annotated[
        bool, typer.Option("--divide", help="Count separately for each first move.")
    ] = False,
    backend: BackendName = None,
    finished: Annotated[
        int | None,
        typer.Option(
            "--finished",
            parser=integer,
            metavar="0|1",
            help="Count a game that ends before the depth as 0 or 1 (default: set by the game).",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Count the move sequences of a given length."""
    from plyforge.interfaces.cli.perft import run

    run(game, depth, position, moves, divide, backend, finished, json)


@command()
def check(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="The game to check, or to check steps on.")
    ] = None,
    step: Annotated[
        str | None,
        typer.Option(
            "--step",
            metavar="FILE",
            help="Check a search step instead: compare its searches with minimax, in GAME or in"
            " several games.",
        ),
    ] = None,
    positions: Annotated[
        int,
        typer.Option(
            "--positions", parser=integer, metavar="N", help="Positions per game for --step."
        ),
    ] = 20,
    backend: Annotated[
        str,
        typer.Option("--backend", metavar="B", help="For --step: python, or compiled (deeper)."),
    ] = "python",
    seed: Seed = 0,
    games: Annotated[
        int,
        typer.Option(
            "--games", parser=integer, metavar="N", help="Maximum number of random games."
        ),
    ] = 100,
    time: Annotated[
        float, typer.Option("--time", parser=number, metavar="S", help="Maximum seconds to play.")
    ] = 20.0,
    strict: Annotated[
        bool, typer.Option("--strict", help="Fail (exit code 1) for remarks too.")
    ] = False,
    json: Json = False,
) -> None:
    """Check the rules of a game by random play, uncompiled and compiled, or a search step."""
    if step is not None:
        from plyforge.interfaces.cli.check_step import run as run_step

        return finish(run_step(step, game, seed, positions, backend, json))
    from plyforge.interfaces.cli.check import run

    if game is None:
        raise PlyforgeError("nothing to check; give a GAME, or --step FILE for a search step")
    return finish(run(game, seed, games, time, strict, json))


@command()
def stats(
    game: GameName,
    position: Position = None,
    moves: Moves = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            parser=integer,
            metavar="N",
            help="Maximum number of games (default: 10,000, or as many as --time allows).",
        ),
    ] = None,
    seed: Seed = 0,
    time: Annotated[
        float | None,
        typer.Option(
            "--time",
            parser=number,
            metavar="S",
            help="Maximum seconds to play (default: 60, or as long as --games takes).",
        ),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="FILE", help="Plot the figures to a .png or .svg file."),
    ] = None,
    player: Annotated[
        str,
        typer.Option(
            "--player",
            metavar="PLAYER",
            help="The player of both sides, written as in 'match': random, engine:depth=4,"
            " engine:level=5, textbook:negascout,depth=3 or python:mine.py.",
        ),
    ] = "random",
    random_plies: Annotated[
        int,
        typer.Option(
            "--random-plies",
            parser=integer,
            metavar="N",
            help="Random moves at the start of each game (not with --player random).",
        ),
    ] = 4,
    jobs: Jobs = None,
    executor: ExecutorName = "local",
    backend: BackendName = None,
    json: Json = False,
) -> None:
    """Play many games and report results, lengths and numbers of moves."""
    from plyforge.games import load
    from plyforge.interfaces.cli.executors import ExecutorOptions
    from plyforge.interfaces.cli.stats import PlayOptions, run
    from plyforge.jobs.choosing import LOCAL
    from plyforge.match.players import Kind, read_description
    from plyforge.match.statistics import Budget

    description = read_description(load(game), player)
    if description.kind is Kind.RANDOM and executor != LOCAL:
        raise PlyforgeError(
            f"random games are played in this process; --executor {clip(executor)} needs --player"
        )
    options = PlayOptions(description, random_plies, ExecutorOptions(jobs, executor).choose(), seed)
    finish(run(game, position, moves, Budget(games, time), options, plot, backend, json))


@command()
def new(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The Python file to write.")],
    json: Json = False,
) -> None:
    """Write a starter game: a Python file with rules and comments."""
    from plyforge.interfaces.cli.new import run

    run(file, json)


@command()
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove all compiled kernels.")] = False,
    json: Json = False,
) -> None:
    """Show the folder of compiled kernels and its size."""
    from plyforge.interfaces.cli.cache import run

    run(clear, json)
