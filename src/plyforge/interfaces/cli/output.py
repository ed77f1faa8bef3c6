"""What commands share in printing: one console, JSON as the last line, where plots go."""

import importlib.util
import json
from pathlib import Path
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from plyforge.core.errors import PlyforgeError
from plyforge.match.tables import Table

_FILE_WIDTH: Final = 160
"""Columns of what goes to a file or another program."""


def console() -> Console:
    """Standard output; not wrapped where it is no terminal, so that other tools can read it."""
    out = Console(highlight=False, soft_wrap=True)
    if not out.is_terminal:
        out.width = _FILE_WIDTH
    return out


def print_json(fields: dict[str, Any]) -> None:
    """One JSON object on one line."""
    print(json.dumps(fields, ensure_ascii=False))


def plot_path(name: str) -> Path:
    """The path of a plot, or an error that says why none can be drawn there."""
    path = Path(name)
    if path.suffix.lower() not in (".png", ".svg"):
        raise PlyforgeError(f"plot '{name}': the name must end in .png or .svg")
    try:
        if path.is_dir():
            raise PlyforgeError(f"plot '{name}' is a folder; name a file")
        if not path.parent.is_dir():
            raise PlyforgeError(f"plot '{name}': there is no folder '{path.parent}'")
        new = not path.exists()
        with path.open("ab"):  # permissions alone do not tell: a disk may be read-only
            pass
        if new:
            path.unlink()
    except OSError as error:
        raise PlyforgeError(f"plot '{name}' cannot be written: {error.strerror}") from error
    if importlib.util.find_spec("matplotlib") is None:
        raise PlyforgeError("--plot needs matplotlib, which is not installed: 'make install'")
    return path


def columns(texts: list[str], width: int) -> str:
    """Short texts side by side, as many in a row as fit.

    >>> print(columns(["a1", "b10", "c1"], 10))
    a1   b10
    c1
    """
    wide = max((len(text) for text in texts), default=0) + 2
    most = max(1, (width + 2) // wide)
    rows = (texts[i : i + most] for i in range(0, len(texts), most))
    return "\n".join("".join(f"{text:<{wide}}" for text in row).rstrip() for row in rows)


def print_table(table: Table) -> None:
    """A table on standard output; names are folded where the screen is narrow."""
    grid = Grid(box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    grid.add_column(table.headings[0], overflow="fold")
    for heading in table.headings[1:]:
        grid.add_column(heading, justify="right", overflow="fold")
    for row in table.rows:
        grid.add_row(*(Text(cell) for cell in row))
    out = console()
    if table.title:
        out.print(table.title, markup=False)
    out.print(grid)


def format_duration(seconds: float) -> str:
    """Format a number of seconds: `1 h 05 min`, `2 min 03 s` or `7 s`."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
