"""What the server keeps of work done, so that a page may ask more about it: a cache with an end."""

import threading
from collections import OrderedDict
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.search.textbook.tracing import TraceRequest, TraceResult

MAX_VISITS: Final = 200_000
"""Visits of all trees of all pages together."""
MAX_ROWS: Final = 120
"""Wishes that are kept, however small their trees: each holds the game that led to its root."""


class TraceCache:
    """Trees by number; those that were looked at least lately are let go."""

    def __init__(self, most: int = MAX_VISITS, rows: int = MAX_ROWS) -> None:
        self._most, self._most_rows = most, rows
        self._rows: OrderedDict[int, tuple[TraceRequest, list[TraceResult]]] = OrderedDict()
        self._next = 0
        self._lock = threading.Lock()

    def put(self, wish: TraceRequest, trees: list[TraceResult]) -> int:
        """Keep trees, to which more may be added; the number to ask for them."""
        with self._lock:
            self._next += 1
            self._rows[self._next] = wish, trees
            while len(self._rows) > self._most_rows:
                self._rows.popitem(last=False)
            return self._next

    def trim(self) -> None:
        """Let go what is too much, but never the latest."""
        with self._lock:
            while len(self._rows) > 1 and self._visits() > self._most:
                self._rows.popitem(last=False)

    def _visits(self) -> int:
        return sum(len(tree.trace.visits) for _, trees in self._rows.values() for tree in trees)

    def get(self, number: int | None) -> tuple[TraceRequest, list[TraceResult]]:
        """Trees that are still kept."""
        with self._lock:
            if number is None or number not in self._rows:
                raise PlyforgeError("the trees are no longer kept; draw them again")
            self._rows.move_to_end(number)
            return self._rows[number]
