"""Commands that search positions."""

from functools import partial
from typing import Annotated, Final

import typer

from plyforge.interfaces.cli.arguments import (
    BackendName,
    Depth,
    Evaluation,
    GameName,
    Json,
    Moves,
    Nodes,
    Position,
    Seconds,
    integer,
)
from plyforge.interfaces.cli.engines import DEFAULT_OPTIONS, EngineOptions, with_engine_options
from plyforge.interfaces.cli.exits import finish

group: Final = typer.Typer()
command = partial(group.command, rich_help_panel="Search")


@command()
@with_engine_options
def analyse(
    game: GameName,
    position: Position = None,
    moves: Moves = None,
    depth: Depth = None,
    time: Seconds = None,
    nodes: Nodes = None,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="M", help="Search only these moves."),
    ] = None,
    multipv: Annotated[
        int,
        typer.Option("--multipv", parser=integer, metavar="K", help="Show the K best lines."),
    ] = 1,
    engine: EngineOptions = DEFAULT_OPTIONS,
    workers: Annotated[
        int | None,
        typer.Option(
            "--workers",
            parser=integer,
            metavar="N",
            help="Let a master share out the search to N engines; --nodes is for each of them.",
        ),
    ] = None,
    executor: Annotated[
        str | None,
        typer.Option(
            "--executor",
            metavar="E",
            help="Where workers run: 'local' (default: they take turns in this process), 'ray', or"
            " 'ray://HOST:PORT'.",
        ),
    ] = None,
    backend: BackendName = None,
    json: Json = False,
    stream: Annotated[
        bool, typer.Option("--stream", help="Print a JSON object per iteration, then the result.")
    ] = False,
) -> None:
    """Search a position for the best move (default: 5 seconds)."""
    from plyforge.interfaces.cli import analyse_master
    from plyforge.interfaces.cli.analyse import run

    if workers is not None or executor is not None:
        analyse_master.reject_options(only, multipv)
        options = analyse_master.MasterOptions(workers, executor, engine, json, stream)
        finish(analyse_master.run(game, position, moves, depth, time, nodes, options, backend))
        return
    finish(
        run(game, position, moves, depth, time, nodes, only, multipv, engine, backend, json, stream)
    )


@command()
@with_engine_options
def solve(
    game: GameName,
    position: Position = None,
    moves: Moves = None,
    time: Seconds = None,
    nodes: Nodes = None,
    method: Annotated[
        str | None,
        typer.Option(
            "--method",
            metavar="M",
            help="'alpha-beta', 'proof-number', 'pn2' or 'df-pn' (default: the game's own; 'df-pn'"
            " where positions come back, else 'alpha-beta').",
        ),
    ] = None,
    each_move: Annotated[
        bool,
        typer.Option(
            "--each-move", help="Solve the position after each move; the limits are those of each."
        ),
    ] = False,
    engine: EngineOptions = DEFAULT_OPTIONS,
    backend: BackendName = None,
    json: Json = False,
) -> None:
    """Search a position until the result of perfect play is proved."""
    from plyforge.interfaces.cli.solve import run

    finish(run(game, position, moves, time, nodes, method, engine, backend, json, each_move))


@command(name="eval")
def eval_(
    game: GameName,
    position: Position = None,
    moves: Moves = None,
    evaluation: Evaluation = None,
    save: Annotated[
        str | None,
        typer.Option("--save", metavar="FILE", help="Write the weights to a file (.npz)."),
    ] = None,
    precision: Annotated[
        str,
        typer.Option(
            "--precision", metavar="P", help="Precision of saved weights: int16 or float32."
        ),
    ] = "int16",
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the file if it exists.")
    ] = False,
    json: Json = False,
) -> None:
    """Show the evaluation of a position and its features, or save its weights."""
    from plyforge.interfaces.cli.evaluation import run

    run(game, position, moves, evaluation, json, save, precision, overwrite)


@command()
def options(
    driver: Annotated[
        str | None,
        typer.Option(
            "--driver",
            metavar="FILE",
            help="List the driver in this Python file, too. The file is executed.",
        ),
    ] = None,
    step: Annotated[
        list[str] | None,
        typer.Option(
            "--step",
            metavar="FILE",
            help="List the search step in this Python file, too. Can be repeated. The file is"
            " executed.",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """List the switches, parameters, drivers and presets of the search."""
    from plyforge.interfaces.cli.options import run

    run(driver, step or [], json)


@command()
@with_engine_options
def suite(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A file of positions in EPD, with bm or am.")
    ],
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="The game (default: chess).")
    ] = "chess",
    depth: Depth = None,
    time: Seconds = None,
    nodes: Nodes = None,
    engine: EngineOptions = DEFAULT_OPTIONS,
    backend: BackendName = None,
    json: Json = False,
) -> None:
    """Search the positions of a test suite, and report which are solved (default: 1 s each)."""
    from plyforge.interfaces.cli.annotate import default_limits
    from plyforge.interfaces.cli.suite import run

    finish(run(file, game, default_limits(depth, time, nodes), engine, backend, json))


@command()
def uci(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="The game (default: chess).")
    ] = "chess",
) -> None:
    """Speak UCI on standard input and output, for graphical interfaces and match programs."""
    from plyforge.interfaces.uci import run

    run(game)


@command()
def bench(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="The game (default: all built-in games).")
    ] = None,
    json: Json = False,
) -> None:
    """Count the nodes of fixed searches; the total changes when the search does."""
    from plyforge.interfaces.cli.bench import run

    run(game, json)
