"""Games with hidden information: the built-in ones, and files of users.

Such a game is a file of rules like any other.  `information(position)` names what the side to move
knows, and `chance(position)` and `chance_outcomes(position)` deal cards or roll dice.
"""

import importlib
import pkgutil
from pathlib import Path

from plyforge import games as board_games
from plyforge.core.errors import UnknownName
from plyforge.equilibrium import games
from plyforge.game.game import Game
from plyforge.game.loading import import_file, is_path
from plyforge.game.validation import read_module


def names() -> list[str]:
    """Return the names of the built-in games with hidden information."""
    modules = pkgutil.iter_modules(games.__path__)
    return sorted(module.name.replace("_", "-") for module in modules)


def load(game: str) -> Game:
    """Load a game by name (`kuhn`), with a variant (`liars-dice:1,1,3`), or by its file's path.

    Games without hidden information can be loaded, too.
    """
    name, variant = _split(game)
    if name in names():
        module = importlib.import_module(f"{games.__name__}.{name.replace('-', '_')}")
        return Game(read_module(name, module), variant, "python")
    if name in board_games.names():
        return board_games.load(game)
    if not is_path(name):
        raise UnknownName("game", name, [*names(), *board_games.names()])
    path = Path(name)
    module = import_file(path, "'plyforge equilibrium kuhn' solves a built-in game")
    return Game(read_module(path.stem, module), variant, "python")


def _split(game: str) -> tuple[str, str | None]:
    """Return name or path, and variant."""
    if game.endswith(".py"):
        return game, None
    head, colon, variant = game.rpartition(":")
    if head.endswith(".py"):
        return head, variant
    head, colon, variant = game.partition(":")
    return head, variant if colon else None
