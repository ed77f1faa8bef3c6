"""The file of a book: an SQLite file with positions by their keys, and how often moves were played.

A position is stored under the smallest key of its images, so positions that are equal up to
symmetry share an entry, and so do those that several orders of moves reach.  A move is stored as
the pair of keys before and after it.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.jobs.database import IN_MEMORY, Database, now
from plyforge.jobs.user_files import read_bytes

SUFFIX: Final = ".book"
SQLITE: Final = b"SQLite format 3\0"
"""How the files of books begin."""
_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS book (
    id INTEGER PRIMARY KEY CHECK (id = 1), game TEXT NOT NULL, start TEXT NOT NULL,
    created TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS build (
    number INTEGER PRIMARY KEY, about TEXT NOT NULL, started TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS position (
    key INTEGER PRIMARY KEY, score REAL, depth INTEGER NOT NULL DEFAULT 0,
    proved INTEGER NOT NULL DEFAULT 0, expanded INTEGER NOT NULL DEFAULT 0,
    games INTEGER NOT NULL DEFAULT 0, points REAL NOT NULL DEFAULT 0
);
CREATE TABLE IF NOT EXISTS played (
    parent INTEGER NOT NULL, child INTEGER NOT NULL, games INTEGER NOT NULL,
    PRIMARY KEY (parent, child)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS bound (
    key INTEGER PRIMARY KEY, lower REAL NOT NULL, upper REAL NOT NULL
);
"""
_FIELDS: Final = "score, depth, proved, expanded, games, points"
_JOURNAL_BYTES: Final = slice(18, 20)
"""Where the header of an SQLite file says how it is written."""
_BATCH: Final = 500
"""Keys in one query."""


@dataclass(frozen=True)
class BookPosition:
    """What a book knows of a position; scores and points are for the side to move."""

    score: float | None = None
    """None for a position that was only met in games."""
    depth: int = 0
    """The depth of the search that found the score; that of the best move where moves decide it."""
    proved: bool = False
    """Whether the score is the result of perfect play."""
    expanded: bool = False
    """Whether the positions after all of its moves have scores, which decide its own."""
    games: int = 0
    """The games in which it occurred."""
    points: float = 0.0
    """The points that the side to move has won in them: 1 for a win, 0.5 for a draw."""


