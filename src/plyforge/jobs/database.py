"""SQLite files to which results go as they come: opened, claimed, with errors in words."""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar, Final, TypeVar

from plyforge.core.errors import PlyforgeError, clipped

_WAIT: Final = 5.0
"""Seconds to wait for another program that writes to the file."""
_READING_WAIT: Final = 1.0
"""The same for whoever only looks: a page would rather be told than wait."""
_BESIDE: Final = ("-wal", "-journal")
"""Files beside a database while somebody writes to it, or after somebody came to grief."""
_NO_DATABASE: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOTADB)
_READING_REMEDIES: Final = {
    sqlite3.SQLITE_BUSY: "another program is writing to it; try again in a moment"
}
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
    holds: ClassVar[str] = "results"
    made_by: ClassVar[str] = "plyforge"
    """The command that makes such a file."""

    def __init__(self, file: Path | str, *, writing: bool = True) -> None:
        self.file = Path(file)
        self.writing = writing
        self._lock: sqlite3.Connection | None = None
        with self.told():
            self.connection = self._connected() if writing else self._looked_at()
            try:
                if writing:
                    self.connection.execute("PRAGMA journal_mode = WAL")
                    self.connection.executescript(self.schema)
                else:
                    self._refuse_foreign()
            except BaseException:
                self.connection.close()
                raise

    @classmethod
    def reading(cls: type[Self], file: Path | str) -> Self:
        """A file that is there already, to be looked at: nothing in it or beside it changes."""
        return cls(file, writing=False)

    def _connected(self) -> sqlite3.Connection:
        return sqlite3.connect(self.file, timeout=_WAIT)

    def _looked_at(self) -> sqlite3.Connection:
        if not os.path.isfile(self.file):  # noqa: PTH113 (a name that no file can have is none)
            raise PlyforgeError(
                f"no file '{clipped(str(self.file))}'; '{self.made_by}' makes it, or give another"
            )
        # Where nobody writes, SQLite need not put files of its own beside this one to read it.
        quiet = not any(os.path.exists(f"{self.file}{end}") for end in _BESIDE)  # noqa: PTH110
        how = "mode=ro&immutable=1" if quiet else "mode=ro"
        return sqlite3.connect(
            f"{self.file.resolve().as_uri()}?{how}", uri=True, timeout=_READING_WAIT
        )

    def _refuse_foreign(self) -> None:
        """Refuse a file that has not the tables of the schema."""
        wanted = set(re.findall(r"CREATE TABLE IF NOT EXISTS (\w+)", self.schema))
        found = self.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        if not wanted <= {name for (name,) in found}:
            raise PlyforgeError(
                f"{clipped(str(self.file))} holds no {self.holds}; '{self.made_by}' makes a file"
                " that does"
            )

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
            if not self.writing:
                remedy = _READING_REMEDIES.get(_code(error), "give another file")
            raise PlyforgeError(f"{clipped(str(self.file))}: {error}; {remedy}") from None


def _code(error: BaseException) -> int:
    """SQLite's own number of an error, without what extends it."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def now() -> str:
    """The time as it is stored."""
    return datetime.now(UTC).isoformat(timespec="seconds")
