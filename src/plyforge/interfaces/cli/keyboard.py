"""Input lines: from a person at a terminal, or from a script through a pipe."""

import contextlib
import io
import sys
from collections.abc import Callable


class Keyboard:
    """Reads lines from standard input; at a terminal, with line editing where available."""

    def __init__(self) -> None:
        self.interactive = sys.stdin is not None and sys.stdin.isatty()
        if self.interactive:
            with contextlib.suppress(ImportError):
                import readline  # noqa: F401 - importing it gives `input` line editing
        for stream in (sys.stdin, sys.stdout):
            # Bytes that cannot be decoded are a wrong move, not a reason to end the game.
            if isinstance(stream, io.TextIOWrapper) and (
                stream is sys.stdin or stream.errors == "strict"
            ):
                stream.reconfigure(errors="replace")

    def read(self, prompt: str, echo: Callable[[str], None]) -> str | None:
        """Return the next line, stripped; None at the end of input.

        From a pipe, the prompt and the line are echoed, so that the output reads as at a terminal.
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
