"""The hooks and constants of one game, and errors that name the author's line."""

import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType, TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyforge.core.contract import CONSTANTS
from plyforge.core.errors import GameFileError
from plyforge.core.memory import WeightBlock, new_block

_PACKAGE = Path(__file__).parents[1]
_OWN_FOLDERS = tuple(str(_PACKAGE / name) for name in ("core", "compilation", "game", "check"))


@dataclass(frozen=True)
class Rules:
    """The hooks and constants that one game defines."""

    name: str
    module: ModuleType
    hooks: dict[str, Callable[..., Any]]
    constants: dict[str, Any]
    weights: WeightBlock | None = None
    """What `evaluate`, `begin` and `advance` take as their last argument, if it is not None."""

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

    def new_states(self, count: int) -> NDArray[Any]:
        """Return arrays of zeros for so many states of the evaluation, one a row."""
        dtype, size = self.constant("STATE") or ("int64", 1)
        octets = count * size * np.dtype(dtype).itemsize
        states = new_block(octets).view(np.uint8)[:octets].view(dtype)
        return states.reshape(count, size)

    def begin_state(self, position: Any) -> NDArray[Any]:
        """Return the evaluation's state of a position, by the author's function `begin`."""
        state: NDArray[Any] = self.new_states(1)[0]
        self.hooks["begin"](position, state, *self.weight_arguments)
        return state

    def advance_state(self, state: NDArray[Any], position: Any, move: int, child: Any) -> Any:
        """Return the evaluation's state after a move, by the author's function `advance`."""
        after = self.new_states(1)[0]
        self.hooks["advance"](state, position, move, child, after, *self.weight_arguments)
        return after

    def evaluate(self, position: Any, state: NDArray[Any] | None) -> Any:
        """Return what the author's function `evaluate` returns; `state` is None without STATE."""
        states = () if state is None else (state,)
        return self.hooks["evaluate"](position, *states, *self.weight_arguments)

    def evaluate_from_scratch(self, position: Any) -> Any:
        """Return what the author's function `evaluate` returns, with a new state."""
        stateful = self.constant("STATE") is not None
        return self.evaluate(position, self.begin_state(position) if stateful else None)

    @property
    def weight_arguments(self) -> tuple[Any, ...]:
        """The last arguments of an evaluation's hooks, besides those of the contract."""
        return () if self.weights is None else (self.weights.words,)

    def blame(self, activity: str) -> "blame_file":
        """Turn an exception from the game's code into an error that names its line."""
        # Machine code has no line numbers.
        return blame_file(self, activity, "; 'plyforge check' finds the line")


class blame_file:  # noqa: N801 (used like a function)
    """A `with` block that turns an exception from a user's file into an error that names its line.

    `remedy` is added if the line is not known: in machine code, and if `caller`, the file that
    calls the user's function, fails to call it.  The line may also be in one of `others`.  Every
    call of a hook is in such a block, so it does nothing until there is an exception.
    """

    __slots__ = ("_activity", "_caller", "_file", "_others", "_remedy")

    def __init__(
        self,
        file: str | Rules,
        activity: str,
        remedy: str = "",
        caller: str = "",
        others: Sequence[str] = (),
    ) -> None:
        self._file, self._activity, self._remedy = file, activity, remedy
        self._caller, self._others = caller, others

    def __enter__(self) -> None:
        pass

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if error is None or not is_authors_error(error):
            return
        file = self._file if isinstance(self._file, str) else self._file.file
        place = error_place(error, file, self._caller, self._others)
        hint = "" if ", line " in place else self._remedy
        raise GameFileError(f"{place}: {self._activity}: {describe_error(error)}{hint}") from error


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
