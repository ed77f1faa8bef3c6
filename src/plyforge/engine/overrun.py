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

    def __init__(self) -> None:
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
        """Request the end; raise `Overrun` in the code if the first request was long ago."""
        with self._lock:
            if self._thread is None:
                return
            now = monotonic()
            if self._asked is None:
                self._asked = now
            elif now - self._asked >= GRACE:
                self._raised = True
                _raise_in(self._thread, Overrun)

    def _leave(self) -> None:
        """Withdraw an exception that has not been raised yet."""
        with self._lock:
            thread, self._thread = self._thread, None
            if self._raised and thread is not None:
                _raise_in(thread, None)


def _raise_in(thread: int, kind: type[BaseException] | None) -> None:
    """Raise an exception in a thread as soon as that executes Python code; None withdraws it."""
    exception = None if kind is None else ctypes.py_object(kind)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), exception)
