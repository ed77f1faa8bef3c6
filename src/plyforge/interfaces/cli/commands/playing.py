"""Commands that play, watch and annotate games."""

from functools import partial
from pathlib import Path
from typing import Annotated, Final

import typer

from plyforge.interfaces.cli.arguments import (
    AdjudicateDraw,
    AdjudicateWin,
    BackendName,
    ClockText,
    Depth,
    ExecutorName,
    GameName,
    Jobs,
    Json,
    MaxPlies,
    Moves,
    Nodes,
    Overwrite,
    Position,
    Seconds,
    Seed,
    integer,
)
from plyforge.interfaces.cli.engines import DEFAULT_OPTIONS, EngineOptions, with_engine_options
from plyforge.interfaces.cli.exits import finish

group: Final = typer.Typer()
command = partial(group.command, rich_help_panel="Games")


@command()
def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="The game; with --load, it may be left out."),
    ] = None,
    position: Position = None,
    moves: Moves = None,
    load: Annotated[
        str | None,
        typer.Option("--load", metavar="FILE", help="Resume the last game of a file."),
    ] = None,
    side: Annotated[
        str | None,
        typer.Option(
            "--side",
            metavar="S",
            help="Your side: first (default), second, both for two people, none to watch; or the"
            " side's name.",
        ),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            "--level",
            "-l",
            parser=integer,
            metavar="L",
            help="Play against the engine at a level from 1 to 20 (default: 5).",
        ),
    ] = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            "--opponent",
            metavar="O",
            help="Play against another player, such as engine:depth=6, random,"
            " textbook:negascout,depth=3, python:mine.py or uci:stockfish. Can be given twice with"
            " --side none.",
        ),
    ] = None,
    depth: Depth = None,
    time: Seconds = None,
    nodes: Nodes = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            parser=integer,
            metavar="N",
            help="Random seed (default: a new one each time).",
        ),
    ] = None,
) -> None:
    """Play against the engine or another player, at the keyboard."""
    from plyforge.interfaces.cli.play import run
    from plyforge.interfaces.cli.seats import SeatOptions
    from plyforge.match.players import MoveLimits

    options = SeatOptions(side, opponent or [], level, MoveLimits(depth, nodes, time))
    finish(run(game, position, moves, load, options, seed))


@command()
def serve(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME",
            help="Games to list first, such as your own files; the built-in games are always"
            " listed.",
        ),
    ] = None,
    port: Annotated[
        int,
        typer.Option(
            "--port",
            "-p",
            parser=integer,
            metavar="N",
            help="Port to listen on; 0 chooses a free one.",
        ),
    ] = 8000,
    host: Annotated[
        str,
        typer.Option(
            "--host",
            metavar="H",
            help="Address to listen on; 0.0.0.0 lets other machines connect.",
        ),
    ] = "127.0.0.1",
    browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in a browser.")
    ] = True,
    allow_host: Annotated[
        list[str] | None,
        typer.Option(
            "--allow-host",
            metavar="NAME",
            help="Another host name that the server answers to. Can be repeated.",
        ),
    ] = None,
    matches: Annotated[
        Path, typer.Option("--matches", metavar="FILE", help="The SQLite file of matches to show.")
    ] = Path("matches.db"),
    lab_file: Annotated[
        Path, typer.Option("--lab", metavar="FILE", help="The SQLite file of measurements to show.")
    ] = Path("lab.db"),
    learning: Annotated[
        Path,
        typer.Option("--learning", metavar="FILE", help="The SQLite file of learning to show."),
    ] = Path("learn.db"),
    played: Annotated[
        Path | None,
        typer.Option(
            "--played",
            metavar="FILE",
            help="The SQLite file in which the server keeps the games played on it (default: in"
            " your folder for application data).",
        ),
    ] = None,
    driver: Annotated[
        list[str] | None,
        typer.Option(
            "--driver",
            metavar="FILE",
            help="A Python file with a driver that pages may use, too. Can be repeated.",
        ),
    ] = None,
    step: Annotated[
        list[str] | None,
        typer.Option(
            "--step",
            metavar="FILE",
            help="A Python file with a search step, which pages may switch. Can be repeated.",
        ),
    ] = None,
    analysis_threads: Annotated[
        int,
        typer.Option(
            "--analysis-threads",
            parser=integer,
            metavar="N",
            help="Threads that one analysis of a page may use.",
        ),
    ] = 1,
    total_analysis_threads: Annotated[
        int | None,
        typer.Option(
            "--total-analysis-threads",
            parser=integer,
            metavar="N",
            help="Threads that the analyses of all pages may use together (default: as many as"
            " the machine has processors, or more if two analyses need more).",
        ),
    ] = None,
    executor: Annotated[
        str,
        typer.Option(
            "--executor",
            metavar="E",
            help="Where the workers of shared searches run: 'local' (default), 'ray', or"
            " 'ray://HOST:PORT'.",
        ),
    ] = "local",
    book: Annotated[
        list[str] | None,
        typer.Option(
            "--book",
            metavar="FILE",
            help="An opening book to show on the page for analysis. Can be repeated.",
        ),
    ] = None,
) -> None:
    """Play, analyse and watch games and view search trees in the browser.

    Files of games, drivers and steps are executed: serve only files that you trust.
    """
    from plyforge.interfaces.cli.serve import run

    run(
        games or [],
        host,
        port,
        browser,
        allow_host or [],
        matches,
        lab_file,
        learning,
        played,
        driver or [],
        step or [],
        analysis_threads,
        total_analysis_threads,
        executor,
        book or [],
    )


