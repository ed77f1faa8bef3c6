"""A budget for the whole game, and how much of it one move gets.

Koneru gives a side ten minutes, at most ten seconds a move, and less in the opening.  Here a
move gets the time left over the moves that are likely still to come, half of that in the first
moves, plus most of the increment.  The engine stops between iterations when the next one is not
likely to fit, sooner when the best move has long been the same; the hard limit is a few times more.
"""

import sys
from dataclasses import dataclass
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, clip

_MOVES_AHEAD: Final = 30
"""A side's moves that the time left is to last for."""
_OPENING_PLIES: Final = 8
_OPENING_SHARE: Final = 0.5
_INCREMENT_SHARE: Final = 0.9
_HARD_FACTOR: Final = 4.0
_MAX_SHARE: Final = 0.25
"""No move takes more of the time left than this."""
_MARGIN: Final = 0.02
"""Seconds kept back for what happens around a search."""
STABLE_ITERATIONS: Final = 3
"""So many iterations with the same best move make it stable."""
STABLE_SHARE: Final = 0.4
"""A stable best move is played after this share of its time."""
GROWTH: Final = 3.0
"""How much longer the next iteration takes, as long as nothing better is known."""
MAX_GROWTH: Final = 10.0
"""More than that is no growth, but a pause of the machine in a very short iteration."""


@dataclass(frozen=True)
class Clock:
    """Seconds left for the rest of the game, seconds added per move, and a limit per move."""

    left: float
    increment: float = 0.0
    most: float | None = None

    def __post_init__(self) -> None:
        times: dict[str, Any] = {"left": self.left, "increment": self.increment}
        if self.most is not None:
            times["most"] = self.most
        for name, value in times.items():
            least = 0.0 if name == "increment" else sys.float_info.min
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not (number and least <= value <= sys.float_info.max):
                told = clip(f"{value!r}")
                raise PlyforgeError(f"clock: {name} = {told} is no time; give positive seconds")

    def soft(self, plies: int) -> float:
        """What a move is worth, after so many moves of the game."""
        share = self.left / _MOVES_AHEAD
        if plies < _OPENING_PLIES:
            share *= _OPENING_SHARE
        return self._limited(share + _INCREMENT_SHARE * self.increment)

    def hard(self, plies: int) -> float:
        """When to stop whatever is under way."""
        return self._limited(_HARD_FACTOR * self.soft(plies))

    def _limited(self, seconds: float) -> float:
        most = _MAX_SHARE * self.left + _INCREMENT_SHARE * self.increment
        if self.most is not None:
            most = min(most, self.most)
        return max(min(seconds, most, self.left - _MARGIN), 0.001)

    def after(self, seconds: float) -> "Clock":
        """The clock after a move that took so long."""
        return Clock(
            max(self.left - seconds, 0.0) + self.increment or 0.001, self.increment, self.most
        )
