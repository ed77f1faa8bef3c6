"""Watch the author's code: what runs, since when, and where it is if it does not end.

Python code is interrupted by a timer signal, where the platform has one.  Compiled code cannot
be; a watching thread (see `child`) reports it and ends the process.
"""

import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from plyforge.check.report import Place

_TICK = 0.1


class Hang(BaseException):
    """Python code of the author did not end; an `except Exception` there does not catch this."""

    def __init__(self, place: Place | None, seconds: float) -> None:
        super().__init__(f"no result within {seconds:g} s")
        self.place = place
        self.seconds = seconds


class Guard:
    """One call into the author's code at a time, with a limit on its duration."""

    def __init__(self, folder: Path, limit: float) -> None:
        self.folder = folder.resolve()
        """The folder of the author's files."""
        self.limit = limit
        self.hook = ""
        self.backend = ""
        self.since: float | None = None
        """The time at which the running call began; None between calls."""

    def call(self, backend: str, hook: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return the function's result; raise `Hang` if Python code takes longer than the limit."""
        self.backend, self.hook = backend, hook
        self.since = time.monotonic()
        try:
            return function(*arguments)
        finally:
            self.since = None

    def seconds_overdue(self) -> float:
        """Return the seconds by which the running call exceeds its limit, maybe negative."""
        since = self.since
        return -1.0 if since is None else time.monotonic() - since - self.limit

    @contextmanager
    def interrupt_slow_calls(self) -> Iterator[None]:
        """Within this block, interrupt Python code that takes too long."""
        main = threading.current_thread() is threading.main_thread()
        if not (hasattr(signal, "setitimer") and main):
            yield
            return
        before = signal.signal(signal.SIGALRM, self._tick)
        signal.setitimer(signal.ITIMER_REAL, _TICK, _TICK)
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def _tick(self, number: int, frame: FrameType | None) -> None:
        if self.backend == "python" and self.seconds_overdue() > 0:
            self.since = None
            raise Hang(self.place_of_frame(frame), self.limit)

    def place_of_frame(self, frame: FrameType | None) -> Place | None:
        """Return the innermost line of the author's files in a running stack."""
        while frame is not None:
            if self._is_own(frame.f_code.co_filename):
                return Place(frame.f_code.co_filename, frame.f_lineno)
            frame = frame.f_back
        return None

    def place_of_error(self, error: BaseException) -> Place | None:
        """Return the innermost line of the author's files in an error's traceback."""
        for frame in reversed(traceback.extract_tb(error.__traceback__)):
            if self._is_own(frame.filename) and frame.lineno:
                return Place(frame.filename, frame.lineno)
        return None

    def main_thread_place(self) -> Place | None:
        """Return where the main thread is, when called from another thread."""
        return self.place_of_frame(sys._current_frames().get(threading.main_thread().ident or 0))

    def _is_own(self, file: str) -> bool:
        return not file.startswith("<") and self.folder in Path(file).resolve().parents
