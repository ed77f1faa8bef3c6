"""The command line.

Each command lives in a module of its own that is imported when the command runs, so that
`plyforge --help` loads neither NumPy nor Numba.
"""

import math
import os
import sys
from typing import Annotated

import typer

from plyforge import __version__
from plyforge.core.errors import PlyforgeError
from plyforge.search.enhancements import DRIVERS, ENHANCEMENTS, REPLACEMENTS

EXIT_INPUT = 2
EXIT_INTERRUPTED = 130

app = typer.Typer(
    name="plyforge",
    help="Rules of two-player games in plain Python: count, check and show them at native speed.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def whole_number(text: str | int) -> int:
    """An option's value as an int, or an error that names it."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is no whole number") from None


def number(text: str | float) -> float:
    """An option's value as a finite float, or an error that names it."""
    try:
        value = float(text)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is no number") from None
    if not math.isfinite(value):
        raise typer.BadParameter(f"'{text}' is not finite")
    return value


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A built-in game (checkers), one with a variant (connect4:5x4), or the path of a"
        " Python file with rules. The file is executed.",
    ),
]
Position = Annotated[
    str | None,
    typer.Option("--position", "-p", metavar="P", help="A position in the game's notation."),
]
Moves = Annotated[
    str | None, typer.Option("--moves", "-m", metavar="M", help="Moves to play from the position.")
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object as the last line.")]
Depth = Annotated[
    int | None,
    typer.Option(
        "--depth", "-d", parser=whole_number, metavar="D", help="Plies to search, at most."
    ),
]
Seconds = Annotated[
    float | None,
    typer.Option("--time", "-t", parser=number, metavar="S", help="Seconds to search, at most."),
]
Nodes = Annotated[
    int | None,
    typer.Option(
        "--nodes", "-n", parser=whole_number, metavar="N", help="Nodes to search, at most."
    ),
]
_SEARCH = "Search"
Driver = Annotated[
    str,
    typer.Option(
        "--driver", metavar="D", help=f"One of {', '.join(DRIVERS)}.", rich_help_panel=_SEARCH
    ),
]
Preset = Annotated[
    str,
    typer.Option(
        "--preset",
        metavar="P",
        help="'exact' finds minimax values, 'play' believes deeper entries, too.",
        rich_help_panel=_SEARCH,
    ),
]
On = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="X,Y",
        help=f"Switch on some of {', '.join(ENHANCEMENTS)}.",
        rich_help_panel=_SEARCH,
    ),
]
Off = Annotated[
    str | None,
    typer.Option(
        "--off", metavar="X,Y", help="Switch off some of these, or all.", rich_help_panel=_SEARCH
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Set a parameter; 'plyforge options' lists them. May be repeated.",
        rich_help_panel=_SEARCH,
    ),
]
Hash = Annotated[
    float | None,
    typer.Option(
        "--hash",
        parser=number,
        metavar="MIB",
        help="Size of the transposition table (default: 64).",
        rich_help_panel=_SEARCH,
    ),
]
Entries = Annotated[
    int | None,
    typer.Option(
        "--entries",
        parser=whole_number,
        metavar="N",
        help="The same in entries, 256 at least.",
        rich_help_panel=_SEARCH,
    ),
]
Replace = Annotated[
    str | None,
    typer.Option(
        "--replace",
        metavar="R",
        help=f"Replacement in the table: {', '.join(REPLACEMENTS)}.",
        rich_help_panel=_SEARCH,
    ),
]
Threads = Annotated[
    int,
    typer.Option(
        "--threads", parser=whole_number, metavar="N", help="Threads.", rich_help_panel=_SEARCH
    ),
]
Evaluation = Annotated[
    str | None,
    typer.Option(
        "--evaluation",
        metavar="E",
        help="Another evaluation: a Python file with evaluate(position), or a name that the game"
        " lists. The file is executed.",
    ),
]
GearName = Annotated[
    str | None,
    typer.Option("--gear", metavar="G", help="'compiled' (default), or 'python': run uncompiled."),
]


def main() -> None:
    """Run the command line; wrong input ends with 2, an interrupt with 130."""
    try:
        app()
    except PlyforgeError as error:
        _fail(str(error), EXIT_INPUT)
    except KeyboardInterrupt:
        _fail("interrupted", EXIT_INTERRUPTED)
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
    seed: Annotated[
        int,
        typer.Option("--seed", parser=whole_number, metavar="N", help="Seed of the random games."),
    ] = 0,
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
    seed: Annotated[
        int,
        typer.Option("--seed", parser=whole_number, metavar="N", help="Seed of the random games."),
    ] = 0,
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
