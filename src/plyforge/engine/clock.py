"""A budget for the whole game, and how much of it one move gets.

Koneru gives a side ten minutes, at most ten seconds a move, and less in the opening.  Here a move
gets the time left divided by the number of moves still expected, less in the opening, plus most of
the increment.  With a time control to reach, no more moves are expected than are left until then.
The engine stops between iterations when less than half of the next one is likely to fit, sooner
when the best move is stable; the hard limit is a few times more.
"""

import sys
from dataclasses import dataclass, field
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, clip

_MOVES_AHEAD: Final = 25
"""The number of moves that the time left must last for."""
_OPENING_PLIES: Final = 8
_OPENING_SHARE: Final = 0.7
_INCREMENT_SHARE: Final = 0.9
_MAX_INCREMENT_SHARE: Final = 0.5
"""The share of the increment that a move may take when little time is left.

A larger one lets the time left shrink to a few hundredths of a second, where any pause of the
machine loses the game.
"""
_HARD_FACTOR: Final = 4.0
_MAX_SHARE: Final = 0.25
"""The largest share of the time left that a move may take."""
_LAST_MOVE_SHARE: Final = 0.8
"""The same for the last move before a time control, where the rest of the time is lost."""
_MARGIN: Final = 0.02
"""Seconds kept back for the work around a search."""
STABLE_ITERATIONS: Final = 3
"""The number of iterations with the same best move that make it stable."""
_STABLE_SHARE: Final = 0.7
"""The share of its time that a move gets when it is stable."""
_STARTED_SHARE: Final = 0.5
"""The share of the next iteration that must fit into the time for it to be started.

An iteration that is stopped is not lost: its best move so far is played.
"""
GROWTH: Final = 3.0
"""How much longer the next iteration takes, before there is a measurement."""
MAX_GROWTH: Final = 10.0
"""The maximum growth; a larger one is a pause of the machine in a very short iteration."""


@dataclass(frozen=True)
class Clock:
    """Seconds left for the rest of the game, seconds added per move, and a limit per move."""

    left: float
    increment: float = 0.0
    max_per_move: float | None = None
    moves_to_go: int | None = field(default=None, repr=False)
    """Moves until the clock gets new time; None if it has to last for the rest of the game."""

    def __post_init__(self) -> None:
        times: dict[str, Any] = {"left": self.left, "increment": self.increment}
        if self.max_per_move is not None:
            times["max_per_move"] = self.max_per_move
        for name, value in times.items():
            minimum = 0.0 if name == "increment" else sys.float_info.min
            number = isinstance(value, (int, float)) and not isinstance(value, bool)
            if not (number and minimum <= value <= sys.float_info.max):
                raise PlyforgeError(
                    f"clock: {name} must be a positive number of seconds, not {clip(repr(value))}"
                )
        moves = self.moves_to_go
        if moves is not None and (
            isinstance(moves, bool) or not isinstance(moves, int) or moves < 1
        ):
            raise PlyforgeError(
                f"clock: moves_to_go must be an integer of at least 1, not {clip(repr(moves))}"
            )

    def soft(self, plies: int) -> float:
        """Return the time for a move after `plies` moves of the game."""
        share = self.left / min(_MOVES_AHEAD, self.moves_to_go or _MOVES_AHEAD)
        if plies < _OPENING_PLIES and self.moves_to_go is None:
            share *= _OPENING_SHARE
        return self._limited(share + _INCREMENT_SHARE * self.increment)

    def hard(self, plies: int) -> float:
        """Return the time after which the search is stopped."""
        return self._limited(_HARD_FACTOR * self.soft(plies))

    def allows(self, plies: int, spent: float, predicted: float, stable: bool) -> bool:
        """Whether an iteration that will take `predicted` seconds may start after `spent`."""
        soft = self.soft(plies) * (_STABLE_SHARE if stable else 1.0)
        return spent + _STARTED_SHARE * predicted <= soft

    def _limited(self, seconds: float) -> float:
        share = max(_MAX_SHARE, _LAST_MOVE_SHARE / (self.moves_to_go or _MOVES_AHEAD))
        maximum = share * self.left + _MAX_INCREMENT_SHARE * self.increment
        if self.max_per_move is not None:
            maximum = min(maximum, self.max_per_move)
        return max(min(seconds, maximum, self.left - _MARGIN), 0.001)

    def after(self, seconds: float) -> "Clock":
        """Return the clock after a move that took `seconds`."""
        left = max(self.left - seconds, 0.0) + self.increment or 0.001
        moves = self.moves_to_go
        return Clock(left, self.increment, self.max_per_move, moves and max(moves - 1, 1))
