"""Idle engines, kept for the next search because their tables are filled."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, Generic, TypeVar

MAX_IDLE: Final = 4
"""Engines that are kept while nobody uses them."""
E = TypeVar("E")
"""An engine, or what works like one."""


class EnginePool(Generic[E]):
    """Engines by a key, such as game and options; each has one user at a time."""

    def __init__(self, max_idle: int = MAX_IDLE) -> None:
        self._max_idle = max_idle
        self._idle: list[tuple[object, E]] = []
        self._lock = threading.Lock()

    @contextmanager
    def borrow(self, key: object, make: Callable[[], E]) -> Iterator[E]:
        """Lend an idle engine with this key, or a new one."""
        engine = self._take(key) or make()
        try:
            yield engine
        finally:
            with self._lock:
                self._idle = [*self._idle, (key, engine)][-self._max_idle :]

    def clear(self) -> None:
        """Drop the idle engines, and free their tables."""
        with self._lock:
            self._idle = []

    def _take(self, key: object) -> E | None:
        with self._lock:
            for index in reversed(range(len(self._idle))):
                if self._idle[index][0] == key:
                    return self._idle.pop(index)[1]
        return None
