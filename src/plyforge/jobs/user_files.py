"""Files of the user that jobs use, carried by content.

A job may run where the user's files do not exist, or after they were changed.  So an executor gives
their contents to its workers, and code that reads a file of the user asks here first
(`carried_file`, `read_bytes`).
"""

import hashlib
import io
import linecache
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from plyforge.core.errors import PlyforgeError, clip
from plyforge.jobs.imports import find_siblings

SUFFIXES: Final = (".py", ".npz", ".json", ".book", ".bin")
"""How the names of user files in settings end: code, weights, fitted numbers and books."""
BESIDE_GAME: Final = "game:"
"""Before the name of a file that comes with a game, in the folder of the game's own file."""
_DIGEST_BYTES: Final = 16


@dataclass(frozen=True)
class UserFile:
    """A file of the user: its name, its content, and the modules beside it that it imports."""

    name: str
    """The path as the user gave it, by which jobs refer to the file; of a module, its name in
    `import` statements."""
    path: str
    """The full path on the user's machine, for messages; it need not exist where the job runs."""
    data: bytes = field(repr=False)
    modules: tuple["UserFile", ...] = ()

    @cached_property
    def digest(self) -> str:
        """A hash of the content, without the modules."""
        return content_digest(self.data)

    @property
    def content(self) -> bytes:
        """The content of the file, and of its modules."""
        return b"".join([self.data, *(module.data for module in self.modules)])

    def digests(self) -> dict[str, str]:
        """Return the digests of the file and of its modules, by their paths as the user sees them.

        >>> helper = UserFile("helper", "/home/me/nim/helper.py", b"")
        >>> list(UserFile("nim/nim.py", "/home/me/nim/nim.py", b"", (helper,)).digests())
        ['nim/nim.py', 'nim/helper.py']
        """
        folder, here = Path(self.path).parent, Path(self.name).parent
        beside = {
            str(here / Path(module.path).relative_to(folder)): module.digest
            for module in self.modules
        }
        return {self.name: self.digest, **beside}


def content_digest(data: bytes) -> str:
    """Return a hash of bytes, the same on every machine."""
    return hashlib.blake2b(data, digest_size=_DIGEST_BYTES).hexdigest()


def read_user_file(name: str) -> UserFile:
    """Return a file with the modules beside it that it imports: the carried one, or from disk."""
    carried = carried_file(Path(name))
    if carried is not None:
        return carried
    try:
        path = Path(name).resolve()
        data = path.read_bytes()
    except OSError as error:
        raise PlyforgeError(f"{clip(name)} cannot be read: {error.strerror}") from error
    except ValueError as error:  # a null byte or an incomplete character in the name
        raise PlyforgeError(f"{clip(repr(name))} is not a file name: {error}") from None
    siblings = find_siblings(path, data) if path.suffix == ".py" else {}
    modules = tuple(
        UserFile(module, str(file), source) for module, (file, source) in siblings.items()
    )
    return UserFile(name, str(path), data, modules)


def read_available(names: Iterable[str]) -> list[UserFile]:
    """Read files once each; leave out those that cannot be read: whoever needs one reports that."""
    files = []
    for name in dict.fromkeys(names):
        with suppress(PlyforgeError):
            files.append(read_user_file(name))
    return files


def file_names(data: Any) -> Iterator[str]:
    """Yield the names of user files in plain data: strings, mappings and lists of them.

    >>> list(file_names({"evaluation": "mine.py", "on": ["etc"], "depth": 6}))
    ['mine.py']

    A file of weights may follow the file of its form:

    >>> list(file_names("mine.py:weights.npz"))
    ['mine.py', 'weights.npz']

    Files that come with a game are not the user's:

    >>> list(file_names("game:weights.npz"))
    []
    """
    if isinstance(data, str):
        if data.startswith(BESIDE_GAME):
            return
        parts = data.replace(".py:", ".py\0").split("\0")
        yield from (part for part in parts if part.endswith(SUFFIXES))
    elif isinstance(data, Mapping):
        yield from file_names(list(data.values()))
    elif isinstance(data, (list, tuple)):
        for item in data:
            yield from file_names(item)


