"""The two clocks of a game."""

import time
from collections.abc import Callable
from typing import Any

from plyforge.engine.clock import Clock

_LEAST = 0.01
"""Seconds that a player is told even if it has none left: its clock cannot be empty."""


class Clocks:
    """Seconds left for either side; that of the side to move runs.

    >>> now = [0.0]
    >>> clocks = Clocks(60, 2, lambda: now[0])
    >>> clocks.run(0)
    >>> now[0] = 5.0
    >>> clocks.moved(1)
    >>> clocks.left(0), clocks.left(1)
    (57.0, 60.0)
    """

    def __init__(
        self, seconds: float, increment: float, now: Callable[[], float] = time.monotonic
    ) -> None:
        self._left = [seconds, seconds]
        self._increment = increment
        self._now = now
        self._running: int | None = None
        self._since = 0.0

    def run(self, side: int | None) -> None:
        """A side's clock runs from now on; None stops both.  No increment is given."""
        if self._running is not None:
            self._left[self._running] = self.left(self._running)
        self._running, self._since = side, self._now()

    def moved(self, side: int | None) -> None:
        """A move was made, by the side whose clock runs; `side` is to move now."""
        mover = self._running
        self.run(side)
        if mover is not None:
            self._left[mover] += self._increment

    def left(self, side: int) -> float:
        """Seconds left for a side."""
        spent = self._now() - self._since if side == self._running else 0.0
        return max(0.0, self._left[side] - spent)

    def for_player(self, side: int) -> Clock:
        """What a player is told of its clock."""
        return Clock(max(_LEAST, self.left(side)), self._increment)

    @property
    def fallen(self) -> int | None:
        """The side whose time is over; None while both have some."""
        side = self._running
        return side if side is not None and self.left(side) <= 0 else None

    def fields(self) -> dict[str, Any]:
        """As a page shows them."""
        return {
            "left": [self.left(0), self.left(1)],
            "running": self._running,
            "increment": self._increment,
        }
