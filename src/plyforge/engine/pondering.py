"""Searching while the opponent thinks: the time of a search that has not begun to count."""

import threading
import time


class Pondering:
    """Holds back the limits of time of a search until `hit` is called.

    Pass it to `Engine.analyse` with the clock that applies if the opponent makes the expected move,
    and call `hit` when that happens; the time counts from then.  Limits of depth and nodes always
    apply.
    """

    def __init__(self) -> None:
        self._event = threading.Event()
        self.hit_at: float | None = None
        """When the time began to count, by `time.perf_counter`."""

    def hit(self) -> None:
        """Let the time count from now; safe to call from any thread."""
        if self.hit_at is None:
            self.hit_at = time.perf_counter()
        self._event.set()

    def wait(self) -> None:
        """Wait until the time counts, or the search has ended."""
        self._event.wait()

    def end(self) -> None:
        """Release the thread that waits: the search has ended."""
        self._event.set()
