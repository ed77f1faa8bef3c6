"""Players of shared games: made when they are first needed, since that may mean compiling."""

import threading
from typing import Final

from plyforge.engine.clock import Clock
from plyforge.engine.levels import level as find_level
from plyforge.game.game import Game, History
from plyforge.interfaces.web.catalog import GameCatalog
from plyforge.match.players import Choice, Cloneable, Description, MoveLimits, Player, player
from plyforge.match.session import Seat

_LEVEL_MIB: Final = (0.25, 2.0)
"""Minimum and maximum size in MiB of the table of a player at a level."""
_KIB_PER_NODE: Final = 0.5
"""Size of that table, for each node of a move: room for those of some thirty moves."""
FULL_MIB: Final = 8
"""Size in MiB of the table of a player that uses its time."""


class LazyPlayer:
    """A player by its description, made at its first move or by `prepare`."""

    seconds = None

    def __init__(
        self, catalog: GameCatalog, game: Game, description: Description | str, limits: MoveLimits
    ) -> None:
        self._catalog = catalog
        self._game, self._description, self._limits = game, description, limits
        self._key = game, str(description), limits
        self._player: Player | None = None
        self._seed = 0
        self._new_game = True
        """Whether the next move is the first of a game."""
        self._thinker: Player | None = None
        """The player that thinks now; it may have been released meanwhile."""
        self._lock = threading.Lock()
        self._thinking = threading.Lock()
        self.requested = False
        """Whether the player was requested, even if making it failed."""

    def prepare(self) -> Player:
        """Make the player unless it is made; another thread waits until it is."""
        with self._lock:
            self.requested = True
            if self._player is None:
                self._player = self._clone_other() or self._make()
            return self._player

    def _clone_other(self) -> Player | None:
        """Make the player like one of another game, if there is one: nothing is compiled."""
        other = self._catalog.players.get(self._key)
        if other is None:
            return None
        self._catalog.players[self._key] = made = other.clone()
        return made

    def _make(self) -> Player:
        with self._catalog.building(self._game):
            made = self._clone_other()  # another thread may have made one meanwhile
            if made is not None:
                return made
            made = player(self._game, self._description, self._limits)
            made.warm_up()
            if isinstance(made, Cloneable):
                self._catalog.players[self._key] = made
            return made

    def warm_up(self) -> None:
        """Make the player."""
        self.prepare()

    def begin(self, seed: int) -> None:
        """Start a game; the player is told before its next move, because it may be thinking."""
        self._seed, self._new_game = seed, True

    def choose(self, history: History, clock: Clock | None) -> Choice:
        """Return its move; wait first until an earlier search, which was stopped, has ended."""
        with self._thinking:
            thinker = self._thinker = self.prepare()
            try:
                if self._new_game:
                    self._new_game = False
                    thinker.begin(self._seed)
                return thinker.choose(history, clock)
            finally:
                self._thinker = None

    def close(self) -> None:
        """Stop its search; it can be asked for another move."""
        thinker = self._thinker
        if thinker is not None:
            thinker.close()

    def release(self) -> None:
        """Free its memory; it is made again when it is needed."""
        self._player, self._new_game, self.requested = None, True, False


def level_seat(catalog: GameCatalog, game: Game, level: int) -> Seat:
    """Return a seat for the engine at a level."""
    minimum, maximum = _LEVEL_MIB
    size = min(max(find_level(level).nodes * _KIB_PER_NODE / 1024, minimum), maximum)
    description = f"engine:level={level},hash={size:.2f}"
    return Seat(LazyPlayer(catalog, game, description, MoveLimits()), f"level {level}")


def timed_seat(catalog: GameCatalog, game: Game, seconds: float) -> Seat:
    """Return a seat for the engine with a time limit for each move."""
    return Seat(_full_player(catalog, game, MoveLimits(time=seconds)), f"{seconds:g} s per move")


def clocked_seat(catalog: GameCatalog, game: Game, clock: Clock) -> Seat:
    """Return a seat for the engine with a clock for the whole game."""
    name = f"engine, {clock.left / 60:g} min + {clock.increment:g} s"
    return Seat(_full_player(catalog, game, MoveLimits(clock=clock)), name)


def _full_player(catalog: GameCatalog, game: Game, limits: MoveLimits) -> LazyPlayer:
    return LazyPlayer(catalog, game, f"engine:hash={FULL_MIB}", limits)
