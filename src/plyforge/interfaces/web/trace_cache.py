"""The traces of search trees that pages have requested, kept for later requests."""

import threading
from collections import OrderedDict
from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.search.textbook.tracing import TraceRequest, TraceResult

MAX_VISITS: Final = 200_000
"""Visits of all trees of all pages together."""
MAX_REQUESTS: Final = 120
"""Requests that are kept, however small their trees: each holds the game that led to its root."""


class TraceCache:
    """Trees by the number of their request; those used least recently are dropped."""

    def __init__(self, max_visits: int = MAX_VISITS, max_requests: int = MAX_REQUESTS) -> None:
        self._max_visits, self._max_requests = max_visits, max_requests
        self._entries: OrderedDict[int, tuple[TraceRequest, list[TraceResult]]] = OrderedDict()
        self._next = 0
        self._lock = threading.Lock()

    def put(self, request: TraceRequest, trees: list[TraceResult]) -> int:
        """Keep trees, to which more may be added, and return the number to get them with."""
        with self._lock:
            self._next += 1
            self._entries[self._next] = request, trees
            while len(self._entries) > self._max_requests:
                self._entries.popitem(last=False)
            return self._next

    def trim(self) -> None:
        """Drop trees while there are too many visits, but never the latest trees."""
        with self._lock:
            while len(self._entries) > 1 and self._visits() > self._max_visits:
                self._entries.popitem(last=False)

    def _visits(self) -> int:
        return sum(len(tree.trace.visits) for _, trees in self._entries.values() for tree in trees)

    def get(self, number: int | None) -> tuple[TraceRequest, list[TraceResult]]:
        """Return trees that are still kept."""
        with self._lock:
            if number is None or number not in self._entries:
                raise PlyforgeError("the trees are no longer on the server; draw them again")
            self._entries.move_to_end(number)
            return self._entries[number]