def game_file_path(game_file: str, name: str) -> Path:
    """Return the path of a file that a setting names: beside the game's file after `game:`.

    >>> game_file_path("games/nim.py", "game:nim.npz").as_posix()
    'games/nim.npz'
    """
    if name.startswith(BESIDE_GAME):
        return Path(game_file).parent / name.removeprefix(BESIDE_GAME)
    return Path(name)


# Names in a file of the user

_folder: ContextVar[Path | None] = ContextVar("folder_of_names", default=None)


@contextmanager
def names_beside(folder: Path | None) -> Iterator[None]:
    """Let code in here find the files that it names in this folder first."""
    token = _folder.set(folder)
    try:
        yield
    finally:
        _folder.reset(token)


def locate(text: str) -> str:
    """Return a text with the names of files, such as `nim.py:3x4`, found in the folder in use.

    A name of a file that is not there stays as it is: relative to the working directory.
    """
    folder = _folder.get()
    if folder is None:
        return text
    for name in file_names(text):
        if not Path(name).is_absolute() and is_file(folder / name):
            text = text.replace(name, str(folder / name), 1)
    return text


# While a job runs


@dataclass(frozen=True)
class _FilesInUse:
    by_path: Mapping[Path, UserFile] = field(default_factory=dict)
    fingerprint: str = ""


_in_use: ContextVar[_FilesInUse] = ContextVar("files_in_use", default=_FilesInUse())  # noqa: B039


@contextmanager
def use_files(files: Iterable[UserFile]) -> Iterator[None]:
    """Let code in here read these files by name, instead of those on disk."""
    files = tuple(files)
    parts = [part for file in files for part in (file, *file.modules)]
    by_path = {Path(part.path): part for part in parts} | {Path(file.name): file for file in files}
    texts = "".join(f"{part.name}\n{part.path}\n{part.digest}\n" for part in parts)
    fingerprint = content_digest(texts.encode("utf-8", "surrogatepass")) if parts else ""
    token = _in_use.set(_FilesInUse(by_path, fingerprint))
    lines = {part.path: _source_lines(part) for part in parts if part.path.endswith(".py")}
    try:
        # The compiler and tracebacks ask for source lines by path.
        linecache.cache.update(lines)
        yield
    finally:
        for path in lines:
            linecache.cache.pop(path, None)
        _in_use.reset(token)


def _source_lines(file: UserFile) -> tuple[int, None, list[str], str]:
    """Return an entry of `linecache` that it never compares with the disk."""
    text = io.TextIOWrapper(io.BytesIO(file.data), encoding="utf-8-sig", errors="replace")
    return len(file.data), None, text.readlines(), file.path


def carried_file(path: Path) -> UserFile | None:
    """Return the file of this name that the current job carries; None if there is none."""
    return _in_use.get().by_path.get(path)


def files_fingerprint() -> str:
    """Return a hash of all files that the current job carries, empty if there are none.

    A process that keeps objects made from files for later jobs must not mix two contents.
    """
    return _in_use.get().fingerprint


def files_in(folder: Path, suffixes: Iterable[str]) -> list[Path]:
    """Return the files of a folder with these endings: carried ones if there are any, or on disk.

    >>> carried = UserFile("endings/K-K.wdl", "/home/me/endings/K-K.wdl", b"")
    >>> with use_files([carried]):
    ...     [path.as_posix() for path in files_in(Path("endings"), [".wdl"])]
    ['endings/K-K.wdl']
    """
    suffixes = tuple(suffixes)
    carried = {
        path for path in _in_use.get().by_path if path.parent == folder and path.suffix in suffixes
    }
    return sorted(carried or {path for end in suffixes for path in folder.glob(f"*{end}")})


def is_file(path: Path) -> bool:
    """Return whether the current job carries a file of this name, or it exists on disk."""
    return carried_file(path) is not None or path.is_file()


def read_bytes(path: Path) -> bytes:
    """Return the content of a file: the carried one, or from disk."""
    carried = carried_file(path)
    return path.read_bytes() if carried is None else carried.data
