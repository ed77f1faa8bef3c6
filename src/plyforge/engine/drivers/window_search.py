"""Searches of one position to one depth with any window, as drivers need them."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from plyforge.search.searcher import WindowResult
from plyforge.search.values import next_below

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


class Stopped(Exception):
    """The search was stopped; the `WindowSearch` holds what was found before."""


class WindowSearch:
    """Runs searches, and keeps the best result and the bounds that follow from all of them."""

    def __init__(self, search: Search, minimum: float, maximum: float) -> None:
        self._search = search
        self.minimum, self.maximum = minimum, maximum
        """The range of the evaluation; wins and losses lie outside."""
        self.lower, self.upper = -math.inf, math.inf
        self._lower_proven = self._upper_proven = False
        self.best: WindowResult | None = None
        """The last result with a best move: one that did not fail low."""
        self.last: WindowResult | None = None

    def search(self, low: float, high: float) -> float:
        """Return the value or a bound of it (see `WindowResult.bound`), or raise `Stopped`."""
        result = self._search(low, high)
        if result.move is not None and result.value > result.alpha:
            self.best = result
        if result.stopped:
            raise Stopped
        self.last = result
        if result.bound != "upper" and result.value >= self.lower:
            self.lower, self._lower_proven = result.value, result.proven
        if result.bound != "lower" and result.value <= self.upper:
            self.upper, self._upper_proven = result.value, result.proven
        return result.value

    def test(self, bound: float) -> float:
        """Run a null-window search: a result below `bound` is an upper bound, else a lower one."""
        return self.search(next_below(bound), bound)

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
