"""Players for a shared: made when they are first asked, since that may mean compiling."""

import threading
from typing import TYPE_CHECKING, Final

from plyforge.engine.clock import Clock
from plyforge.game.game import Game, History
from plyforge.match.players import Choice, MoveLimits, Player, player
from plyforge.match.session import Seat

if TYPE_CHECKING:
    from plyforge.interfaces.web.state import ServerState

LEVEL_MIB: Final = 2
"""Table of a player at a level, which looks at few nodes."""
FULL_MIB: Final = 8
"""Table of a player that uses its time."""


class LazyPlayer:
    """A player by its description, made at its first move or by `prepare`."""

    seconds = None

    def __init__(
        self, server: "ServerState", game: Game, description: str, limits: MoveLimits
    ) -> None:
        self._house = server
        self._game, self._description, self._limits = game, description, limits
        self._player: Player | None = None
        self._seed = 0
        self._fresh = True
        """Whether a game begins with the next move."""
        self._asked: Player | None = None
        """The one that thinks: it may have been let go meanwhile."""
        self._lock = threading.Lock()
        self._thinking = threading.Lock()
        self.tried = False
        """Whether somebody has asked for it to be made, be it in vain."""

    def prepare(self) -> Player:
        """Make the player, unless that is done; another thread waits until it is."""
        with self._lock:
            self.tried = True
            if self._player is None:
                with self._house.building(self._game):
                    made = player(self._game, self._description, self._limits)
                    made.warm_up()
                    self._player = made
            return self._player

    def warm_up(self) -> None:
        self.prepare()

    def begin(self, seed: int) -> None:
        """A game begins: the player hears of it before its next move, as it may be thinking."""
        self._seed, self._fresh = seed, True

    def choose(self, history: History, clock: Clock | None) -> Choice:
        """Its move; if it was told to end another search, it is asked once that has ended."""
        with self._thinking:
            made = self._asked = self.prepare()
            try:
                if self._fresh:
                    self._fresh = False
                    made.begin(self._seed)
                return made.choose(history, clock)
            finally:
                self._asked = None

    def close(self) -> None:
        """End its thinking; it can be asked again."""
        asked = self._asked
        if asked is not None:
            asked.close()

    def release(self) -> None:
        """Give its memory back; when it is asked again, it is made anew."""
        self._player, self._fresh, self.tried = None, True, False


def level_seat(server: "ServerState", game: Game, level: int) -> Seat:
    """The engine at a level for people."""
    description = f"engine:level={level},hash={LEVEL_MIB}"
    return Seat(LazyPlayer(server, game, description, MoveLimits()), f"level {level}")


def timed_seat(server: "ServerState", game: Game, seconds: float) -> Seat:
    """The engine with so much time for every move."""
    limits = MoveLimits(time=seconds)
    return Seat(
        LazyPlayer(server, game, f"engine:hash={FULL_MIB}", limits), f"{seconds:g} s a move"
    )


def clocked_seat(server: "ServerState", game: Game, clock: Clock) -> Seat:
    """The engine with a clock for the whole game."""
    limits = MoveLimits(clock=clock)
    told = f"engine, {clock.left / 60:g} min + {clock.increment:g} s"
    return Seat(LazyPlayer(server, game, f"engine:hash={FULL_MIB}", limits), told)