class BookFile(Database):
    """The positions and moves of one book."""

    schema = _SCHEMA
    contents = "book"
    create_command = "plyforge book build GAME FILE"
    busy_message = "another process is building this book"
    resume_hint = "stored positions are kept; run the same command again to resume"

    def _connect_read_only(self) -> sqlite3.Connection:
        """Read the file into memory: a job may carry it, and threads share it."""
        data = bytearray(read_bytes(self.file))
        data[_JOURNAL_BYTES] = b"\1\1"  # a database in memory has no write-ahead log
        connection = sqlite3.connect(IN_MEMORY, check_same_thread=False)
        connection.deserialize(bytes(data))
        return connection

    def close(self) -> None:
        """Close the file; everything is in it, and nothing stays beside it."""
        if self._lock is not None:
            with self.explain_errors():
                self.connection.execute("PRAGMA journal_mode = DELETE")
        super().close()

    def begin(self, game: str, start: str) -> None:
        """Name the game of a new book; raise an error if the book is of another one."""
        with self.explain_errors(), self.connection:
            self.connection.execute(
                "INSERT OR IGNORE INTO book VALUES (1, ?, ?, ?)", (game, start, now())
            )
        self.check_game(game, start)

    def check_game(self, game: str, start: str) -> None:
        """Raise an error unless the book is of this game with this start position."""
        with self.explain_errors():
            row = self.connection.execute("SELECT game, start FROM book").fetchone()
        if row is None:
            raise PlyforgeError(f"{clip(str(self.file))} is a book without a game; build it again")
        if row != (game, start):
            other = f"of {row[0]}" if row[0] != game else f"with another start: {clip(row[1])}"
            raise PlyforgeError(f"{clip(str(self.file))} is a book {other}; give one of {game}")

    def add_build(self, about: dict[str, Any]) -> None:
        """Note how positions are being added."""
        with self.explain_errors(), self.connection:
            self.connection.execute(
                "INSERT INTO build (about, started) VALUES (?, ?)", (json.dumps(about), now())
            )

    def builds(self) -> list[tuple[dict[str, Any], str]]:
        """Return how its positions were added, and when."""
        with self.explain_errors():
            rows = self.connection.execute("SELECT about, started FROM build ORDER BY number")
            return [(json.loads(about), started) for about, started in rows]

    def find(self, keys: Iterable[int]) -> dict[int, BookPosition]:
        """Return what is known of positions, by key; unknown ones are left out."""
        wanted = list(dict.fromkeys(keys))
        found: dict[int, BookPosition] = {}
        with self.explain_errors():
            for first in range(0, len(wanted), _BATCH):
                some = wanted[first : first + _BATCH]
                marks = ", ".join("?" * len(some))
                query = f"SELECT key, {_FIELDS} FROM position WHERE key IN ({marks})"
                rows = self.connection.execute(query, some)
                found |= {row[0]: _position(row[1:]) for row in rows}
        return found

    def positions(self) -> Iterator[tuple[int, BookPosition]]:
        """Yield all positions by their keys."""
        with self.explain_errors():
            rows = self.connection.execute(f"SELECT key, {_FIELDS} FROM position")
            yield from ((row[0], _position(row[1:])) for row in rows)

    def games_by_child(self, parent: int) -> dict[int, int]:
        """Return in how many games each position followed another."""
        with self.explain_errors():
            query = "SELECT child, games FROM played WHERE parent = ?"
            return dict(self.connection.execute(query, (parent,)).fetchall())

    def set_scores(self, scores: Iterable[tuple[int, BookPosition]]) -> None:
        """Store the scores of positions, all or none; their games stay as they are."""
        rows = [(k, p.score, p.depth, int(p.proved), int(p.expanded)) for k, p in scores]
        with self.explain_errors(), self.connection:
            self.connection.executemany(
                "INSERT INTO position (key, score, depth, proved, expanded) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (key) DO UPDATE SET score = excluded.score, depth = excluded.depth,"
                " proved = excluded.proved, expanded = excluded.expanded",
                rows,
            )

    def bounds(self) -> Iterator[tuple[int, tuple[float, float]]]:
        """Yield the bounds of values that searches to the end of the game have found, by key."""
        with self.explain_errors():
            rows = self.connection.execute("SELECT key, lower, upper FROM bound")
            yield from ((key, (lower, upper)) for key, lower, upper in rows)

    def set_bounds(self, key: int, lower: float, upper: float) -> None:
        """Store the bounds of one value."""
        with self.explain_errors(), self.connection:
            self.connection.execute(
                "INSERT OR REPLACE INTO bound VALUES (?, ?, ?)", (key, lower, upper)
            )

    def add_game(self, steps: list[tuple[int, float]]) -> None:
        """Count a game: the keys of its positions, each with the points of its side to move."""
        with self.explain_errors(), self.connection:
            self.connection.executemany(
                "INSERT INTO position (key, games, points) VALUES (?, 1, ?) ON CONFLICT (key) DO"
                " UPDATE SET games = games + 1, points = points + excluded.points",
                steps,
            )
            pairs = [(one[0], two[0]) for one, two in pairwise(steps)]
            self.connection.executemany(
                "INSERT INTO played VALUES (?, ?, 1) ON CONFLICT (parent, child) DO UPDATE SET"
                " games = games + 1",
                pairs,
            )

    def drop_rare(self, min_games: int) -> int:
        """Remove positions without a score that occurred in fewer games; return how many."""
        with self.explain_errors(), self.connection:
            removed = self.connection.execute(
                "DELETE FROM position WHERE score IS NULL AND games < ?", (min_games,)
            ).rowcount
            self.connection.execute(
                "DELETE FROM played WHERE child NOT IN (SELECT key FROM position)"
                " OR parent NOT IN (SELECT key FROM position)"
            )
        return int(removed)

    def counts(self) -> dict[str, int]:
        """Return the numbers of positions, of those with scores, and so on."""
        query = (
            "SELECT count(*), count(score), total(proved), total(expanded), total(games > 0),"
            " max(games) FROM position"
        )
        names = ("positions", "scored", "proved", "expanded", "from_games", "games")
        with self.explain_errors():
            row = self.connection.execute(query).fetchone()
        return {name: int(number or 0) for name, number in zip(names, row, strict=True)}


def read_game_name(path: Path) -> str | None:
    """Return the name of the game of a book; None if the file is not one of Plyforge."""
    try:
        if read_bytes(path)[: len(SQLITE)] != SQLITE:
            return None
    except OSError as error:
        reason = "there is no such file" if isinstance(error, FileNotFoundError) else error.strerror
        raise PlyforgeError(f"the book '{clip(str(path))}' cannot be read: {reason}") from None
    with BookFile.open_read_only(path) as file, file.explain_errors():
        row = file.connection.execute("SELECT game FROM book").fetchone()
    return "" if row is None else str(row[0])


def _position(row: tuple[Any, ...]) -> BookPosition:
    score, depth, proved, expanded, games, points = row
    return BookPosition(score, depth, bool(proved), bool(expanded), games, points)
