"""Compiled kernels on disk, each in one file named after the kernel's fingerprint.

A file is written under a temporary name and then renamed, so that no reader sees an incomplete
one, even with two writers.  It contains a digest, so that a damaged or foreign file counts as
absent.  Nothing is ever stale, because a changed kernel has another name; files that were not used
for a long time are removed.  If the folder cannot be written, a temporary folder takes its place,
with a warning; later starts read from there too.
"""

import hashlib
import os
import stat
import tempfile
import time
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_cache_dir

MAGIC = b"plyforge kernel 1\n"
SUFFIX = ".kernel"
FUNCTIONS = "functions-"
"""The beginning of the names of files with functions for several kernels, instead of a kernel."""
KEEP_DAYS = 60
KEEP_BYTES = 1 << 30
DRAFT_SECONDS = 3600


_warned: set[Path] = set()
"""Folders of which this process has said that they cannot be written."""


class CacheWarning(UserWarning):
    """The cache folder cannot be used."""


def cache_folder() -> Path:
    """Return `PLYFORGE_CACHE`, or the operating system's folder for caches."""
    try:
        chosen = os.environ.get("PLYFORGE_CACHE") or user_cache_dir("plyforge", appauthor=False)
        return Path(chosen).expanduser()
    except RuntimeError:  # a user without a home, as in some containers
        return _temporary_folder()


def _temporary_folder() -> Path:
    return Path(tempfile.gettempdir()) / f"plyforge-{_user()}"


@dataclass(frozen=True)
class Entry:
    """One stored kernel."""

    path: Path
    name: str
    size: int
    used: float
    """The time of the last use, in seconds since the epoch."""


class Store:
    """The kernels under one folder."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or cache_folder()
        self._temporary: Path | None = None

    def _path(self, name: str) -> Path:
        return (self._temporary or self.folder) / (name + SUFFIX)

    def load(self, name: str) -> bytes | None:
        """Return the stored bytes, or None if there are none or they are damaged."""
        return _read(self._path(name)) or self._load_from_temporary(name)

    def _load_from_temporary(self, name: str) -> bytes | None:
        """Return what an earlier process stored there because it could not write to the folder."""
        with suppress(OSError):
            folder = _temporary_folder()
            if _is_ours(folder):
                return _read(folder / (name + SUFFIX))
        return None

    def save(self, name: str, payload: bytes) -> None:
        """Store `payload`; if the folder cannot be written, use a temporary one, with a warning."""
        try:
            self._write(name, payload)
        except OSError as error:
            try:
                self._use_temporary_folder()
                self._write(name, payload)
            except OSError as again:
                self._warn(error, f"kernels are not stored ({again.strerror or again})")
            else:
                self._warn(error, f"using {self._temporary} instead")
        else:
            self.prune()

    def _warn(self, error: OSError, consequence: str) -> None:
        """Say once for each folder that it cannot be written, in one sentence."""
        if self.folder not in _warned:
            _warned.add(self.folder)
            warnings.warn(
                f"the kernel cache {self.folder} cannot be written ({error.strerror or error});"
                f" {consequence}; set PLYFORGE_CACHE to a writable folder",
                CacheWarning,
                stacklevel=3,
            )

    def lock_file(self, name: str) -> Path:
        """Return the file that a process locks while it compiles a kernel."""
        return self._path(name).with_name(f".lock-{name}")

    def discard(self, name: str) -> None:
        """Remove an entry that turned out to be unusable."""
        with suppress(OSError):
            self._path(name).unlink()

    def _write(self, name: str, payload: bytes) -> None:
        path = self._path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, draft = tempfile.mkstemp(dir=path.parent, prefix=".draft-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(MAGIC + _digest(payload) + payload)
            Path(draft).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(draft).unlink()
            raise

    def _use_temporary_folder(self) -> None:
        if self._temporary is not None:
            return
        self._temporary = _temporary_folder()
        with suppress(FileExistsError):
            self._temporary.mkdir(mode=0o700)
        if not _is_ours(self._temporary):
            # Another user's folder under this name must never supply code.
            self._temporary = Path(tempfile.mkdtemp(prefix="plyforge-"))

    def entries(self) -> Iterator[Entry]:
        """Yield the stored kernels, least recently used first."""
        entries = []
        with suppress(OSError):
            for path in self.folder.glob("*" + SUFFIX):
                with suppress(OSError):
                    state = path.stat()
                    entries.append(Entry(path, path.stem, state.st_size, state.st_mtime))
        yield from sorted(entries, key=lambda entry: entry.used)

    def prune(self, keep_days: float = KEEP_DAYS, keep_bytes: int = KEEP_BYTES) -> int:
        """Remove entries unused for `keep_days`, then the oldest beyond `keep_bytes`."""
        entries = list(self.entries())
        total = sum(entry.size for entry in entries)
        oldest = time.time() - keep_days * 86_400
        removed = 0
        for entry in entries:
            if entry.used >= oldest and total <= keep_bytes:
                break
            with suppress(OSError):
                entry.path.unlink()
                removed += 1
            total -= entry.size
        self._remove_drafts(DRAFT_SECONDS)
        return removed

    def _remove_drafts(self, seconds: float) -> None:
        """Remove incomplete files of processes that ended while writing."""
        with suppress(OSError):
            for draft in self.folder.glob(".draft-*"):
                with suppress(OSError):
                    if draft.stat().st_mtime <= time.time() - seconds:
                        draft.unlink()

    def clear(self) -> int:
        """Remove every kernel; return their number."""
        count = 0
        for entry in list(self.entries()):
            with suppress(OSError):
                entry.path.unlink()
                count += 1
        self._remove_drafts(0)
        return count


def _read(path: Path) -> bytes | None:
    try:
        data = path.read_bytes()
    except OSError:
        return None
    header = len(MAGIC) + hashlib.sha256().digest_size
    if not data.startswith(MAGIC) or data[len(MAGIC) : header] != _digest(data[header:]):
        return None
    with suppress(OSError):
        os.utime(path)
    return data[header:]


def _digest(payload: bytes) -> bytes:
    return hashlib.sha256(payload).digest()


def _user() -> str:
    return str(os.getuid()) if hasattr(os, "getuid") else os.environ.get("USERNAME", "user")


def _is_ours(folder: Path) -> bool:
    if not hasattr(os, "getuid"):
        return True
    mode = folder.lstat()
    return stat.S_ISDIR(mode.st_mode) and mode.st_uid == os.getuid() and not mode.st_mode & 0o022
