"""SQLite files to which results go as they come: opened, claimed, with errors in words."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar, Final, TypeVar

from plyforge.core.errors import PlyforgeError, clipped

_WAIT: Final = 5.0
"""Seconds to wait for another program that writes to the file."""
_NO_DATABASE: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOTADB)
IN_MEMORY: Final = ":memory:"
"""A database that no other process sees."""
Self = TypeVar("Self", bound="Database")


class Database:
    """One file; whoever inherits gives the schema, and the words for what it holds."""

    schema: ClassVar[str] = ""
    busy: ClassVar[str] = "another process is at work on this file"
    kept: ClassVar[str] = (
        "what is stored so far is kept, and the same command goes on with the rest"
    )

    def __init__(self, file: Path | str) -> None:
        self.file = Path(file)
        self._lock: sqlite3.Connection | None = None
        with self.told():
            self.connection = sqlite3.connect(self.file, timeout=_WAIT)
            try:
                self.connection.execute("PRAGMA journal_mode = WAL")
                self.connection.executescript(self.schema)
            except BaseException:
                self.connection.close()
                raise

    def close(self) -> None:
        """Let go of the file; whoever has closed it may close it again."""
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
        if self._lock is not None or str(self.file) == IN_MEMORY:
            return
        with self.told():
            lock = sqlite3.connect(f"{self.file}.lock", timeout=0)
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except BaseException as error:
                lock.close()
                if _code(error) == sqlite3.SQLITE_BUSY:
                    raise PlyforgeError(
                        f"{self.file}: {self.busy}; wait for it, or give another file"
                    ) from None
                raise
        self._lock = lock

    @contextmanager
    def told(self) -> Iterator[None]:
        """Errors of the database in words; whatever was stored before stays as it was."""
        try:
            yield
        except sqlite3.Error as error:
            remedy = "give another file" if _code(error) in _NO_DATABASE else self.kept
            raise PlyforgeError(f"{clipped(str(self.file))}: {error}; {remedy}") from None


def _code(error: BaseException) -> int:
    """SQLite's own number of an error, without what extends it."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def now() -> str:
    """The time as it is stored."""
    return datetime.now(UTC).isoformat(timespec="seconds")
