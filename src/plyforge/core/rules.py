"""The hooks and constants of one game, and errors that point at the author's own lines."""

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from plyforge.core.contract import CONSTANTS
from plyforge.core.errors import GameFileError

_PACKAGE = Path(__file__).parents[1]
_OWN_FOLDERS = tuple(str(_PACKAGE / name) for name in ("core", "compilation", "game", "check"))


@dataclass(frozen=True)
class Rules:
    """The hooks and constants that one game defines."""

    name: str
    module: ModuleType
    hooks: dict[str, Callable[..., Any]]
    constants: dict[str, Any]

    @property
    def file(self) -> str:
        return str(getattr(self.module, "__file__", self.name))

    def source(self, hook: str) -> str:
        """The file that a hook stands in: another evaluation has one of its own."""
        code = getattr(self.hooks.get(hook), "__code__", None)
        return self.file if code is None else str(code.co_filename)

    def constant(self, name: str) -> Any:
        return self.constants.get(name, CONSTANTS[name].default)

    @contextmanager
    def blame(self, doing: str) -> Iterator[None]:
        """Turn an exception out of the game's code into an error that points at its line."""
        # Machine code keeps no lines.
        with blame_file(self.file, doing, "; 'plyforge check' finds the line"):
            yield


@contextmanager
def blame_file(file: str, doing: str, remedy: str = "", caller: str = "") -> Iterator[None]:
    """Turn an exception out of a user's file into an error that points at its line.

    `remedy` is said where the line is not known: in machine code, and where `caller`, the file that
    calls the user's function, cannot even call it.
    """
    try:
        yield
    except BaseException as error:
        if not is_authors_error(error):
            raise
        place = error_place(error, file, caller)
        told = "" if ", line " in place else remedy
        raise GameFileError(f"{place}: {doing}: {describe_error(error)}{told}") from error


def error_place(error: BaseException, file: str, caller: str = "") -> str:
    """`file, line N`: the innermost line of the game's own file that the error passed through."""
    resolved = str(Path(file).resolve())
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if str(Path(frame.filename).resolve()) == resolved:
            return f"{file}, line {frame.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    # A value that is none shows where it is converted: in generated code, or next to this file.
    ours = ("<string>", *_OWN_FOLDERS)
    if not frames or frames[-1].filename.startswith(ours) or frames[-1].filename == caller:
        return file
    return f"{frames[-1].filename}, line {frames[-1].lineno}"


def is_authors_error(error: BaseException) -> bool:
    """Whether an exception comes out of a game's code: not Ctrl-C, and none of our own."""
    ours = type(error).__module__.split(".")[0] == "plyforge"
    return not ours and not isinstance(error, KeyboardInterrupt)


def describe_error(error: BaseException) -> str:
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
