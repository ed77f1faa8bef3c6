"""Messages to the user while kernels compile, which happens at the first start only."""

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass


@dataclass
class Timer:
    """The duration of a compilation, in seconds of processor time."""

    seconds: float = 0.0


def _to_stderr(text: str) -> None:
    if sys.stderr is not None:  # it may have been closed
        sys.stderr.write(text)
        sys.stderr.flush()


class Notices:
    """Writes messages, by default to standard error."""

    def __init__(self, write: Callable[[str], object] = _to_stderr) -> None:
        self._write = write

    @contextmanager
    def compiling(self, game: str, kernel: str) -> Iterator[Timer]:
        """Announce a compilation and report how it ended."""
        timer = Timer()
        started, cpu = time.perf_counter(), time.process_time()
        self._write(f"compiling {kernel} for {game} (once; stored for later starts) ... ")
        try:
            yield timer
        except BaseException as error:
            self._write("interrupted\n" if isinstance(error, KeyboardInterrupt) else "failed\n")
            raise
        timer.seconds = time.process_time() - cpu
        self._write(f"{time.perf_counter() - started:.1f} s\n")

    def wait(self, what: str) -> None:
        """Say that another process compiles the same kernel."""
        self._write(f"waiting for another process that compiles {what} ...\n")

    def say(self, text: str) -> None:
        """Write a line."""
        self._write(f"{text}\n")

    def warn(self, text: str) -> None:
        self._write(f"warning: {text}\n")


class SilentNotices(Notices):
    """Writes nothing."""

    def __init__(self) -> None:
        super().__init__(lambda text: None)
