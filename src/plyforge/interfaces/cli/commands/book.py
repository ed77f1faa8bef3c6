"""`plyforge book` and its commands."""

from typing import Annotated

import typer

from plyforge.interfaces.cli.arguments import (
    Depth,
    GameName,
    Json,
    Moves,
    Nodes,
    Seconds,
    integer,
    number,
)
from plyforge.interfaces.cli.engines import DEFAULT_OPTIONS, EngineOptions, with_engine_options
from plyforge.interfaces.cli.exits import finish

group = typer.Typer(
    name="book",
    help="Build opening books from games and by search, show and export them.",
    no_args_is_help=True,
)
File = Annotated[str, typer.Argument(metavar="FILE", help="The file of the book (.book).")]


@group.command()
@with_engine_options
def build(
    game: GameName,
    file: File,
    games: Annotated[
        list[str] | None,
        typer.Option("--games", metavar="FILE", help="Add the games of a file. Can be repeated."),
    ] = None,
    plies: Annotated[
        int,
        typer.Option("--plies", parser=integer, metavar="N", help="Plies of each game to add."),
    ] = 20,
    min_games: Annotated[
        int,
        typer.Option(
            "--min-games",
            parser=integer,
            metavar="N",
            help="After adding games, drop positions of fewer games.",
        ),
    ] = 1,
    expand: Annotated[
        int,
        typer.Option(
            "--expand", parser=integer, metavar="N", help="Search all moves of N more positions."
        ),
    ] = 0,
    solve: Annotated[
        int | None,
        typer.Option(
            "--solve",
            parser=integer,
            metavar="N",
            help="Prove the results of all moves; searches N plies after each are stored, so that"
            " the same command resumes.",
        ),
    ] = None,
    method: Annotated[
        str,
        typer.Option(
            "--method",
            metavar="M",
            help="How positions are chosen: 'drop-out' (good lines, short ones first) or"
            " 'best-first' (the end of the best line).",
        ),
    ] = "drop-out",
    weight: Annotated[
        float,
        typer.Option(
            "--weight",
            parser=number,
            metavar="W",
            help="With drop-out, how many plies a move costs that gives away a clear advantage;"
            " with 0, positions are expanded by length alone.",
        ),
    ] = 5.0,
    moves: Moves = None,
    depth: Depth = None,
    time: Seconds = None,
    nodes: Nodes = None,
    engine: EngineOptions = DEFAULT_OPTIONS,
    json: Json = False,
) -> None:
    """Add games to a book, or search more positions; without limits, until they are proved.

    Run the same command again to expand the book further.
    """
    from plyforge.interfaces.cli.book import BuildOptions, build_book

    options = BuildOptions(games or [], plies, min_games, expand, method, weight, moves, solve)
    finish(build_book(game, file, options, depth, time, nodes, engine, json))


@group.command()
def show(game: GameName, file: File, moves: Moves = None, json: Json = False) -> None:
    """Show the moves that a book has in a position, and how it was built."""
    from plyforge.interfaces.cli.book import show_book

    show_book(game, file, moves, json)


@group.command()
def export(
    game: GameName,
    file: File,
    output: Annotated[
        str, typer.Argument(metavar="OUTPUT", help="The file to write: Polyglot (.bin) in chess.")
    ],
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace the file if it exists.")
    ] = False,
    json: Json = False,
) -> None:
    """Write a book in the game's own format."""
    from plyforge.interfaces.cli.book import export_book

    export_book(game, file, output, overwrite, json)
