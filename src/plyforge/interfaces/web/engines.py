"""Idle engines, kept for the next analysis because their tables are filled."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from plyforge.engine import Engine

IDLE: Final = 4
"""Engines that are kept while nobody uses them."""


class Engines:
    """Engines by what tells them apart; each has one user at a time."""

    def __init__(self) -> None:
        self._idle: list[tuple[object, Engine]] = []
        self._lock = threading.Lock()

    @contextmanager
    def borrow(self, key: object, make: Callable[[], Engine]) -> Iterator[Engine]:
        """An idle engine of the key, or a new one."""
        engine = self._take(key) or make()
        try:
            yield engine
        finally:
            with self._lock:
                self._idle = [*self._idle, (key, engine)][-IDLE:]

    def _take(self, key: object) -> Engine | None:
        with self._lock:
            for place in reversed(range(len(self._idle))):
                if self._idle[place][0] == key:
                    return self._idle.pop(place)[1]
        return None
