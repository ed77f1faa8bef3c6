"""Arguments and options that several commands share."""

import math
from typing import Annotated

import typer


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
        raise typer.BadParameter(f"'{text}' is not a finite number")
    return value


def percentage(text: str | float) -> float:
    """Return an option such as `2%`, `2 %` or `2` as a share: 0.02."""
    words = str(text).strip().removesuffix("%").strip()
    try:
        return number(words) / 100
    except typer.BadParameter:
        raise typer.BadParameter(f"'{text}' is not a percentage, such as 2%") from None


GameName = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A built-in game (checkers), a variant (connect4:5x4), or the path of a Python"
        " file with rules. The file is executed.",
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
    typer.Option("--depth", "-d", parser=integer, metavar="D", help="Maximum depth in plies."),
]
Seconds = Annotated[
    float | None,
    typer.Option("--time", "-t", parser=number, metavar="S", help="Maximum seconds to search."),
]
Nodes = Annotated[
    int | None,
    typer.Option("--nodes", "-n", parser=integer, metavar="N", help="Maximum nodes to search."),
]
_SEARCH = "Search"
Driver = Annotated[
    str,
    typer.Option(
        "--driver",
        metavar="D",
        help="A driver listed by 'plyforge options', such as pvs or mtdf, or the path of a Python"
        " file with one. The file is executed.",
        rich_help_panel=_SEARCH,
    ),
]
Steps = Annotated[
    list[str] | None,
    typer.Option(
        "--step",
        metavar="FILE",
        help="A Python file with a search step. Can be repeated; steps act in this order. The file"
        " is executed.",
        rich_help_panel=_SEARCH,
    ),
]
Preset = Annotated[
    str,
    typer.Option(
        "--preset",
        metavar="P",
        help="'exact' finds minimax values; 'play' also uses deeper table entries.",
        rich_help_panel=_SEARCH,
    ),
]
On = Annotated[
    str | None,
    typer.Option(
        "--on",
        metavar="X,Y",
        help="Switches to turn on, such as 'wins,eib'; 'plyforge options' lists them.",
        rich_help_panel=_SEARCH,
    ),
]
Off = Annotated[
    str | None,
    typer.Option(
        "--off", metavar="X,Y", help="Switches to turn off, or 'all'.", rich_help_panel=_SEARCH
    ),
]
Set = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="NAME=VALUE",
        help="Set a parameter listed by 'plyforge options'. Can be repeated.",
        rich_help_panel=_SEARCH,
    ),
]
Hash = Annotated[
    float | None,
    typer.Option(
        "--hash",
        parser=number,
        metavar="MIB",
        help="Size of the transposition table in MiB (default: 64).",
        rich_help_panel=_SEARCH,
    ),
]
Entries = Annotated[
    int | None,
    typer.Option(
        "--entries",
        parser=integer,
        metavar="N",
        help="Size of the transposition table in entries, at least 256.",
        rich_help_panel=_SEARCH,
    ),
]
Replace = Annotated[
    str | None,
    typer.Option(
        "--replace",
        metavar="R",
        help="Replacement scheme of the table, such as 'deeper'; 'plyforge options' lists them.",
        rich_help_panel=_SEARCH,
    ),
]
Threads = Annotated[
    int,
    typer.Option(
        "--threads", parser=integer, metavar="N", help="Number of threads.", rich_help_panel=_SEARCH
    ),
]
Processes = Annotated[
    int,
    typer.Option(
        "--processes",
        parser=integer,
        metavar="N",
        help="Number of processes, with --parallel tdsab or partitioned-table.",
        rich_help_panel=_SEARCH,
    ),
]
Parallel = Annotated[
    str,
    typer.Option(
        "--parallel",
        metavar="METHOD",
        help="How several threads or processes search together, such as 'ybwc'; 'plyforge options'"
        " lists the methods.",
        rich_help_panel=_SEARCH,
    ),
]
Evaluation = Annotated[
    str | None,
    typer.Option(
        "--evaluation",
        metavar="E",
        help="Evaluation to use: a Python file (which is executed), a file of weights (.npz), or a"
        " name defined by the game (default: the game's own).",
    ),
]
Book = Annotated[
    str | None,
    typer.Option(
        "--book",
        metavar="FILE",
        help="Opening book: a file of 'plyforge book build' (.book), or in chess a Polyglot file"
        " (.bin). Positions with scores in it are not searched.",
    ),
]
DatabaseFolder = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="FOLDER",
        help="Use the endgame database in this folder; 'plyforge database build' makes one.",
        rich_help_panel=_SEARCH,
    ),
]
BackendName = Annotated[
    str | None,
    typer.Option(
        "--backend", metavar="B", help="'compiled' (default) or 'python', which does not compile."
    ),
]
Seed = Annotated[
    int,
    typer.Option(
        "--seed", parser=integer, metavar="N", help="Seed of the random number generator."
    ),
]
ClockText = Annotated[
    str | None,
    typer.Option(
        "--clock",
        metavar="S[+I][/M]",
        help="Seconds per game, increment per move, maximum per move, such as 60+1 or 600/10.",
    ),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        "--jobs",
        "-j",
        parser=integer,
        metavar="J",
        help="Number of processes (default: one per core).",
    ),
]
ExecutorName = Annotated[
    str,
    typer.Option(
        "--executor",
        metavar="E",
        help="Where jobs run: 'local' (default), 'ray', or 'ray://HOST:PORT' with the head node of"
        " a Ray cluster.",
    ),
]
Overwrite = Annotated[bool, typer.Option("--overwrite", help="Overwrite existing files.")]
MaxPlies = Annotated[
    int,
    typer.Option(
        "--max-plies", parser=integer, metavar="N", help="A game that reaches N plies is a draw."
    ),
]
AdjudicateWin = Annotated[
    float | None,
    typer.Option(
        "--adjudicate-win",
        parser=number,
        metavar="S",
        help="End a game as won when both players give one side at least this share of"
        " the evaluation's range, from 0 to 1.",
    ),
]
AdjudicateDraw = Annotated[
    float | None,
    typer.Option(
        "--adjudicate-draw",
        parser=number,
        metavar="S",
        help="End a long game as drawn when both players give neither side more than this share.",
    ),
]
