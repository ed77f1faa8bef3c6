"""Games with hidden information: the built-in ones, and files of users.

Such a game is a file of rules like any other.  `information(position)` names what the side to move
knows, and `chance(position)` and `chance_outcomes(position)` deal cards or roll dice.
"""

import importlib
import pkgutil
from pathlib import Path
from typing import Final

from plyforge import games as board_games
from plyforge.core.contract import HOOKS, Hook
from plyforge.core.errors import GameFileError, UnknownName
from plyforge.core.rules import Rules
from plyforge.equilibrium import games
from plyforge.game.game import Game
from plyforge.game.loading import import_file, is_path
from plyforge.game.validation import read_module

CONTRACT: Final = {
    **HOOKS,
    "chance": Hook("chance", ("position",), "bool", False, "whether nature moves", "`False`"),
    "chance_outcomes": Hook(
        "chance_outcomes", ("position",), "object", False, "(outcome, probability) pairs", "none"
    ),
}
"""The hooks that such a game may define."""


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
        return _checked(Game(read_module(name, module, CONTRACT), variant, "python"))
    if name in board_games.names():
        return board_games.load(game)
    if not is_path(name):
        raise UnknownName("game", name, [*names(), *board_games.names()])
    path = Path(name)
    module = import_file(path, "'plyforge equilibrium kuhn' solves a built-in game")
    return _checked(Game(read_module(path.stem, module, CONTRACT), variant, "python"))


def _split(game: str) -> tuple[str, str | None]:
    """Return name or path, and variant."""
    if game.endswith(".py"):
        return game, None
    head, colon, variant = game.rpartition(":")
    if head.endswith(".py"):
        return head, variant
    head, colon, variant = game.partition(":")
    return head, variant if colon else None


def _checked(game: Game) -> Game:
    rules: Rules = game.rules
    both = [name in rules.hooks for name in ("chance", "chance_outcomes")]
    if any(both) and not all(both):
        missing = "chance_outcomes" if both[0] else "chance"
        raise GameFileError(
            f"{rules.file}: no function '{missing}(position)'; a game of chance needs both"
            " 'chance(position)' and 'chance_outcomes(position)'"
        )
    if "turn" not in rules.hooks and (both[0] or "information" in rules.hooks):
        raise GameFileError(
            f"{rules.file}: no function 'turn(position)', which games with chance or hidden"
            " information need: it returns 0 or 1, at the end of the game, too"
        )
    return game
