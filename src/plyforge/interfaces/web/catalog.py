"""The games that a server offers: the built-in ones, and the files named on the command line.

Nothing that a page sends is ever run as code: pages name games, never paths.
"""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final
from weakref import WeakValueDictionary

from plyforge.compilation.notices import Notices
from plyforge.core.errors import HiddenInformation, PlyforgeError, UnknownName
from plyforge.equilibrium import loading as equilibrium
from plyforge.game.game import Game
from plyforge.game.variants import describe
from plyforge.games import load, names
from plyforge.match.players import Cloneable

MAX_LOADED: Final = 64
"""Games with their variants that are kept loaded."""


class GameCatalog:
    """Games by the names that pages use."""

    def __init__(self, references: Iterable[str], notices: Notices) -> None:
        self._notices = notices
        self._files: dict[str, str] = {}
        self._hidden: dict[str, str] = {}
        """Files of games with hidden information."""
        self._listed_first: list[str] = []
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._lock = threading.Lock()
        self._build_locks: dict[str, threading.Lock] = {}
        self.players: WeakValueDictionary[object, Cloneable] = WeakValueDictionary()
        """A player for each game, description and limits, as long as it exists."""
        for reference in references:
            self._add(reference)

    def _add(self, reference: str) -> None:
        """Add a game named on the command line; load it now, so that its errors show."""
        try:
            game = load(reference, notices=self._notices)
        except HiddenInformation:
            hidden = equilibrium.load(reference)
            self._hidden[Path(hidden.rules.file).stem] = reference
            return
        if game.name in names() and not reference.partition(":")[0].endswith(".py"):
            name = reference
        else:
            name = Path(game.rules.file).stem
            if name == "__init__":
                name = Path(game.rules.file).parent.name
            if name in names() or self._files.get(name, reference) != reference:
                raise PlyforgeError(
                    f"'{reference}': another game is already called '{name}'; rename the file"
                )
            self._files[name] = reference
            if game.variant is not None:
                name, self._files[name] = f"{name}:{game.variant}", reference.rpartition(":")[0]
        self._listed_first.append(name)

    def game(self, name: str) -> Game:
        """Return the game with a name, which may have a variant."""
        with self._lock:
            if name in self._games:
                self._games.move_to_end(name)
                return self._games[name]
        stem, colon, variant = name.partition(":")
        if stem in self.hidden_names():
            raise PlyforgeError(
                f"{stem} has hidden information, which a search would see; the page Search tree"
                " finds its equilibrium"
            )
        if stem not in self._files and stem not in names():
            raise UnknownName("game", stem, [*self._files, *names()])
        game = load(self._files.get(stem, stem) + colon + variant, notices=self._notices)
        with self._lock:
            self._games[name] = game
            while len(self._games) > MAX_LOADED:
                self._games.popitem(last=False)
        return game

    def hidden_names(self) -> list[str]:
        """Return the names of the games with hidden information."""
        return [*self._hidden, *equilibrium.names()]

    def hidden_game(self, name: str) -> Game:
        """Return a game with hidden information, or another one."""
        stem, colon, variant = name.partition(":")
        if stem not in self.hidden_names():
            return self.game(name)
        return equilibrium.load(self._hidden.get(stem, stem) + colon + variant)

    @contextmanager
    def building(self, game: Game) -> Iterator[None]:
        """Let one thread at a time build a game's kernels: the next one finds them built."""
        with self._lock:
            lock = self._build_locks.setdefault(game.rules.file, threading.Lock())
        with lock:
            yield

    def to_list(self) -> list[dict[str, Any]]:
        """Describe all games for a page, those of the command line first."""
        return [self._describe(name) for name in dict.fromkeys([*self._listed_first, *names()])]

    def _describe(self, name: str) -> dict[str, Any]:
        game = self.game(name)
        stem = name.partition(":")[0]
        return {
            "name": name,
            "title": game.title + (f" ({game.variant})" if game.variant else ""),
            "players": list(game.players),
            "parameters": describe(game.rules.hooks["initial"]),
            "variants": [f"{stem}:{text}" for text in game.rules.constant("VARIANTS")],
            "chance": game.has_chance(),
            "named": list(game.rules.constant("NAMED_PLAYERS")),
            "own": stem in self._files,
        }
