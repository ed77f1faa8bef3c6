"""SQLite files that store results as they arrive, with locking and readable errors."""

import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import ClassVar, Final, Self

from plyforge.core.errors import PlyforgeError, clip

_WRITE_TIMEOUT: Final = 5.0
"""Seconds to wait for another program that writes to the file."""
_READ_TIMEOUT: Final = 1.0
"""The same for a reader: a web page shows an error rather than wait."""
_SIDE_FILES: Final = ("-wal", "-journal")
"""Files beside a database while a program writes to it, or after one has crashed."""
_NOT_A_DATABASE: Final = (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_NOTADB)
_READ_REMEDIES: Final = {
    sqlite3.SQLITE_BUSY: "another program is writing to it; try again in a moment"
}
IN_MEMORY: Final = ":memory:"
"""The name of a database in memory, which no other process sees."""


class Database:
    """An SQLite file; a subclass gives its schema and the words for messages."""

    schema: ClassVar[str] = ""
    optional_tables: ClassVar[frozenset[str]] = frozenset()
    """Tables that older files lack, and readers do not need."""
    contents: ClassVar[str] = "results"
    """The kind of data in the file."""
    create_command: ClassVar[str] = "plyforge"
    """The command that creates such a file."""
    busy_message: ClassVar[str] = "another process is working on this file"
    resume_hint: ClassVar[str] = "stored results are kept; run the same command again to resume"

    def __init__(self, file: Path | str, *, writing: bool = True) -> None:
        self.file = Path(file)
        self.writing = writing
        self._lock: sqlite3.Connection | None = None
        with self.explain_errors():
            self.connection = self._connect() if writing else self._connect_read_only()
            try:
                if writing:
                    self.connection.execute("PRAGMA journal_mode = WAL")
                    self.connection.executescript(self.schema)
                else:
                    self._check_schema()
            except BaseException:
                self.connection.close()
                raise

    @classmethod
    def open_read_only(cls, file: Path | str) -> Self:
        """Open an existing file without changing anything in it or beside it."""
        return cls(file, writing=False)

    def _connect(self) -> sqlite3.Connection:
        return sqlite3.connect(self.file, timeout=_WRITE_TIMEOUT)

    def _connect_read_only(self) -> sqlite3.Connection:
        if not os.path.isfile(self.file):  # noqa: PTH113 (false for a name that no file can have)
            raise PlyforgeError(
                f"no file '{clip(str(self.file))}'; '{self.create_command}' creates it,"
                " or give another file"
            )
        # If no program writes to the file, SQLite can read it without creating files beside it.
        unused = not any(os.path.exists(f"{self.file}{end}") for end in _SIDE_FILES)  # noqa: PTH110
        mode = "mode=ro&immutable=1" if unused else "mode=ro"
        return sqlite3.connect(
            f"{self.file.resolve().as_uri()}?{mode}", uri=True, timeout=_READ_TIMEOUT
        )

    def _check_schema(self) -> None:
        """Raise an error if the file lacks tables of the schema."""
        required = set(re.findall(r"CREATE TABLE IF NOT EXISTS (\w+)", self.schema))
        rows = self.connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
        if not required - self.optional_tables <= {name for (name,) in rows}:
            raise PlyforgeError(
                f"{clip(str(self.file))} holds no {self.contents};"
                f" '{self.create_command}' creates a file that does"
            )

    def close(self) -> None:
        """Close the file and release its lock; closing it again does nothing."""
        self.connection.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def claim(self) -> None:
        """Keep other processes from working on this file at the same time.

        The lock is an SQLite lock on a file beside it, so it ends with the process, even if the
        process is killed.
        """
        if self._lock is not None or str(self.file) == IN_MEMORY:
            return
        with self.explain_errors():
            lock = sqlite3.connect(f"{self.file}.lock", timeout=0)
            try:
                lock.execute("BEGIN EXCLUSIVE")
            except BaseException as error:
                lock.close()
                if _error_code(error) == sqlite3.SQLITE_BUSY:
                    raise PlyforgeError(
                        f"{self.file}: {self.busy_message}; wait for it, or give another file"
                    ) from None
                raise
        self._lock = lock

    @contextmanager
    def explain_errors(self) -> Iterator[None]:
        """Turn errors of SQLite into `PlyforgeError` with a remedy."""
        try:
            yield
        except sqlite3.Error as error:
            code = _error_code(error)
            remedy = "give another file" if code in _NOT_A_DATABASE else self.resume_hint
            if code == sqlite3.SQLITE_FULL:
                remedy = f"free some space; {remedy}"
            if not self.writing:
                remedy = _READ_REMEDIES.get(code, "give another file")
            raise PlyforgeError(f"{clip(str(self.file))}: {error}; {remedy}") from None


def _error_code(error: BaseException) -> int:
    """Return SQLite's primary result code of an error, 0 if it has none."""
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def now() -> str:
    """Return the current time as stored in the files."""
    return datetime.now(UTC).isoformat(timespec="seconds")
