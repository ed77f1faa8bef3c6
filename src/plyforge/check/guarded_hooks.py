"""Call the author's functions uncompiled, and record those that fail.

A call fails if it raises, does not end, or changes the position that it was given.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from plyforge.check.guard import Guard, Hang
from plyforge.check.report import Place, Recorder
from plyforge.check.watched_arrays import watch_arrays
from plyforge.core import hashing
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.game.game import Game

_MAX_WATCHED = 300


class CallFailed(Exception):
    """A call gave no usable result; the reason has been recorded."""


class GuardedHooks:
    """The hooks of one game as the author wrote them."""

    def __init__(self, game: Game, guard: Guard, recorder: Recorder) -> None:
        self.game = game
        self._guard = guard
        self._recorder = recorder
        self._hung: set[str] = set()
        self._watched: Counter[str] = Counter()
        """Calls with watched arrays, by hook."""
        kind = game.position_type
        self._arrays = any(field.kind == "array" for field in kind.fields)
        self._mutable = self._arrays or not kind.compilable

    def has_hung(self, hook: str) -> bool:
        """Whether a call of the hook did not end; the hook is then not called again."""
        return hook in self._hung

    def defines(self, hook: str) -> bool:
        """Whether the game defines the hook."""
        return hook in self.game.rules.hooks

    def call(self, hook: str, position: Any, *rest: Any) -> Any:
        """Return what a hook of the game returns, unconverted."""
        return self.run(hook, self.game.rules.hooks[hook], position, *rest)

    def run(
        self,
        hook: str,
        function: Callable[..., Any],
        position: Any,
        *rest: Any,
        expected: tuple[type[Exception], ...] = (),
    ) -> Any:
        """Call a function that stands for a hook; `expected` errors pass through."""
        if hook in self._hung:
            raise CallFailed
        argument = self._watch(hook, self.copy(position))
        before = self._state(argument)
        try:
            with np.errstate(over="ignore"):
                result = self._guard.call("python", hook, function, argument, *rest)
        except expected:
            raise
        except Hang as hang:
            self._hung.add(hook)
            self._recorder.problem(
                hook, "hang", hang_message(hook, hang.place, hang.seconds), hang.place
            )
            raise CallFailed from None
        except BaseException as raised:
            # Also an interrupt: the child ignores SIGINT, so the rules raised it.
            error = raised.__cause__ if isinstance(raised, GameFileError) else raised
            if error is None:  # a broken contract, which has its own check
                raise CallFailed from None
            place = self._guard.place_of_error(error)
            self._recorder.problem(hook, "raises", raise_message(hook, error, place), place)
            raise CallFailed from None
        if before != self._state(argument):
            self._report_change(hook, position, argument)
        return result

    def copy(self, position: Any) -> Any:
        """Copy the arrays of a position, so that one mistake does not cause others."""
        if not self._arrays:
            return position
        return type(position)(*(v.copy() if isinstance(v, np.ndarray) else v for v in position))

    def _watch(self, hook: str, position: Any) -> Any:
        """Let the arrays of a position report negative indices, in the first calls of a hook."""
        if not self._arrays or self._watched[hook] >= _MAX_WATCHED:
            return position
        self._watched[hook] += 1

        def report(index: int, length: int, place: Place) -> None:
            self._recorder.remark(
                "rules",
                f"negative index at {place}",
                f"'{hook}' uses the index {index} of an array of length {length} at line"
                f" {place.line}, which means {index + length}; is it off the board?",
                place,
            )

        return watch_arrays(position, report)

    def _state(self, position: Any) -> Any:
        if not self._mutable:
            return None
        if self._arrays:
            return tuple(v.tobytes() for v in position if isinstance(v, np.ndarray))
        try:
            return hashing.object_key(position)
        except PlyforgeError:
            return None

    def _report_change(self, hook: str, before: Any, after: Any) -> None:
        kind = self.game.position_type
        names = kind.differing_fields(before, after) if kind.compilable else []
        what = f"the array '{names[0]}' of its argument" if names else "its argument"
        remedy = f"; copy it first: {names[0]} = position.{names[0]}.copy()" if names else ""
        self._recorder.problem(
            hook, "changes", f"'{hook}' changes {what}, the position it was given{remedy}"
        )
        if not names:
            raise CallFailed


def hang_message(hook: str, place: Place | None, seconds: float) -> str:
    """Describe Python code that does not end."""
    where = f": it is still at line {place.line}" if place else ""
    return f"'{hook}' does not return within {seconds:g} s{where}; does a loop in it never end?"


def raise_message(hook: str, error: BaseException, place: Place | None) -> str:
    """Describe an exception from the author's code."""
    where = f" at line {place.line}" if place else ""
    text = f": {error}" if str(error) else ""
    return f"'{hook}' raises {type(error).__name__}{where}{text}"
