"""A master with several workers as a player."""

from typing import Final

from plyforge.core.errors import PlyforgeError
from plyforge.engine.clock import Clock
from plyforge.engine.master.assignment import DEFAULT_CHILDREN
from plyforge.engine.master.opening import open_master
from plyforge.engine.master.search import Master
from plyforge.engine.master.settings import MasterSettings
from plyforge.game.game import Game, History
from plyforge.jobs.choosing import LOCAL
from plyforge.match.players.computer import engine_arguments, move_limits, scale_score
from plyforge.match.players.description import Description
from plyforge.match.players.limits import MoveLimits
from plyforge.match.players.player import Choice
from plyforge.search.parameters import PLAYER_SETTINGS

DEFAULT_WORKERS: Final = 4
_WITHOUT: Final = ("level", "threads", "parallel")
"""Settings of the engine that its workers do not have."""
_OWN: Final = ("workers", "executor", "children", "quick", "report")


class ClusterPlayer:
    """Searches with a master and its workers; `nodes` is the limit of each worker."""

    def __init__(self, game: Game, master: Master, limits: MoveLimits) -> None:
        self._game = game
        self._master = master
        self._limits = limits
        self.seconds = limits.time

    def warm_up(self) -> None:
        self._master.prepare()

    def begin(self, seed: int) -> None:
        self._master.prepare()
        self._master.clear()

    def choose(self, history: History, clock: Clock | None) -> Choice:
        return self._search(history, clock, catch_interrupt=False)

    def choose_until_interrupted(self, history: History, clock: Clock | None) -> Choice:
        return self._search(history, clock, catch_interrupt=True)

    def _search(self, history: History, clock: Clock | None, catch_interrupt: bool) -> Choice:
        own = self._limits
        result = self._master.search(
            history,
            depth=own.depth,
            nodes=own.nodes,
            time=own.time,
            clock=clock,
            catch_interrupt=catch_interrupt,
        )
        score = scale_score(self._game, self._master.game, result.score)
        return Choice(result.move, score, result.estimate.depth, result.nodes)

    def close(self) -> None:
        self._master.close()


def cluster_player(game: Game, description: Description, limits: MoveLimits) -> ClusterPlayer:
    settings = [name for name in PLAYER_SETTINGS if name not in _WITHOUT]
    arguments = engine_arguments(description, [*_OWN, *settings])
    limits = move_limits(description, limits)
    workers = description.integer("workers")
    try:
        children = description.integer("children")
        master = open_master(
            game,
            arguments,
            DEFAULT_WORKERS if workers is None else workers,
            description.settings.get("executor", LOCAL),
            MasterSettings(
                DEFAULT_CHILDREN if children is None else children,
                description.integer("quick"),
                description.integer("report"),
            ),
        )
    except PlyforgeError as error:
        raise PlyforgeError(f"player '{description}': {error}") from error
    return ClusterPlayer(game, master, limits)
