"""A player in a Python file: the file defines `choose(history)`, which returns a move.

It may define `begin(game, seed)`, which is called before every game.
"""

from pathlib import Path
from types import ModuleType

from plyforge.core.errors import PlyforgeError
from plyforge.engine.clock import Clock
from plyforge.game.game import Game, History
from plyforge.game.loading import import_file
from plyforge.match.players.description import Description
from plyforge.match.players.limits import MoveLimits
from plyforge.match.players.player import Choice


class ScriptPlayer:
    """Plays the moves that the functions of a file return."""

    def __init__(self, game: Game, module: ModuleType, seconds: float | None) -> None:
        self._game = game
        self._module = module
        self.seconds = seconds

    def warm_up(self) -> None:
        pass

    def begin(self, seed: int) -> None:
        if hasattr(self._module, "begin"):
            self._module.begin(self._game, seed)

    def choose(self, history: History, clock: Clock | None) -> Choice:
        return Choice(self._module.choose(history))

    def close(self) -> None:
        pass


def script_player(game: Game, description: Description, limits: MoveLimits) -> ScriptPlayer:
    description.reject_unknown(["time"])
    if description.main is None:
        raise PlyforgeError("player 'python' needs a file, as python:mine.py")
    module = import_file(Path(description.main), "give a Python file with choose(history)")
    if not callable(getattr(module, "choose", None)):
        raise PlyforgeError(
            f"{description.main}: no function 'choose(history)' that returns a move"
        )
    own = description.number("time")
    return ScriptPlayer(game, module, limits.time if own is None else own)
