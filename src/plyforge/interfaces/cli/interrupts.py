"""Ctrl-C in commands whose results must be written, however late it comes."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Self


class DelayedInterrupts:
    """Within the `with` block Ctrl-C is noted, and raised only within `raising()`.

    So a single Ctrl-C either stops the work, or arrives when that has ended and nothing may stop
    what remains to be written.  Where SIGINT is ignored, as for background jobs, or has another
    handler than Python's own, nothing changes.
    """

    def __init__(self) -> None:
        self.interrupted = False
        """Whether Ctrl-C was pressed outside of `raising()`."""
        main = threading.current_thread() is threading.main_thread()
        self._used = main and signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def __enter__(self) -> Self:
        self.delay()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._used:
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def delay(self) -> None:
        """Note Ctrl-C from now on."""
        if self._used:
            signal.signal(signal.SIGINT, self._note)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.interrupted = True

    @contextmanager
    def raising(self) -> Iterator[None]:
        """Raise KeyboardInterrupt within this block, also for what was noted before it."""
        if self.interrupted:
            raise KeyboardInterrupt
        try:
            if self._used:
                signal.signal(signal.SIGINT, signal.default_int_handler)
            yield
        finally:
            self.delay()
