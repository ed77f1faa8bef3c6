"""The file in which a server keeps the games that are played on it, so that they outlive it."""

import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta, Struct
from platformdirs import user_data_dir

from plyforge.core.errors import PlyforgeError
from plyforge.interfaces.web.incoming import GameOptions
from plyforge.jobs.database import Database, now
from plyforge.records import plain
from plyforge.records.record import GameRecord

MAX_GAMES: Final = 5000
"""Games that are kept; older ones are deleted when a server starts."""
_INTERVAL: Final = 0.5
"""Seconds between two writes."""
_CLOSE_SECONDS: Final = 2.0


class StoredGame(Struct, frozen=True):
    """Everything that is needed to resume a game."""

    options: GameOptions
    record: str
    """The game in the plain format."""
    left: Annotated[tuple[float, ...], Meta(max_length=2)] | None = None
    """Seconds left on the clocks."""

    def game_record(self) -> GameRecord:
        """Return the moves with their result, tags and comments."""
        return plain.read(self.record)[0][1]


def default_file() -> Path:
    """Return the file in `PLYFORGE_DATA`, or in the operating system's folder for data."""
    folder = os.environ.get("PLYFORGE_DATA") or user_data_dir("plyforge", appauthor=False)
    return Path(folder).expanduser() / "games.db"


class _Database(Database):
    schema = """
        CREATE TABLE IF NOT EXISTS played_games (
            key TEXT PRIMARY KEY, updated TEXT NOT NULL, data BLOB NOT NULL);
        CREATE INDEX IF NOT EXISTS played_games_updated ON played_games (updated);
    """
    contents = "played games"
    create_command = "plyforge serve"
    resume_hint = "games are kept in memory only"


class GameFile:
    """Stores games from any thread; one thread of its own writes them.

    A file that cannot be written is reported once; the server works without it.
    """

    def __init__(self, file: Path) -> None:
        self.file = file
        self._waiting: dict[str, Callable[[], StoredGame]] = {}
        self._lock = threading.Lock()
        self._closed = threading.Event()
        self._failed = False
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            with _Database(file) as database, database.connection as connection:
                connection.execute(
                    "DELETE FROM played_games WHERE key NOT IN"
                    " (SELECT key FROM played_games ORDER BY updated DESC LIMIT ?)",
                    [MAX_GAMES],
                )
        except (PlyforgeError, OSError) as error:
            self._report(error)
        self._thread = threading.Thread(target=self._run, name="plyforge-games", daemon=True)
        self._thread.start()

    def _report(self, error: Exception) -> None:
        if not self._failed:
            self._failed = True
            print(f"warning: games are not stored: {error}", file=sys.stderr)

    def save(self, key: str, game: Callable[[], StoredGame]) -> None:
        """Store a game soon; it is made then, since a game that changes often is written once."""
        with self._lock:
            self._waiting[key] = game

    def find(self, key: str) -> StoredGame | None:
        """Return a stored game; None if there is none."""
        with self._lock:
            waiting = self._waiting.get(key)
        if waiting is not None:
            return waiting()
        try:
            with _Database(self.file) as database, database.explain_errors():
                row = database.connection.execute(
                    "SELECT data FROM played_games WHERE key = ?", [key]
                ).fetchone()
            if row is None:
                return None
            game = msgspec.json.decode(row[0], type=StoredGame)
            game.game_record()
        except (PlyforgeError, OSError, ValueError, msgspec.DecodeError):
            return None
        return game

    def _run(self) -> None:
        while not self._closed.wait(_INTERVAL):
            self._write()
        self._write()

    def _write(self) -> None:
        with self._lock:
            games = dict(self._waiting)
        if not games or self._failed:
            return
        rows = [(key, now(), msgspec.json.encode(game())) for key, game in games.items()]
        try:
            with (
                _Database(self.file) as database,
                database.explain_errors(),
                database.connection as connection,
            ):
                connection.executemany("INSERT OR REPLACE INTO played_games VALUES (?, ?, ?)", rows)
        except (PlyforgeError, OSError) as error:
            self._report(error)
            return
        with self._lock:
            for key, game in games.items():
                if self._waiting.get(key) is game:
                    del self._waiting[key]

    def close(self) -> None:
        """Write what is waiting."""
        self._closed.set()
        self._thread.join(_CLOSE_SECONDS)
