"""The command line.

Each command lives in a module of its own that is imported when the command runs, so that
`plyforge --help` loads neither NumPy nor Numba.
"""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from plyforge import __version__
from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.arguments import (
    ClockText,
    Depth,
    Driver,
    Entries,
    Evaluation,
    GameName,
    GearName,
    Hash,
    Jobs,
    Json,
    Moves,
    Nodes,
    Off,
    On,
    Overwrite,
    Position,
    Preset,
    Replace,
    Seconds,
    Seed,
    Set,
    Threads,
    number,
    whole_number,
)
from plyforge.interfaces.cli.lab import lab

app = typer.Typer(
    name="plyforge",
    help="Rules of two-player games in plain Python: count, check and show them at native speed.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


app.add_typer(lab)


def main() -> None:
    """Run the command line; wrong input ends with 2, an interrupt with 130."""
    try:
        app()
    except PlyforgeError as error:
        _fail(str(error), exits.WRONG_INPUT)
    except KeyboardInterrupt:
        _fail("interrupted", exits.INTERRUPTED)
    except BrokenPipeError:
        # The reader went away (as in `plyforge show ... | head -1`): nothing is left to say.
        _silence_output()
        sys.exit(1)
    except OSError as error:
        _silence_output()
        _fail(f"the output cannot be written: {error.strerror}", 1)


def _silence_output() -> None:
    """Let what is still buffered go nowhere; Python would stumble over it again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> None:
    if sys.stdout is not None:
        sys.stdout.flush()
    if sys.stderr is not None:
        sys.stderr.write(f"plyforge: {message}\n")
    sys.exit(code)


def _exit(code: int) -> None:
    if code:
        raise typer.Exit(code)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"plyforge {__version__}")
        raise typer.Exit


@app.callback()
def plyforge(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
def games(json: Json = False) -> None:
    """List the built-in games, their variants and the hooks they offer."""
    from plyforge.interfaces.cli.games import run

    run(json)


@app.command()
def show(
    game: GameName, position: Position = None, moves: Moves = None, json: Json = False
) -> None:
    """Show a position: board, side to move, legal moves, outcome."""
    from plyforge.interfaces.cli.show import run

    run(game, position, moves, json)


@app.command()
def perft(
    game: GameName,
    depth: Annotated[
        int,
        typer.Option(
            "--depth", "-d", parser=whole_number, metavar="D", help="Length of the move sequences."
        ),
    ],
    position: Position = None,
    moves: Moves = None,
    divide: Annotated[
        bool, typer.Option("--divide", help="Split the count by first move.")
    ] = False,
    gear: GearName = None,
    finished: Annotated[
        int | None,
        typer.Option(
            "--finished",
            parser=whole_number,
            metavar="0|1",
            help="What a game that ends before the depth adds (default: the game's convention).",
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Count the move sequences of a given length."""
    from plyforge.interfaces.cli.perft import run

    run(game, depth, position, moves, divide, gear, finished, json)


@app.command()
def analyse(
    game: GameName,
    position: Position = None,
    moves: Moves = None,
    depth: Depth = None,
    time: Seconds = None,
    nodes: Nodes = None,
    only: Annotated[
        str | None,
        typer.Option("--only", metavar="M", help="Look only at these moves of the position."),
    ] = None,
    multipv: Annotated[
        int,
        typer.Option("--multipv", parser=whole_number, metavar="K", help="Show the K best lines."),
    ] = 1,
    driver: Driver = "pvs",
    preset: Preset = "exact",
    on: On = None,
    off: Off = None,
    set: Set = None,
    hash: Hash = None,
    entries: Entries = None,
    replace: Replace = None,
    threads: Threads = 1,
    evaluation: Evaluation = None,
    gear: GearName = None,
    json: Json = False,
    stream: Annotated[
        bool, typer.Option("--stream", help="Print a JSON object per iteration, then the last.")
    ] = False,
) -> None:
    """Search a position for its best move (5 seconds, unless a limit is given)."""
    from plyforge.interfaces.cli.analyse import run
    from plyforge.interfaces.cli.engines import EngineOptions

    options = EngineOptions(
        driver, preset, on, off, set or [], hash, entries, replace, threads, evaluation
    )
    _exit(
        run(game, position, moves, depth, time, nodes, only, multipv, options, gear, json, stream)
    )


@app.command()
def solve(
    game: GameName,
    position: Position = None,
    moves: Moves = None,
    time: Seconds = None,
    nodes: Nodes = None,
    driver: Driver = "pvs",
    preset: Preset = "exact",
    on: On = None,
    off: Off = None,
    set: Set = None,
    hash: Hash = None,
    entries: Entries = None,
    replace: Replace = None,
    threads: Threads = 1,
    evaluation: Evaluation = None,
    gear: GearName = None,
    json: Json = False,
) -> None:
    """Search a position until the result of perfect play is proved."""
    from plyforge.interfaces.cli.engines import EngineOptions
    from plyforge.interfaces.cli.solve import run

    options = EngineOptions(
        driver, preset, on, off, set or [], hash, entries, replace, threads, evaluation
    )
    _exit(run(game, position, moves, time, nodes, options, gear, json))


@app.command()
def serve(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[GAME]...",
            help="Games to offer first, such as files of your own; the built-in ones are always"
            " there.",
        ),
    ] = None,
    port: Annotated[
        int,
        typer.Option(
            "--port", "-p", parser=whole_number, metavar="N", help="0 takes any that is free."
        ),
    ] = 8000,
    host: Annotated[
        str,
        typer.Option("--host", metavar="H", help="Where to listen; 0.0.0.0 lets others in."),
    ] = "127.0.0.1",
    browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in a browser.")
    ] = True,
    allow_host: Annotated[
        list[str] | None,
        typer.Option("--allow-host", metavar="NAME", help="A name that pages may use for it."),
    ] = None,
    matches: Annotated[
        Path, typer.Option("--matches", metavar="FILE", help="The SQLite file of matches to show.")
    ] = Path("matches.db"),
    lab_file: Annotated[
        Path, typer.Option("--lab", metavar="FILE", help="The SQLite file of measurements to show.")
    ] = Path("lab.db"),
) -> None:
    """Play, analyse and look into a search in the browser.

    A game's file is code that is run: serve only files that you trust.
    """
    from plyforge.interfaces.cli.serve import run

    run(games or [], host, port, browser, allow_host or [], matches, lab_file)


