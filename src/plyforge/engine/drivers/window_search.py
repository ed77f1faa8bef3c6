"""What a driver asks and hears: searches of one position to one depth, with any window."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from plyforge.search.searcher import WindowResult
from plyforge.search.values import next_below

Ask = Callable[[float, float], WindowResult]


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
    """The search was stopped; what the window_search has noted so far is all there is."""


class WindowSearch:
    """Asks searches, keeps the bounds that follow from their answers, and the best answer."""

    def __init__(self, ask: Ask, least: float, greatest: float) -> None:
        self._ask = ask
        self.least, self.greatest = least, greatest
        """The range of the evaluation; wins and losses lie outside."""
        self.lower, self.upper = -math.inf, math.inf
        self._lower_proven = self._upper_proven = False
        self.best: WindowResult | None = None
        """The last answer that tells a best move: one that did not fail low."""
        self.last: WindowResult | None = None

    def search(self, low: float, high: float) -> float:
        """The value, or a bound of it: see `WindowResult.bound`.  Raises `Stopped`."""
        answer = self._ask(low, high)
        if answer.move is not None and answer.value > answer.alpha:
            self.best = answer
        if answer.stopped:
            raise Stopped
        self.last = answer
        if answer.bound != "upper" and answer.value >= self.lower:
            self.lower, self._lower_proven = answer.value, answer.proven
        if answer.bound != "lower" and answer.value <= self.upper:
            self.upper, self._upper_proven = answer.value, answer.proven
        return answer.value

    def test(self, bound: float) -> float:
        """A null-window search: less than `bound` is an upper bound, else a lower one."""
        return self.search(next_below(bound), bound)

    @property
    def proven(self) -> bool:
        """Whether both bounds rest on no leaf at the horizon."""
        return self._lower_proven and self._upper_proven

    @property
    def settled(self) -> bool:
        """Whether the bounds have met."""
        return self.lower >= self.upper
