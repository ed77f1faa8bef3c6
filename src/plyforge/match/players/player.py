"""The interface of players."""

from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from plyforge.engine.clock import Clock
from plyforge.game.game import History


@dataclass(frozen=True)
class Choice:
    """A move, with the score and effort of the search that chose it."""

    move: int
    score: float | None = None
    """For the side that moves, in the units of the game's own evaluation; None if the player gives
    none."""
    depth: int | None = None
    nodes: int | None = None


class Player(Protocol):
    """Chooses moves, in any number of games.

    `choose` receives the game so far and, in games with clocks, the player's own clock.  If it
    raises an exception, the player loses.
    """

    @property
    def seconds(self) -> float | None:
        """The limit in seconds for a move; None if there is none."""

    def warm_up(self) -> None:
        """Do what is slow before the first game, such as compiling."""

    def begin(self, seed: int) -> None:
        """Begin a new game and forget the last one.  The same seed gives the same moves."""

    def choose(self, history: History, clock: Clock | None) -> Choice:
        """Choose a move."""

    def close(self) -> None:
        """Release resources: there are no more games."""


@runtime_checkable
class Interruptible(Protocol):
    """A player that can play the best move found so far when Ctrl-C interrupts it."""

    def choose_until_interrupted(self, history: History, clock: Clock | None) -> Choice:
        """Choose as `choose` does; an interrupt ends the search, not the game."""


@runtime_checkable
class Cloneable(Player, Protocol):
    """A player of which another one can be made quickly, since both share a compiled search."""

    def clone(self) -> "Cloneable":
        """Return a player with the same settings and memory of its own; call `begin` first."""