@app.command()
def play(
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="The game; --load may tell it instead."),
    ] = None,
    position: Position = None,
    moves: Moves = None,
    load: Annotated[
        str | None,
        typer.Option("--load", metavar="FILE", help="Go on with the last game of a file."),
    ] = None,
    side: Annotated[
        str | None,
        typer.Option(
            "--side",
            metavar="S",
            help="The side you have: first (default), second, both for two people, none to watch;"
            " or by its name.",
        ),
    ] = None,
    level: Annotated[
        int | None,
        typer.Option(
            "--level",
            "-l",
            parser=whole_number,
            metavar="L",
            help="The engine at a level from 1 to 20 (default: 5).",
        ),
    ] = None,
    opponent: Annotated[
        list[str] | None,
        typer.Option(
            "--opponent",
            metavar="O",
            help="Another player, as engine:depth=6, random, textbook:negascout,depth=3 or"
            " python:mine.py; with --side none it may be given twice.",
        ),
    ] = None,
    depth: Depth = None,
    time: Seconds = None,
    nodes: Nodes = None,
    seed: Annotated[
        int | None,
        typer.Option(
            "--seed",
            parser=whole_number,
            metavar="N",
            help="Seed of all that is random (default: another one every time).",
        ),
    ] = None,
) -> None:
    """Play against the engine or another player, at the keyboard."""
    from plyforge.interfaces.cli.play import run
    from plyforge.interfaces.cli.seats import SeatOptions
    from plyforge.match.players import Allowance

    options = SeatOptions(side, opponent or [], level, Allowance(depth, nodes, time))
    _exit(run(game, position, moves, load, options, seed))


@app.command()
def annotate(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file of games.")],
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="The game, where the file does not tell it."),
    ] = None,
    depth: Depth = None,
    time: Seconds = None,
    nodes: Nodes = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="OUT", help="Write here, not to standard output."),
    ] = None,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="OUT may exist, and may be FILE itself.")
    ] = False,
    driver: Driver = "pvs",
    preset: Preset = "exact",
    on: On = None,
    off: Off = None,
    set: Set = None,
    hash: Hash = None,
    entries: Entries = None,
    replace: Replace = None,
    threads: Threads = 1,
    evaluation: Evaluation = None,
    gear: GearName = None,
    json: Json = False,
) -> None:
    """Add the engine's view to recorded games and mark mistakes (a second a move by default)."""
    from plyforge.interfaces.cli.annotate import default_limits, run
    from plyforge.interfaces.cli.engines import EngineOptions

    options = EngineOptions(
        driver, preset, on, off, set or [], hash, entries, replace, threads, evaluation
    )
    limits = default_limits(depth, time, nodes)
    _exit(run(file, game, limits, output, overwrite, options, gear, json))


