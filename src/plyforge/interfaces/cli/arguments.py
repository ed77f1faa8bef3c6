"""Arguments and options that several commands share."""

import math
from typing import Annotated

import typer

from plyforge.search.enhancements import DRIVERS, ENHANCEMENTS, REPLACEMENTS


def integer(text: str | int) -> int:
    """Return an option's value as an int."""
    try:
        return int(text)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is not an integer") from None


def number(text: str | float) -> float:
    """Return an option's value as a finite float."""
    try:
        value = float(text)
    except ValueError:
        raise typer.BadParameter(f"'{text}' is not a number") from None
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
    typer.Option("--depth", "-d", parser=integer, metavar="D", help="Plies to search, at most."),
]
Seconds = Annotated[
    float | None,
    typer.Option("--time", "-t", parser=number, metavar="S", help="Seconds to search, at most."),
]
Nodes = Annotated[
    int | None,
    typer.Option("--nodes", "-n", parser=integer, metavar="N", help="Nodes to search, at most."),
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
        parser=integer,
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
        "--threads", parser=integer, metavar="N", help="Threads.", rich_help_panel=_SEARCH
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
BackendName = Annotated[
    str | None,
    typer.Option(
        "--backend", metavar="G", help="'compiled' (default), or 'python': run uncompiled."
    ),
]
Seed = Annotated[
    int,
    typer.Option("--seed", parser=integer, metavar="N", help="Seed of all that is random."),
]
ClockText = Annotated[
    str | None,
    typer.Option(
        "--clock",
        metavar="S[+I][/M]",
        help="Seconds for a game, an increment a move, and the most for a move: 60+1, 600/10.",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs", "-j", parser=integer, metavar="J", help="Processes (default: one a core)."
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Write over files that are there.")]
