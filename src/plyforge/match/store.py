"""Matches in an SQLite file: every game as soon as it has ended.

A match is known by what decides its games (`Plan.identity`), not by how many are played, so that
the same match is continued or extended, and another one in the same file stays apart.
"""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from plyforge.core.errors import PlyforgeError
from plyforge.match.openings import Opening
from plyforge.match.referee import Played
from plyforge.match.schedule import Fixture

_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS match (
    id INTEGER PRIMARY KEY, identity TEXT UNIQUE NOT NULL, plan TEXT NOT NULL, created TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS opening (
    match INTEGER NOT NULL REFERENCES match, number INTEGER NOT NULL,
    start TEXT, moves TEXT NOT NULL, PRIMARY KEY (match, number)
);
CREATE TABLE IF NOT EXISTS game (
    match INTEGER NOT NULL REFERENCES match, number INTEGER NOT NULL,
    opening INTEGER NOT NULL, first INTEGER NOT NULL, second INTEGER NOT NULL,
    points REAL NOT NULL, ending TEXT NOT NULL, reason TEXT NOT NULL, loop INTEGER NOT NULL,
    score REAL, moves TEXT NOT NULL,
    first_seconds REAL NOT NULL, second_seconds REAL NOT NULL,
    first_nodes INTEGER NOT NULL, second_nodes INTEGER NOT NULL,
    ended TEXT NOT NULL, PRIMARY KEY (match, number)
);
"""
_WAIT: Final = 5.0
"""Seconds to wait for another program that writes to the file."""


@dataclass(frozen=True)
class StoredGame:
    """A game of a match, as it was played."""

    fixture: Fixture
    played: Played


class Store:
    """The matches of one file."""

    def __init__(self, file: Path | str) -> None:
        self.file = Path(file)
        self._lock: sqlite3.Connection | None = None
        with self._told():
            self._connection = sqlite3.connect(self.file, timeout=_WAIT)
            try:
                self._connection.execute("PRAGMA journal_mode = WAL")
                self._connection.executescript(_SCHEMA)
            except sqlite3.Error:
                self._connection.close()
                raise

    def close(self) -> None:
        self._connection.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def claim(self) -> None:
        """Keep other processes from playing matches of this file at the same time.

        The lock is one of SQLite's, on a file beside it: it ends with the process, however it ends.
        """
        if self._lock is not None:
            return
        with self._told():
            lock = sqlite3.connect(f"{self.file}.lock", timeout=0)
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except sqlite3.Error as error:
                lock.close()
                if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                    raise
                raise PlyforgeError(
                    f"{self.file}: another process is playing a match of this file; wait for it, or"
                    " give another file"
                ) from None
        self._lock = lock

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Errors of the database in words; whatever was stored before stays as it was."""
        try:
            yield
        except sqlite3.Error as error:
            raise PlyforgeError(
                f"{self.file}: {error}; the games stored so far are kept, and the same command"
                " goes on with the others"
            ) from None

    def match(self, identity: str, plan: dict[str, Any]) -> int:
        """The number of a match, which is entered if it is new."""
        with self._told(), self._connection:
            self._connection.execute(
                "INSERT OR IGNORE INTO match (identity, plan, created) VALUES (?, ?, ?)",
                (identity, json.dumps(plan, sort_keys=True), _now()),
            )
            found = self._connection.execute(
                "SELECT id FROM match WHERE identity = ?", (identity,)
            ).fetchone()
        return int(found[0])

    def matches(self) -> list[tuple[int, dict[str, Any]]]:
        """All matches of the file, with their plans."""
        with self._told():
            found = self._connection.execute("SELECT id, plan FROM match ORDER BY id")
            return [(number, json.loads(plan)) for number, plan in found]

    def openings(self, match: int) -> list[Opening]:
        """The openings found so far."""
        with self._told():
            rows = self._connection.execute(
                "SELECT start, moves FROM opening WHERE match = ? ORDER BY number", (match,)
            )
            return [Opening(tuple(json.loads(moves)), start) for start, moves in rows]

    def add_opening(self, match: int, number: int, opening: Opening) -> None:
        with self._told(), self._connection:
            self._connection.execute(
                "INSERT OR IGNORE INTO opening VALUES (?, ?, ?, ?)",
                (match, number, opening.start, json.dumps(opening.moves)),
            )

    def add(self, match: int, fixture: Fixture, played: Played) -> None:
        """Keep a game that has ended."""
        row = (
            *(match, fixture.number, fixture.opening, fixture.first, fixture.second),
            *(played.points, played.ending, played.reason, int(played.loop), played.score),
            *(json.dumps(played.moves), *played.seconds, *played.nodes, _now()),
        )
        with self._told(), self._connection:
            marks = ", ".join("?" * len(row))
            self._connection.execute(f"INSERT INTO game VALUES ({marks})", row)

    def games(self, match: int) -> list[StoredGame]:
        """The games of a match in the order of their numbers."""
        with self._told():
            rows = self._connection.execute(
                "SELECT number, opening, first, second, points, ending, reason, loop, score, moves,"
                " first_seconds, second_seconds, first_nodes, second_nodes"
                " FROM game WHERE match = ? ORDER BY number",
                (match,),
            )
            return [_stored(row) for row in rows]


def _stored(row: tuple[Any, ...]) -> StoredGame:
    number, opening, first, second, points, ending, reason, loop, score, moves = row[:10]
    return StoredGame(
        Fixture(number, opening, first, second),
        Played(
            tuple(json.loads(moves)),
            points,
            reason,
            ending,
            bool(loop),
            score,
            (row[10], row[11]),
            (row[12], row[13]),
        ),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
