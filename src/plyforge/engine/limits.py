"""The limits of an analysis."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from plyforge.core.errors import PlyforgeError, clip
from plyforge.engine.clock import Clock
from plyforge.engine.overrun import GRACE
from plyforge.engine.pondering import Pondering
from plyforge.search.parameters import MAX_PLIES


@dataclass(frozen=True)
class Limits:
    """Depth in plies, seconds, nodes and a game clock; the first limit that is reached counts.

    `time` is used up unless the result is proved; of a clock the engine decides how much to use.
    """

    depth: int | None = None
    time: float | None = None
    nodes: int | None = None
    clock: Clock | None = None

    def __post_init__(self) -> None:
        if self.depth is not None:
            validate_depth(self.depth)
        if self.time is not None:
            validate_seconds("time", self.time)
        if self.nodes is not None:
            validate_nodes(self.nodes)
        if self.time is not None and self.clock is not None:
            raise PlyforgeError("give a time for this move or a clock for the game, not both")
        if self.clock is not None and not isinstance(self.clock, Clock):
            raise PlyforgeError(f"clock must be a Clock, as Clock(600, 5), not {self.clock!r}")

    def seconds(self, plies: int) -> float | None:
        """Return the hard limit; `plies` is the number of moves made in the game."""
        if self.clock is not None:
            return self.clock.hard(plies)
        return self.time

    @contextmanager
    def alarm(
        self, plies: int, stop: Callable[[], None], pondering: Pondering | None = None
    ) -> Iterator[None]:
        """Call `stop` when the time is up, and again from time to time until the block ends."""
        seconds = self.seconds(plies)
        if seconds is None:
            yield
            return
        ended = threading.Event()

        def keep_time() -> None:
            if pondering is not None:
                pondering.wait()
            timeout = min(seconds, threading.TIMEOUT_MAX)
            while not ended.wait(timeout):
                stop()
                timeout = GRACE / 2

        timer = threading.Thread(target=keep_time, name="plyforge-timer", daemon=True)
        timer.start()
        try:
            yield
        finally:
            ended.set()
            if pondering is not None:
                pondering.end()
            timer.join()


def validate_depth(depth: int) -> int:
    """Return a depth if a search can reach it, else raise an error."""
    if isinstance(depth, bool) or not isinstance(depth, int):
        raise PlyforgeError(f"depth must be an integer, not {depth!r}")
    if not 1 <= depth <= MAX_PLIES:
        raise PlyforgeError(f"depth must be between 1 and {MAX_PLIES}, not {depth}")
    return depth


def validate_seconds(name: str, seconds: float) -> float:
    """Return a positive, finite number of seconds, or raise an error."""
    number = isinstance(seconds, (int, float)) and not isinstance(seconds, bool)
    if not number or not 0 < seconds <= sys.float_info.max:
        value = clip(repr(seconds))
        raise PlyforgeError(f"{name} must be a positive number of seconds, not {value}")
    return float(seconds)


def validate_nodes(nodes: int) -> int:
    """Return a positive number of nodes, or raise an error."""
    if isinstance(nodes, bool) or not isinstance(nodes, int) or nodes < 1:
        raise PlyforgeError(f"nodes must be an integer of at least 1, not {nodes!r}")
    return nodes
