"""The command line.

What a command takes is in `commands`, what it does in a module of its own that is imported when the
command runs, so that `plyforge --help` loads neither NumPy nor Numba.
"""

import os
import sys
from typing import Annotated

import typer

from plyforge import __version__
from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.cli import exits
from plyforge.interfaces.cli.commands import lab, playing, rules, searching

app = typer.Typer(
    name="plyforge",
    help="Game-tree search: rules in plain Python are searched, played and measured at native"
    " speed.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for _module in (searching, playing, rules):
    app.add_typer(_module.group)
app.add_typer(lab.group, rich_help_panel="Laboratory")


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
