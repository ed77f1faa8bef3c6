"""Idle engines, kept for the next search because their tables are filled."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from plyforge.engine.engine import Engine

MAX_IDLE: Final = 4
"""Engines that are kept while nobody uses them."""


class EnginePool:
    """Engines by a key, such as game and options; each has one user at a time."""

    def __init__(self) -> None:
        self._idle: list[tuple[object, Engine]] = []
        self._lock = threading.Lock()

    @contextmanager
    def borrow(self, key: object, make: Callable[[], Engine]) -> Iterator[Engine]:
        """Lend an idle engine with this key, or a new one."""
        engine = self._take(key) or make()
        try:
            yield engine
        finally:
            with self._lock:
                self._idle = [*self._idle, (key, engine)][-MAX_IDLE:]

    def clear(self) -> None:
        """Drop the idle engines, and free their tables."""
        with self._lock:
            self._idle = []

    def _take(self, key: object) -> Engine | None:
        with self._lock:
            for index in reversed(range(len(self._idle))):
                if self._idle[index][0] == key:
                    return self._idle.pop(index)[1]
        return None
