"""The hooks and constants of one game, and errors that name the author's line."""

import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
        """The file of the game."""
        return str(getattr(self.module, "__file__", self.name))

    def source(self, hook: str) -> str:
        """Return the file that defines a hook: an evaluation may be in another file."""
        function = self.hooks.get(hook)
        code = getattr(function, "__code__", None)
        if code is None:
            return self.file
        if code.co_filename == "<string>":  # made from a form, whose file its globals name
            return str(getattr(function, "__globals__", {}).get("__file__", self.file))
        return str(code.co_filename)

    def constant(self, name: str) -> Any:
        """Return a constant of the contract, by default the contract's."""
        return self.constants.get(name, CONSTANTS[name].default)

    def new_state(self) -> NDArray[Any]:
        """Return an array of zeros for the evaluation's state."""
        dtype, size = self.constant("STATE")
        return np.zeros(size, dtype)

    @contextmanager
    def blame(self, activity: str) -> Iterator[None]:
        """Turn an exception from the game's code into an error that names its line."""
        # Machine code has no line numbers.
        with blame_file(self.file, activity, "; 'plyforge check' finds the line"):
            yield


@contextmanager
def blame_file(
    file: str, activity: str, remedy: str = "", caller: str = "", others: Sequence[str] = ()
) -> Iterator[None]:
    """Turn an exception from a user's file into an error that names its line.

    `remedy` is added if the line is not known: in machine code, and if `caller`, the file that
    calls the user's function, fails to call it.  The line may also be in one of `others`.
    """
    try:
        yield
    except BaseException as error:
        if not is_authors_error(error):
            raise
        place = error_place(error, file, caller, others)
        hint = "" if ", line " in place else remedy
        raise GameFileError(f"{place}: {activity}: {describe_error(error)}{hint}") from error


def error_place(
    error: BaseException, file: str, caller: str = "", others: Sequence[str] = ()
) -> str:
    """Return `file, line N`: the innermost line of the user's files in the traceback."""
    resolved = {str(Path(one).resolve()): one for one in (*others, file)}
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if (own := resolved.get(str(Path(frame.filename).resolve()))) is not None:
            return f"{own}, line {frame.lineno}"
    frames = traceback.extract_tb(error.__traceback__)
    # A wrong value raises where it is converted: in generated code, or in our own.
    own_code = ("<string>", *_OWN_FOLDERS)
    if not frames or frames[-1].filename.startswith(own_code) or frames[-1].filename == caller:
        return file
    return f"{frames[-1].filename}, line {frames[-1].lineno}"


def is_authors_error(error: BaseException) -> bool:
    """Return whether an exception comes from a game's code: not Ctrl-C, and not our own."""
    own = type(error).__module__.split(".")[0] == "plyforge"
    return not own and not isinstance(error, KeyboardInterrupt)


def describe_error(error: BaseException) -> str:
    """Return the type of an error and its message."""
    text = str(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
