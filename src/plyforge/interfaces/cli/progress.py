"""How far a long command is, on standard error."""

import shutil
import sys
import time
from typing import Final

from plyforge.interfaces.cli.output import duration

_EVERY: Final = 10.0
"""Seconds between two lines where no one watches a terminal."""


class Progress:
    """A line that is written over; where that is no terminal, a line now and then."""

    def __init__(self, every: float = _EVERY) -> None:
        self._live = sys.stderr is not None and sys.stderr.isatty()
        self._every = every
        self._begun = self._shown = time.monotonic()
        self._at_first = 0
        self._text = ""

    def begin(self, done: int = 0) -> None:
        """Time runs from here; so much was there before."""
        self._begun = self._shown = time.monotonic()
        self._at_first = done

    def to_go(self, done: int, total: int) -> str:
        """The time that remains, as soon as there is anything to tell it from."""
        new = done - self._at_first
        if new <= 0:
            return ""
        left = (time.monotonic() - self._begun) / new * max(total - done, 0)
        return f", {duration(left)} to go"

    def show(self, text: str, watched: bool = False) -> None:
        """Where things stand; what only a terminal should see is `watched`."""
        self._text = text
        if self._live:
            self._write(f"\r\x1b[K{text[: shutil.get_terminal_size().columns - 1]}")
        elif not watched and time.monotonic() - self._shown > self._every:
            self.line(text)

    def line(self, text: str) -> None:
        """A line that stays."""
        self._shown = time.monotonic()
        self._write(f"\r\x1b[K{text}\n" if self._live else f"{text}\n")

    def end(self, keep: bool = False) -> None:
        """Leave no line behind on a terminal; elsewhere the last one, if it is to be kept."""
        if self._live:
            self._write("\r\x1b[K")
        elif keep:
            self.line(self._text)

    def _write(self, text: str) -> None:
        if sys.stderr is not None:
            sys.stderr.write(text)
            sys.stderr.flush()
