"""What a server has: its games, its lanes for work, its guests.

Games are the built-in ones and the files named on the command line; nothing that a page sends is
ever run as code.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from plyforge.compilation.notices import Notices, Timer
from plyforge.core.errors import PlyforgeError, UnknownName
from plyforge.engine.pool import EnginePool
from plyforge.game.game import Game
from plyforge.game.variants import describe
from plyforge.games import load, names
from plyforge.interfaces.web.shared_games import SharedGames
from plyforge.interfaces.web.trace_cache import TraceCache
from plyforge.interfaces.web.workers import WorkerPool

LOADED: Final = 64
"""Games with their variants that are kept loaded."""


@dataclass(frozen=True)
class Bounds:
    """How much guests may ask for."""

    clients: int = 120
    shared_games: int = 200
    search_workers: int = 2
    """Searches at the same time; more wait."""
    move_workers: int = 4
    """Threads that find players' moves."""
    waiting: int = 150
    """Pieces of work that may wait on a pool."""
    fast_workers: int = 8
    """Threads that answer messages."""
    slow_workers: int = 4
    """Threads that answer those which may take long."""
    analysis_seconds: float = 120.0
    move_seconds: float = 60.0
    messages_per_second: float = 40.0
    burst: int = 120
    message_bytes: int = 1 << 19


class _Announcing(Notices):
    """Tells every page that a kernel is being compiled, and the terminal too."""

    def __init__(self, tell: Callable[[dict[str, Any]], None]) -> None:
        super().__init__()
        self._tell = tell

    @contextmanager
    def compiling(self, game: str, kernel: str) -> Iterator[Timer]:
        self._tell({"type": "compiling", "game": game, "kernel": kernel, "done": False})
        try:
            with super().compiling(game, kernel) as timer:
                yield timer
        finally:
            self._tell({"type": "compiling", "game": game, "kernel": kernel, "done": True})


@dataclass
class Databases:
    """The files with stored results that may be looked at."""

    matches: Path | None = None
    lab: Path | None = None


class ServerState:
    """A server's games and workers."""

    def __init__(
        self,
        files: Iterable[str] = (),
        bounds: Bounds | None = None,
        databases: Databases | None = None,
    ) -> None:
        self.bounds = bounds or Bounds()
        self.databases = databases or Databases()
        self.tell_all: Callable[[dict[str, Any]], None] = lambda message: None
        """Sends a message to every page; the application sets it."""
        self.engines = EnginePool()
        self.trees = TraceCache()
        self.shared_games = SharedGames(self.bounds.shared_games)
        self._notices = _Announcing(lambda message: self.tell_all(message))
        self._files: dict[str, str] = {}
        self._first: list[str] = []
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._lock = threading.Lock()
        self._building: dict[str, threading.Lock] = {}
        for reference in files:
            self._add(reference)
        self.move_workers = WorkerPool("moves", self.bounds.move_workers, self.bounds.waiting)
        self.search_workers = WorkerPool(
            "searches", self.bounds.search_workers, self.bounds.waiting
        )

    def _add(self, reference: str) -> None:
        """A game named on the command line: loaded at once, so that its mistakes show."""
        game = load(reference, notices=self._notices)
        own = game.name in names() and not reference.partition(":")[0].endswith(".py")
        if own:
            name = reference
        else:
            name = Path(game.rules.file).stem
            if name == "__init__":
                name = Path(game.rules.file).parent.name
            if name in names() or self._files.get(name, reference) != reference:
                raise PlyforgeError(
                    f"'{reference}': another game is called '{name}', too; rename the file"
                )
            self._files[name] = reference
            if game.variant is not None:
                name, self._files[name] = f"{name}:{game.variant}", reference.rpartition(":")[0]
        self._first.append(name)

    def game(self, name: str) -> Game:
        """A game by the name that pages use; never a path."""
        with self._lock:
            if name in self._games:
                self._games.move_to_end(name)
                return self._games[name]
        stem, colon, variant = name.partition(":")
        if stem not in self._files and stem not in names():
            raise UnknownName("game", stem, [*self._files, *names()])
        found = load(self._files.get(stem, stem) + colon + variant, notices=self._notices)
        with self._lock:
            self._games[name] = found
            while len(self._games) > LOADED:
                self._games.popitem(last=False)
        return found

    @contextmanager
    def building(self, game: Game) -> Iterator[None]:
        """One thread at a time builds a game's kernels: the next finds them."""
        with self._lock:
            lock = self._building.setdefault(game.rules.file, threading.Lock())
        with lock:
            yield

    def offered(self) -> list[dict[str, Any]]:
        """The games that a page offers, those of the command line first."""
        listed = dict.fromkeys([*self._first, *(name for name in names())])
        return [self._offer(name) for name in listed]

    def _offer(self, name: str) -> dict[str, Any]:
        game = self.game(name)
        stem = name.partition(":")[0]
        return {
            "name": name,
            "title": game.title + (f" ({game.variant})" if game.variant else ""),
            "players": list(game.players),
            "parameters": describe(game.rules.hooks["initial"]),
            "variants": [f"{stem}:{text}" for text in game.rules.constant("VARIANTS")],
            "own": stem in self._files,
        }

    def close(self) -> None:
        """Stop all work."""
        self.move_workers.close()
        self.search_workers.close()
