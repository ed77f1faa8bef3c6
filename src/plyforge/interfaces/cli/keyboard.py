"""Lines from whoever plays: a person at a terminal, or a script through a pipe."""

import contextlib
import io
import sys
from collections.abc import Callable


class Keyboard:
    """Reads lines; at a terminal with editing, where the system has readline."""

    def __init__(self) -> None:
        self.interactive = sys.stdin is not None and sys.stdin.isatty()
        if self.interactive:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401 - `input` uses it once it is there
        for stream in (sys.stdin, sys.stdout):
            # What is no text in the system's encoding is a wrong move, and no reason to end.
            if isinstance(stream, io.TextIOWrapper):
                stream.reconfigure(errors="replace")

    def read(self, prompt: str, echo: Callable[[str], None]) -> str | None:
        """The next line without spaces around it; None at the end of input.

        A pipe shows no prompt of its own: it is echoed with the line, so that the output reads as
        it would have at a terminal.
        """
        if self.interactive:
            try:
                return input(prompt).strip()
            except EOFError:
                echo("")
                return None
        line = "" if sys.stdin is None else sys.stdin.readline()
        if not line:
            return None
        echo(f"{prompt}{line.strip()}".rstrip())
        return line.strip()
