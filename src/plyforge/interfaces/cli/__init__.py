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
