"""Output shared by the commands: console, JSON, tables, durations, paths of plots."""

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any, Final

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.cli.encodings import is_unicode
from plyforge.match.tables import Table

_FILE_WIDTH: Final = 160
"""Columns of output to a file or another program."""


def console() -> Console:
    """Return a console for standard output that does not wrap lines, so tools can read them."""
    out = Console(highlight=False, soft_wrap=True)
    if not out.is_terminal:
        out.width = _FILE_WIDTH
    return out


def print_json(fields: dict[str, Any]) -> None:
    """Print one JSON object on one line."""
    print(json.dumps(fields, ensure_ascii=not is_unicode(sys.stdout)))


def plot_path(name: str) -> Path:
    """Return the path of a plot; raise an error if no plot can be written there."""
    path = Path(name)
    if path.suffix.lower() not in (".png", ".svg"):
        raise PlyforgeError(f"plot '{name}' must end in .png or .svg")
    try:
        if path.is_dir():
            raise PlyforgeError(f"plot '{name}' is a folder; give a file name")
        if not path.parent.is_dir():
            raise PlyforgeError(
                f"plot '{name}': there is no folder '{path.parent}'; create it first"
            )
        new = not path.exists()
        with path.open("ab"):  # permissions alone do not show whether a disk is read-only
            pass
        if new:
            path.unlink()
    except OSError as error:
        raise PlyforgeError(
            f"plot '{name}' cannot be written: {error.strerror}; choose another file"
        ) from error
    if importlib.util.find_spec("matplotlib") is None:
        raise PlyforgeError("--plot needs matplotlib, which is not installed; run 'make install'")
    return path


def columns(texts: list[str], width: int) -> str:
    """Arrange short texts in columns, as many in a row as fit the width.

    >>> print(columns(["a1", "b10", "c1"], 10))
    a1   b10
    c1
    """
    column = max((len(text) for text in texts), default=0) + 2
    per_row = max(1, (width + 2) // column)
    rows = (texts[i : i + per_row] for i in range(0, len(texts), per_row))
    return "\n".join("".join(f"{text:<{column}}" for text in row).rstrip() for row in rows)


def print_table(table: Table) -> None:
    """Print a table; long names are folded on a narrow screen."""
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
