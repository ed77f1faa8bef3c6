"""The command line.

Each command's options are declared in `commands`. Its work is in a module that is imported only
when the command runs, so that `plyforge --help` loads neither NumPy nor Numba.
"""

import os
import sys
import warnings
from typing import Annotated, TextIO

import typer

from plyforge import __version__
from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.commands import (
    book,
    cluster,
    equilibria,
    lab,
    learning,
    playing,
    rules,
    searching,
    tuning,
)
from plyforge.interfaces.cli.encodings import accept_any_letter
from plyforge.interfaces.cli.help_texts import hide_types

app = typer.Typer(
    name="plyforge",
    help="Write the rules of a game in plain Python; search, play and measure it at native speed.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _module in (searching, equilibria, playing, learning, tuning, rules):
    app.add_typer(_module.group)
app.add_typer(book.group, rich_help_panel="Search")
app.add_typer(learning.learn, rich_help_panel="Learning")
app.add_typer(lab.group, rich_help_panel="Laboratory")
app.add_typer(cluster.group, rich_help_panel="Laboratory")


def main() -> None:
    """Run the command line; exit with 2 after wrong input, with 130 after an interrupt."""
    accept_any_letter()
    hide_types()
    warnings.showwarning = _show_warning
    try:
        app()
    except PlyforgeError as error:
        _fail(str(error), exits.WRONG_INPUT)
    except KeyboardInterrupt:
        _fail("interrupted", exits.INTERRUPTED)
    except BrokenPipeError:
        # The reader has closed the pipe, as in `plyforge show ... | head -1`.
        _silence_output()
        sys.exit(1)
    except OSError as error:
        _silence_output()
        _fail(f"cannot write the output: {error.strerror}", 1)


def _silence_output() -> None:
    """Discard buffered output, which Python would fail to write once more at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _fail(message: str, code: int) -> None:
    if sys.stdout is not None:
        sys.stdout.flush()
    if sys.stderr is not None:
        sys.stderr.write(f"plyforge: {message}\n")
    sys.exit(code)


def _show_warning(
    message: Warning | str,
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,
    line: str | None = None,
) -> None:
    """Print a warning as one sentence, without the line of code that caused it."""
    if sys.stderr is not None:
        sys.stderr.write(f"plyforge: warning: {message}\n")


def _print_version(requested: bool) -> None:
    if requested:
        typer.echo(f"plyforge {__version__}")
        raise typer.Exit


@app.callback()
def plyforge(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    pass
