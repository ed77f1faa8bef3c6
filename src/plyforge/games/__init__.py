"""The built-in games: every file or folder here is a game, loaded by its name."""

import importlib
import os
import pkgutil
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from plyforge.compilation.kernel import BACKENDS, Backend
from plyforge.compilation.notices import Notices
from plyforge.core.errors import HiddenInformation, PlyforgeError, UnknownName, clip
from plyforge.core.rules import Rules
from plyforge.game.game import Game
from plyforge.game.loading import is_path, read_file
from plyforge.game.validation import read_module
from plyforge.jobs.user_files import locate


def names() -> list[str]:
    """Return the names of the built-in games."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))


GameSource = str | os.PathLike[str] | ModuleType | Mapping[str, Any]
"""Where the rules of a game are: see `load`."""


def load(game: GameSource, backend: Backend | None = None, notices: Notices | None = None) -> Game:
    """Load a game by name (`checkers`), with a variant (`connect4:5x4`), or by its file's path.

    A path may be a `Path`.  `game` may also be a module that you have imported, or `globals()` in a
    notebook whose cells define the functions of a game.  Games with hidden information are refused,
    since searches see everything: `plyforge.equilibrium` solves them.
    """
    if isinstance(game, (ModuleType, Mapping)):
        rules = _without_secrets(_read_namespace(game))
        return Game(rules, None, _check_backend(backend), notices)
    if isinstance(game, os.PathLike):
        path = os.fsdecode(game)
        game = path if is_path(path) else os.path.join(os.curdir, path)  # noqa: PTH118
    if not isinstance(game, str):
        raise PlyforgeError(
            f"a game is a name, a path, a module or a dict of functions, not {clip(repr(game))}"
        )
    _check_backend(backend)
    game = locate(game)
    name, variant = _split(game)
    if game_file(game) is not None:
        return Game(_without_secrets(read_file(Path(name))), variant, backend, notices)
    module = importlib.import_module(f"{__name__}.{name}")
    return Game(read_module(name, module), variant, backend, notices)


def _without_secrets(rules: Rules) -> Rules:
    if "information" in rules.hooks:
        raise HiddenInformation(
            f"{rules.file}: the game has hidden information ('information'), but searches, matches"
            " and boards show everything; solve it with 'plyforge equilibrium'"
        )
    return rules


def _check_backend(backend: Backend | None) -> Backend | None:
    if backend is not None and backend not in BACKENDS:
        raise UnknownName("backend", backend, BACKENDS)
    return backend


def _read_namespace(source: ModuleType | Mapping[str, Any]) -> Rules:
    """Read the rules in an imported module, or in the names that a notebook defines."""
    if isinstance(source, ModuleType):
        name = source.__name__.rpartition(".")[2]
        return read_module("notebook" if name == "__main__" else name, source)
    module = ModuleType("notebook")
    # Names such as __file__ would be those of the program that runs the notebook.
    vars(module).update((key, value) for key, value in source.items() if not key.startswith("_"))
    return read_module("notebook", module)


def game_file(game: str) -> str | None:
    """Return the path of the file that defines a game, without the variant; None if built in."""
    path = _split(game)[0]
    if path in names():
        return None
    if is_path(path):
        return path
    raise UnknownName("game", path, names())


def _split(game: str) -> tuple[str, str | None]:
    """Return name or path, and variant; a colon within a file's path belongs to the path."""
    if game.endswith(".py") and game.partition(":")[0] not in names():
        return game, None
    head, colon, tail = game.rpartition(":")
    if not colon or (len(head) == 1 and tail.startswith(("\\", "/"))):
        return game, None
    if not head.endswith(".py") and ":" in head:
        head, _, tail = game.partition(":")
    return head, tail
