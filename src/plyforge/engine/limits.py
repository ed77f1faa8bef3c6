"""How far an analysis may go."""

import math
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from plyforge.core.errors import PlyforgeError
from plyforge.search.enhancements import MOST_PLIES


@dataclass(frozen=True)
class Limits:
    """Any of depth in plies, seconds and nodes; an analysis ends at the first it reaches."""

    depth: int | None = None
    time: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        depth, time, nodes = self.depth, self.time, self.nodes
        if depth is not None:
            if isinstance(depth, bool) or not isinstance(depth, int):
                raise PlyforgeError(f"depth {depth!r} is no whole number")
            if not 1 <= depth <= MOST_PLIES:
                raise PlyforgeError(
                    f"depth {depth} is out of range; it goes from 1 to {MOST_PLIES}"
                )
        if time is not None and not (math.isfinite(time) and time > 0):
            raise PlyforgeError(f"a time of {time} seconds: give a positive number")
        if nodes is not None and (
            isinstance(nodes, bool) or not isinstance(nodes, int) or nodes < 1
        ):
            raise PlyforgeError(f"a limit of {nodes!r} nodes: give a whole number, at least 1")

    @contextmanager
    def clock(self, stop: Callable[[], None]) -> Iterator[None]:
        """Call `stop` when the time is over, unless the block ends before."""
        if self.time is None:
            yield
            return
        timer = threading.Timer(self.time, stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()
