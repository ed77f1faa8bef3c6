"""The process of an external program that answers line by line, and how it is always ended.

The program gets a process group of its own.  A second small process waits for the end of this one,
however that comes about, and then kills the group: an engine that hangs does not notice that
nobody reads its answers.
"""

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from time import monotonic
from typing import Final

from plyforge.core.errors import PlyforgeError, clip

_MAX_LINE: Final = 1 << 16
"""The length at which a line is split, in bytes."""
_MAX_WAITING: Final = 1000
"""Lines that are kept until they are read; then the program has to wait."""
_GRACE: Final = 0.5
"""Seconds that the program has to end by itself."""
_GUARD: Final = """\
import os, signal, sys
for name in ("SIGINT", "SIGTERM", "SIGHUP"):
    if hasattr(signal, name):
        signal.signal(getattr(signal, name), signal.SIG_IGN)
if sys.stdin.buffer.read() != b"ended":
    try:
        os.killpg(int(sys.argv[1]), signal.SIGKILL)
    except (AttributeError, OSError):
        try:
            os.kill(int(sys.argv[1]), signal.SIGTERM)
        except OSError:
            pass
"""
"""The program of the second process; its input ends when this process does."""


class ExternalError(PlyforgeError):
    """A program that cannot be started, has ended or does not answer."""


class ExternalProcess:
    """A running program."""

    def __init__(self, command: Sequence[str]) -> None:
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise ExternalError(f"'{clip(command[0])}' cannot be started: {reason}") from error
        try:
            self._guard = subprocess.Popen(
                [sys.executable, "-I", "-S", "-c", _GUARD, str(self._process.pid)],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except BaseException:
            self._kill()
            raise
        self._lines: queue.Queue[str | None] = queue.Queue(_MAX_WAITING)
        self._closed = False
        threading.Thread(target=self._read, name="plyforge-external", daemon=True).start()

    def _read(self) -> None:
        """Pass on the lines that the program prints, then None."""
        assert self._process.stdout is not None
        with suppress(OSError, ValueError):
            while line := self._process.stdout.readline(_MAX_LINE):
                self._put(line.decode("utf-8", "replace").strip())
        self._put(None)

    def _put(self, line: str | None) -> None:
        while not self._closed:
            with suppress(queue.Full):
                self._lines.put(line, timeout=_GRACE)
                return

    def send(self, *lines: str) -> None:
        """Write lines to the program."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("".join(f"{line}\n" for line in lines).encode())
            self._process.stdin.flush()
        except (OSError, ValueError):
            raise self._ended_error() from None

    def receive(self, deadline: float) -> str:
        """Return the next line; `deadline` is a time of `monotonic`."""
        try:
            line = self._lines.get(timeout=max(deadline - monotonic(), 0.001))
        except queue.Empty:
            raise ExternalError("it did not answer in time") from None
        if line is None:
            self._lines.put(None)
            raise self._ended_error()
        return line

    def discard(self) -> None:
        """Forget what was printed and not read."""
        with suppress(queue.Empty):
            while True:
                if self._lines.get_nowait() is None:
                    self._lines.put(None)
                    return

    def _ended_error(self) -> ExternalError:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        code = self._process.poll()
        if code is None:
            return ExternalError("it closed its output")
        how = f"signal {-code}" if code < 0 else f"exit code {code}"
        return ExternalError(f"its program ended ({how})")

    def close(self, farewell: str = "") -> None:
        """End the program: it may do so itself within a moment."""
        if self._closed:
            return
        self._closed = True
        with suppress(PlyforgeError):
            if farewell:
                self.send(farewell)
        with suppress(OSError):
            assert self._process.stdin is not None
            self._process.stdin.close()
        if farewell:
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(_GRACE)
        self._kill()
        assert self._guard.stdin is not None
        with suppress(OSError):
            self._guard.stdin.write(b"ended")
            self._guard.stdin.close()
        self._guard.wait()

    def _kill(self) -> None:
        """Kill the program and what it has started."""
        if hasattr(os, "killpg"):
            with suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        self._process.wait()
        if self._process.stdout is not None:
            with suppress(OSError):
                self._process.stdout.close()