@app.command()
def match(
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="GAME A B ...",
            help="A game, and players such as engine:depth=6,off=history, random,"
            " textbook:negascout,depth=3 or python:mine.py. A Python file is executed.",
        ),
    ],
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="GAME", help="The game, if it is not named first."),
    ] = None,
    games: Annotated[
        int,
        typer.Option(
            "--games", parser=whole_number, metavar="N", help="Games of each pairing; even."
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
    most_plies: Annotated[
        int,
        typer.Option(
            "--most-plies", parser=whole_number, metavar="N", help="Longer games are drawn."
        ),
    ] = 500,
    adjudicate_win: Annotated[
        float | None,
        typer.Option(
            "--adjudicate-win",
            parser=number,
            metavar="S",
            help="End games in which both players see this share of the range, 0 to 1.",
        ),
    ] = None,
    adjudicate_draw: Annotated[
        float | None,
        typer.Option(
            "--adjudicate-draw",
            parser=number,
            metavar="S",
            help="End long games in which both see no more than this share.",
        ),
    ] = None,
    sprt: Annotated[
        str | None,
        typer.Option(
            "--sprt",
            metavar="ELO0,ELO1[,ALPHA,BETA]",
            help="Stop as soon as one hypothesis is accepted.",
        ),
    ] = None,
    jobs: Jobs = None,
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
        str | None, typer.Option("--plot", metavar="FILE", help="Draw the ratings: .png or .svg.")
    ] = None,
    overwrite: Overwrite = False,
    json: Json = False,
) -> None:
    """Let players play each other, and rate them; the same command goes on where it stopped.

    Loops are games that end by repetition, lack of progress or --most-plies without a winner,
    although the game's own evaluation puts one side ahead by 5 % of its range or more.
    """
    from plyforge.interfaces.cli.match import Outputs, planned, run

    plan = planned(
        game, players, games, openings, form, depth, nodes, time, clock, most_plies,
        adjudicate_win, adjudicate_draw, sprt, seed,
    )  # fmt: skip
    _exit(run(plan, db, jobs, Outputs(records, markdown, csv, plot, overwrite), json))


@app.command()
def openings(
    game: GameName,
    source: Annotated[
        str, typer.Option("--source", metavar="SOURCE", help="random:PLIES or balanced:PLIES.")
    ] = "balanced:6",
    count: Annotated[
        int, typer.Option("--count", parser=whole_number, metavar="N", help="How many.")
    ] = 50,
    seed: Seed = 0,
    output: Annotated[
        str | None, typer.Option("--output", "-o", metavar="FILE", help="Write them to a file.")
    ] = None,
    overwrite: Overwrite = False,
    json: Json = False,
) -> None:
    """Find openings for matches, balanced by search or at random, and write them to a file."""
    from plyforge.interfaces.cli.openings import run

    _exit(run(game, source, count, seed, output, overwrite, json))


@app.command()
def bench(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="A game; every built-in one if left out.")
    ] = None,
    json: Json = False,
) -> None:
    """Count the nodes of fixed searches: a signature that any change of the search changes."""
    from plyforge.interfaces.cli.bench import run

    run(game, json)


@app.command(name="eval")
def eval_(
    game: GameName,
    position: Position = None,
    moves: Moves = None,
    evaluation: Evaluation = None,
    json: Json = False,
) -> None:
    """Show what a position's evaluation is made of."""
    from plyforge.interfaces.cli.evaluation import run

    run(game, position, moves, evaluation, json)


@app.command()
def options(json: Json = False) -> None:
    """List the switches, parameters, drivers and presets of the search."""
    from plyforge.interfaces.cli.options import run

    run(json)


@app.command()
def check(
    game: GameName,
    seed: Seed = 0,
    games: Annotated[
        int,
        typer.Option(
            "--games", parser=whole_number, metavar="N", help="Random games to play, at most."
        ),
    ] = 100,
    time: Annotated[
        float, typer.Option("--time", parser=number, metavar="S", help="Seconds of play, at most.")
    ] = 20.0,
    json: Json = False,
) -> None:
    """Look for mistakes in a game's rules by random play, uncompiled and compiled."""
    from plyforge.interfaces.cli.check import check as run

    _exit(run(game, seed, games, time, json))


@app.command()
def stats(
    game: GameName,
    position: Position = None,
    moves: Moves = None,
    games: Annotated[
        int | None,
        typer.Option(
            "--games",
            parser=whole_number,
            metavar="N",
            help="Games to play, at most (default: 10,000, or as many as --time allows).",
        ),
    ] = None,
    seed: Seed = 0,
    time: Annotated[
        float | None,
        typer.Option(
            "--time",
            parser=number,
            metavar="S",
            help="Seconds of play, at most (default: 60, or as long as --games takes).",
        ),
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="FILE", help="Draw the figures to a .png or .svg file."),
    ] = None,
    gear: GearName = None,
    json: Json = False,
) -> None:
    """Play random games: who wins, how long games are, how many moves there are."""
    from plyforge.core.statistics import Budget
    from plyforge.interfaces.cli.stats import run

    _exit(run(game, position, moves, Budget(games, time), seed, plot, gear, json))


@app.command()
def new(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The Python file to write.")],
    json: Json = False,
) -> None:
    """Write a commented starter game."""
    from plyforge.interfaces.cli.new import new as run

    _exit(run(file, json))


@app.command()
def cache(
    clear: Annotated[bool, typer.Option("--clear", help="Remove every stored kernel.")] = False,
    json: Json = False,
) -> None:
    """Show where compiled kernels are kept and how much room they take."""
    from plyforge.interfaces.cli.cache import run

    run(clear, json)
