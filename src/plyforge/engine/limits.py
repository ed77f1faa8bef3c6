"""How far an analysis may go."""

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from plyforge.core.errors import PlyforgeError, clip
from plyforge.engine.clock import Clock
from plyforge.search.enhancements import MAX_PLIES


@dataclass(frozen=True)
class Limits:
    """Any of depth in plies, seconds, nodes and a game clock; the first that is reached counts.

    `time` is used up unless the result is proved; with a clock the engine decides itself how much
    of it a move is worth.
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
            raise PlyforgeError(f"clock {self.clock!r}: give a Clock, as Clock(600, most=10)")

    def seconds(self, plies: int) -> float | None:
        """When to stop at the latest; `plies` is how many moves of the game have been made."""
        if self.clock is not None:
            return self.clock.hard(plies)
        return self.time

    @contextmanager
    def alarm(self, plies: int, stop: Callable[[], None]) -> Iterator[None]:
        """Call `stop` when the time is over, unless the block ends before."""
        seconds = self.seconds(plies)
        if seconds is None:
            yield
            return
        timer = threading.Timer(min(seconds, threading.TIMEOUT_MAX), stop)
        timer.daemon = True
        timer.start()
        try:
            yield
        finally:
            timer.cancel()


def validate_depth(depth: int) -> int:
    """A depth that a search can take, or an error that says which it can."""
    if isinstance(depth, bool) or not isinstance(depth, int):
        raise PlyforgeError(f"depth {depth!r} is no whole number")
    if not 1 <= depth <= MAX_PLIES:
        raise PlyforgeError(f"depth {depth} is out of range; it goes from 1 to {MAX_PLIES}")
    return depth


def validate_seconds(name: str, seconds: float) -> float:
    """A positive, finite number of seconds."""
    if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
        raise PlyforgeError(f"{name} {seconds!r} is no number of seconds")
    if not 0 < seconds <= sys.float_info.max:
        told = clip(f"{seconds}")
        raise PlyforgeError(f"{name} {told} is no time; give a positive number of seconds")
    return float(seconds)


def validate_nodes(nodes: int) -> int:
    """A positive number of nodes."""
    if isinstance(nodes, bool) or not isinstance(nodes, int) or nodes < 1:
        raise PlyforgeError(f"a limit of {nodes!r} nodes: give a whole number, at least 1")
    return nodes
