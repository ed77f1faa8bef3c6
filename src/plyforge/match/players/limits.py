"""Limits of a player: depth, nodes or seconds per move, or a clock for the game."""

from dataclasses import dataclass

from plyforge.core.errors import PlyforgeError, clip
from plyforge.engine.clock import Clock
from plyforge.engine.limits import Limits


@dataclass(frozen=True)
class MoveLimits:
    """Limits of each move; a clock limits all moves of a game together."""

    depth: int | None = None
    nodes: int | None = None
    time: float | None = None
    clock: Clock | None = None

    def __post_init__(self) -> None:
        Limits(self.depth, self.time, self.nodes, self.clock)

    @property
    def any(self) -> bool:
        """Whether there is a limit."""
        return self != MoveLimits()


def parse_clock(text: str) -> Clock:
    """Parse a clock: `60`, `60+1` (with an increment) or `600/10` (at most 10 seconds a move).

    >>> parse_clock("60+0.5")
    Clock(left=60.0, increment=0.5, max_per_move=None)
    """
    before, slash, per_move = text.partition("/")
    left, plus, increment = before.partition("+")
    try:
        return Clock(
            float(left),
            float(increment) if plus else 0.0,
            float(per_move) if slash else None,
        )
    except ValueError:
        raise PlyforgeError(
            f"clock '{clip(text)}': write seconds as 60, with an increment as 60+1, with a"
            " limit per move as 600/10"
        ) from None
