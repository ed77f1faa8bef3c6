"""What a match asks of a player."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from plyforge.engine.clock import Clock
from plyforge.game.game import History


@dataclass(frozen=True)
class Choice:
    """A move, and what the player thinks of it."""

    move: int
    score: float | None = None
    """In view of the side that moves, in the units of the game's own evaluation; None if the player
    has no opinion."""
    depth: int | None = None
    nodes: int | None = None


class Player(Protocol):
    """Chooses moves in one game after the other.

    `choose` gets the game so far and, in games with clocks, what is left on its own.  It may raise
    anything: the player then loses.
    """

    @property
    def seconds(self) -> float | None:
        """The seconds that it promises to take for a move; None if it promises nothing."""

    def warm_up(self) -> None:
        """Do what is slow before the first game, such as compiling."""

    def begin(self, seed: int) -> None:
        """A new game begins: forget the last one.  The same seed gives the same moves."""

    def choose(self, history: History, clock: Clock | None) -> Choice:
        """The move to make."""

    def close(self) -> None:
        """No more games."""


@runtime_checkable
class Interruptible(Protocol):
    """A player that can play the best move found so far when Ctrl-C interrupts it."""

    def choose_until_interrupted(self, history: History, clock: Clock | None) -> Choice:
        """Choose as `choose` does; an interrupt ends the search, not the game."""