@command()
@with_engine_options
def annotate(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file of games.")],
    game: Annotated[
        str | None,
        typer.Argument(metavar="GAME", help="The game, if the file does not name it."),
    ] = None,
    depth: Depth = None,
    time: Seconds = None,
    nodes: Nodes = None,
    output: Annotated[
        str | None,
        typer.Option(
            "--output", "-o", metavar="OUT", help="Write to this file instead of standard output."
        ),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Overwrite OUT if it exists; it may be FILE itself.")
    ] = False,
    engine: EngineOptions = DEFAULT_OPTIONS,
    backend: BackendName = None,
    json: Json = False,
) -> None:
    """Add scores, better moves and marks for mistakes to recorded games."""
    from plyforge.interfaces.cli.annotate import default_limits, run

    limits = default_limits(depth, time, nodes)
    finish(run(file, game, limits, output, overwrite, engine, backend, json))


@command()
def match(
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME A B ...",
            help="A game, and players such as engine:depth=6,off=history,"
            " cluster:workers=4,nodes=2000, random, textbook:negascout,depth=3, python:mine.py or"
            " uci:stockfish. Files and commands are executed.",
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="GAME", help="The game, if it is not the first argument."),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            "--games",
            parser=integer,
            metavar="N",
            help="Games per pair of players; an even number.",
        ),
    ] = 100,
    openings: Annotated[
        str,
        typer.Option(
            "--openings",
            metavar="SOURCE",
            help="random:PLIES, balanced:PLIES (found by search) or file:PATH.",
        ),
    ] = "random:4",
    form: Annotated[
        str,
        typer.Option("--format", metavar="F", help="round-robin, or gauntlet: A against all."),
    ] = "round-robin",
    depth: Depth = None,
    nodes: Nodes = None,
    time: Seconds = None,
    clock: ClockText = None,
    max_plies: MaxPlies = 500,
    adjudicate_win: AdjudicateWin = None,
    adjudicate_draw: AdjudicateDraw = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="ELO0,ELO1[,ALPHA,BETA]",
            help="Stop as soon as one hypothesis is accepted.",
        ),
    ] = None,
    jobs: Jobs = None,
    executor: ExecutorName = "local",
    seed: Seed = 0,
    db: Annotated[
        str, typer.Option("--db", metavar="FILE", help="The SQLite file of games.")
    ] = "matches.db",
    records: Annotated[
        str | None, typer.Option("--records", metavar="FILE", help="Write the games.")
    ] = None,
    markdown: Annotated[
        str | None, typer.Option("--markdown", metavar="FILE", help="Write the tables.")
    ] = None,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="Write standings and cross-table.")
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="FILE", help="Plot the ratings to a .png or .svg file."),
    ] = None,
    overwrite: Overwrite = False,
    json: Json = False,
) -> None:
    """Play a match between players and rate them; run the same command again to resume.

    Loops are games that end by repetition, lack of progress or --max-plies without a winner,
    although the game's own evaluation puts one side ahead by 5 % of its range or more, or by
    the game's AHEAD if it sets one.
    """
    from plyforge.interfaces.cli.executors import ExecutorOptions
    from plyforge.interfaces.cli.match import Outputs, make_plan, run

    plan = make_plan(
        game, players, games, openings, form, depth, nodes, time, clock, max_plies,
        adjudicate_win, adjudicate_draw, sprt, seed,
    )  # fmt: skip
    outputs = Outputs(records, markdown, csv, plot, overwrite)
    finish(run(plan, db, ExecutorOptions(jobs, executor), outputs, json))


@command()
def openings(
    game: GameName,
    source: Annotated[
        str, typer.Option("--source", metavar="SOURCE", help="random:PLIES or balanced:PLIES.")
    ] = "balanced:6",
    count: Annotated[
        int, typer.Option("--count", parser=integer, metavar="N", help="Number of openings.")
    ] = 50,
    seed: Seed = 0,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE", help="Write the openings to this file."),
    ] = None,
    overwrite: Overwrite = False,
    json: Json = False,
) -> None:
    """Find openings for matches, at random or balanced by search."""
    from plyforge.interfaces.cli.openings import run

    finish(run(game, source, count, seed, output, overwrite, json))
