"""The built-in games: every file or folder here is one, found by its name."""

import importlib
import os
import pkgutil
from pathlib import Path

from plyforge.compilation.kernel import BACKENDS, Backend
from plyforge.compilation.notices import Notices
from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.game.game import Game
from plyforge.game.loading import read_file
from plyforge.game.validation import read_module


def names() -> list[str]:
    """The built-in games, by name."""
    return sorted(m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_"))


def load(game: str, backend: Backend | None = None, notices: Notices | None = None) -> Game:
    """A game by name (`checkers`), with a variant (`connect4:5x4`), or by the path of its file."""
    if not isinstance(game, str):
        raise PlyforgeError(f"a game is named by a text or a path's text, not by {game!r}")
    if backend is not None and backend not in BACKENDS:
        raise UnknownName("backend", backend, BACKENDS)
    path, variant = _split(game)
    if path not in names():
        if _is_path(path):
            return Game(read_file(Path(path)), variant, backend, notices)
        raise UnknownName("game", path, names())
    module = importlib.import_module(f"{__name__}.{path}")
    return Game(read_module(path, module), variant, backend, notices)


def _split(game: str) -> tuple[str, str | None]:
    """Name or path, and variant; a colon within a file's path belongs to the path."""
    if game.endswith(".py") and game.partition(":")[0] not in names():
        return game, None
    head, colon, tail = game.rpartition(":")
    if not colon or (len(head) == 1 and tail.startswith(("\\", "/"))):
        return game, None
    if not head.endswith(".py") and ":" in head:
        head, _, tail = game.partition(":")
    return head, tail


def _is_path(name: str) -> bool:
    # os.path.isdir, unlike Path.is_dir, takes a name that no file can have for no folder.
    folder = bool(name) and os.path.isdir(name)  # noqa: PTH112
    return name.endswith(".py") or "/" in name or "\\" in name or folder
