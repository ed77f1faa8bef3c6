"""The built-in games: every file or folder here is a game, loaded by its name."""

import importlib
import pkgutil
from pathlib import Path

from plyforge.compilation.kernel import BACKENDS, Backend
from plyforge.compilation.notices import Notices
from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.game.game import Game
from plyforge.game.loading import is_path, read_file
from plyforge.game.validation import read_module


def names() -> list[str]:
    """Return the names of the built-in games."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))


def load(game: str, backend: Backend | None = None, notices: Notices | None = None) -> Game:
    """Load a game by name (`checkers`), with a variant (`connect4:5x4`), or by its file's path."""
    if not isinstance(game, str):
        raise PlyforgeError(f"a game is a name or a path as a string, not {game!r}")
    if backend is not None and backend not in BACKENDS:
        raise UnknownName("backend", backend, BACKENDS)
    name, variant = _split(game)
    if game_file(game) is not None:
        return Game(read_file(Path(name)), variant, backend, notices)
    module = importlib.import_module(f"{__name__}.{name}")
    return Game(read_module(name, module), variant, backend, notices)


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
