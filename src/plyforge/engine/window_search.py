"""Searches of one position to one depth with any window, as drivers need them."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from plyforge.search.request import WindowResult
from plyforge.search.values import next_below

MAX_USELESS: Final = 1000
"""Searches in a row that may teach nothing; a driver that makes more of them never ends."""

Search = Callable[[float, float], WindowResult]


@dataclass(frozen=True)
class Step:
    """One search of a driver."""

    depth: int
    low: float
    high: float
    value: float
    bound: str
    nodes: int


class Stopped(BaseException):
    """The search was stopped; the `WindowSearch` holds what was found before.

    It is no `Exception`, so that a driver's `except Exception` does not swallow it.
    """


class DriverMistake(BaseException):
    """A search that makes no sense; no `Exception` for the same reason."""


class WindowSearch:
    """Searches one position to one depth within windows, and keeps the bounds that follow.

    The value lies between `lower` and `upper`; the driver is done when they meet.
    """

    def __init__(self, search: Search, minimum: float, maximum: float) -> None:
        self._search = search
        self.minimum, self.maximum = minimum, maximum
        """The range of the evaluation; wins and losses lie outside."""
        self.lower, self.upper = -math.inf, math.inf
        self._lower_proven = self._upper_proven = False
        self._useless = 0
        self.searching = False
        """Whether a search is running."""
        self.stopped = False
        """Whether a search was stopped."""
        self.best: WindowResult | None = None
        """The last result with a best move: one that did not fail low."""
        self.last: WindowResult | None = None

    def search(self, low: float, high: float) -> float:
        """Search with the window (low, high), and return the value or a bound of it.

        A result of at most `low` is an upper bound, one of at least `high` a lower bound; between
        them it is the value.
        """
        low, high = self._check_window(low, high)
        self.searching = True
        try:
            result = self._search(low, high)
        finally:
            self.searching = False
        if result.move is not None and result.value > result.alpha:
            self.best = result
        if result.stopped:
            self.stopped = True
            raise Stopped
        self.last = result
        self._narrow(result)
        return result.value

    def test(self, bound: float) -> float:
        """Search with a null window: a result below `bound` is an upper bound, else a lower one."""
        return self.search(next_below(bound), bound)

    def _narrow(self, result: WindowResult) -> None:
        """Take over what a result says about the bounds."""
        before = self.lower, self.upper
        if result.bound != "upper" and result.value >= self.lower:
            self.lower, self._lower_proven = result.value, result.proven
        if result.bound != "lower" and result.value <= self.upper:
            self.upper, self._upper_proven = result.value, result.proven
        self._useless = self._useless + 1 if before == (self.lower, self.upper) else 0
        if self._useless >= MAX_USELESS:
            raise DriverMistake(
                f"the last {MAX_USELESS} searches changed neither bound, the last one with the"
                f" window ({result.alpha:g}, {result.beta:g}): the value is between"
                f" {self.lower:g} and {self.upper:g}; search between these, or return a value"
            )

    @staticmethod
    def _check_window(low: float, high: float) -> tuple[float, float]:
        try:
            low, high = float(low), float(high)
        except (TypeError, ValueError, OverflowError):
            raise DriverMistake(
                f"the window ({low!r}, {high!r}) is not a pair of numbers"
            ) from None
        if not low < high:
            raise DriverMistake(
                f"the window ({low:g}, {high:g}) is empty; its first number must be the smaller one"
            )
        return low, high

    @property
    def range_width(self) -> float:
        """The width of the evaluation's range."""
        return self.maximum - self.minimum

    @property
    def proven(self) -> bool:
        """Whether neither bound depends on a leaf at the horizon."""
        return self._lower_proven and self._upper_proven

    @property
    def settled(self) -> bool:
        """Whether the bounds have met."""
        return self.lower >= self.upper
