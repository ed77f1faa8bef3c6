"""SQLite files to which results go as they come: opened, claimed, with errors in words."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, TypeVar

from plyforge.core.errors import PlyforgeError

_WAIT: Final = 5.0
"""Seconds to wait for another program that writes to the file."""
Self = TypeVar("Self", bound="Database")


class Database:
    """One file; whoever inherits gives the schema."""

    schema: str = ""

    def __init__(self, file: Path | str) -> None:
        self.file = Path(file)
        self._lock: sqlite3.Connection | None = None
        with self.told():
            self.connection = sqlite3.connect(self.file, timeout=_WAIT)
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.executescript(self.schema)

    def close(self) -> None:
        self.connection.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def claim(self) -> None:
        """Keep other processes from working on this file at the same time.

        The lock is one of SQLite's, on a file beside it: it ends with the process, however it ends.
        """
        if self._lock is not None:
            return
        lock = sqlite3.connect(f"{self.file}.lock", timeout=0)
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error:
            lock.close()
            raise PlyforgeError(
                f"{self.file}: another process is at work on this file; wait for it, or give"
                " another file"
            ) from None
        self._lock = lock

    @contextmanager
    def told(self) -> Iterator[None]:
        """Errors of the database in words; whatever was stored before stays as it was."""
        try:
            yield
        except sqlite3.Error as error:
            raise PlyforgeError(
                f"{self.file}: {error}; what is stored so far is kept, and the same command goes"
                " on with the rest"
            ) from None


def now() -> str:
    """The time as it is stored."""
    return datetime.now(UTC).isoformat(timespec="seconds")
