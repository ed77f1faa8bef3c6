"""Ending Python code that goes on after it was told to stop, such as a driver's endless loop."""

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Final

GRACE: Final = 1.0
"""Seconds that the code has to end after the first request."""


class Overrun(BaseException):
    """Raised within code that did not end in time."""

    def __init__(self) -> None:
        super().__init__(f"it did not end within {GRACE:g} s of being stopped, and did not search")


class Overseer:
    """Watches code that runs in one thread, for other threads that want it to end."""

    def __init__(self, kind: type[BaseException] = Overrun) -> None:
        self._kind = kind
        """The exception that ends the code."""
        self._lock = threading.Lock()
        self._thread: int | None = None
        """The thread in which the code runs, while it does."""
        self._asked: float | None = None
        """When its end was first requested."""
        self._raised = False

    @contextmanager
    def watch(self) -> Iterator[None]:
        """Let `stop` end the block."""
        self._asked, self._raised, self._thread = None, False, threading.get_ident()
        try:
            yield
        finally:
            self._leave()

    def stop(self) -> None:
        """Request the end; raise the exception in the code if the first request was long ago."""
        with self._lock:
            if self._thread is None:
                return
            now = monotonic()
            if self._asked is None:
                self._asked = now
            elif now - self._asked >= GRACE:
                self._raised = True
                _raise_in(self._thread, self._kind)

    def _leave(self) -> None:
        """Make sure that no exception is raised after the block."""
        try:
            with self._lock:
                self._thread = None
            if self._raised:
                # Withdrawing an exception would leave Python's flag for pending work set for ever.
                # Raising another one, in place of any that is still to come, clears it.
                _raise_in(threading.get_ident(), self._kind)
                _wait_for_exception()
        except self._kind:
            self._thread = None


def _wait_for_exception() -> None:
    """Execute Python code.  Within a `try` the compiler may leave a loop's jump uncovered."""
    while True:
        pass


def _raise_in(thread: int, kind: type[BaseException]) -> None:
    """Raise an exception in a thread as soon as that executes Python code."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(kind))
