"""The two clocks of a game."""

import time
from collections.abc import Callable, Sequence
from typing import Final

from plyforge.engine.clock import Clock
from plyforge.interfaces.web.outgoing import ClockState

_MIN_SECONDS: Final = 0.01
"""Minimum time of a player's `Clock`, which cannot be empty."""


class Clocks:
    """Seconds left for either side; the clock of the side to move runs.

    >>> now = [0.0]
    >>> clocks = Clocks(60, 2, lambda: now[0])
    >>> clocks.run(0)
    >>> now[0] = 5.0
    >>> clocks.switch_to(1)
    >>> clocks.left(0), clocks.left(1)
    (57.0, 60.0)
    """

    def __init__(
        self,
        seconds: float,
        increment: float,
        now: Callable[[], float] = time.monotonic,
        left: Sequence[float] | None = None,
    ) -> None:
        self._left = [seconds, seconds] if left is None else list(left)
        self._increment = increment
        self._now = now
        self._running: int | None = None
        self._since = 0.0

    def run(self, side: int | None) -> None:
        """Run the clock of a side, without an increment; None stops both clocks."""
        if self._running is not None:
            self._left[self._running] = self.left(self._running)
        self._running, self._since = side, self._now()

    def switch_to(self, side: int | None) -> None:
        """Add the increment to the running clock, and run that of `side`, which moves next."""
        mover = self._running
        self.run(side)
        if mover is not None:
            self._left[mover] += self._increment

    def left(self, side: int) -> float:
        """Return the seconds left for a side."""
        spent = self._now() - self._since if side == self._running else 0.0
        return max(0.0, self._left[side] - spent)

    def for_player(self, side: int) -> Clock:
        """Return the clock of a side as its player needs it."""
        return Clock(max(_MIN_SECONDS, self.left(side)), self._increment)

    @property
    def expired(self) -> int | None:
        """The side that has run out of time; None if neither has."""
        side = self._running
        return side if side is not None and self.left(side) <= 0 else None

    def state(self) -> ClockState:
        """Return both clocks as a page shows them."""
        return ClockState(
            left=[self.left(0), self.left(1)], running=self._running, increment=self._increment
        )
