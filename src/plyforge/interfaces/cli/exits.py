"""Exit codes of the commands."""

from typing import Final

import typer

DONE: Final = 0
FAILED: Final = 1
"""A check failed, or the output could not be written."""
WRONG_INPUT: Final = 2
NOT_SOLVED: Final = 3
"""A limit of time or nodes ended `solve` before the result was proved."""
INTERRUPTED: Final = 130


def finish(code: int) -> None:
    """End the command with an exit code."""
    if code:
        raise typer.Exit(code)
