"""How far a long command is, on standard error."""

import shutil
import sys
import time
from collections.abc import Callable
from typing import Final

from plyforge.interfaces.cli.output import duration

_EVERY: Final = 10.0
"""Seconds between two lines where no one watches a terminal."""
_REDRAW_EVERY: Final = 0.25
"""The same on a terminal: fast work must not wait for what is told of it."""


class Progress:
    """A line that is written over; where that is no terminal, a line now and then."""

    def __init__(self) -> None:
        self._live = sys.stderr is not None and sys.stderr.isatty()
        self._every = _REDRAW_EVERY if self._live else _EVERY
        self._begun = self._shown = time.monotonic()
        self._at_first = 0

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

    def watch(self, text: str) -> None:
        """Where things stand, at once, for a terminal only."""
        if self._live:
            self._shown = time.monotonic()
            self._write(f"\r\x1b[K{text[: shutil.get_terminal_size().columns - 1]}")

    def show(self, told: Callable[[], str]) -> None:
        """Where things stand, if it is time to say so; only then it is put into words."""
        if time.monotonic() - self._shown > self._every:
            if self._live:
                self.watch(told())
            else:
                self.line(told())

    def line(self, text: str) -> None:
        """A line that stays."""
        self._shown = time.monotonic()
        self._write(f"\r\x1b[K{text}\n" if self._live else f"{text}\n")

    def end(self, last: str = "") -> None:
        """Leave no line behind on a terminal; elsewhere a last one, if there is any."""
        if self._live:
            self._write("\r\x1b[K")
        elif last:
            self.line(last)

    def _write(self, text: str) -> None:
        if sys.stderr is not None:
            sys.stderr.write(text)
            sys.stderr.flush()
