"""Check that `play` keeps the types of a position's fields."""

import numbers
from typing import Any

import numpy as np

from plyforge.check.guarded_hooks import CallFailed, GuardedHooks
from plyforge.check.report import Place, Recorder
from plyforge.core.errors import PositionError
from plyforge.core.positions import Field


class Plays:
    """Calls `play` uncompiled and checks its result."""

    def __init__(self, hooks: GuardedHooks, recorder: Recorder) -> None:
        self._hooks = hooks
        self._recorder = recorder
        self._kind = hooks.game.position_type
        code = hooks.game.rules.hooks["play"].__code__
        self._place = Place(code.co_filename, code.co_firstlineno)

    def play(self, position: Any, move: int) -> Any:
        """Return the position after a move, each field in its declared type."""
        raw = self._hooks.call("play", position, move)
        if not self._kind.compilable:
            return raw
        if not isinstance(raw, tuple) or len(raw) != len(self._kind.fields):
            expected = self._kind.python_class.__name__
            self._problem("class", f"'play' returned {raw!r}, which is not a {expected}")
            raise CallFailed
        for field, value in zip(self._kind.fields, raw, strict=True):
            complaint = _complaint(field, value)
            if complaint:
                self._problem(
                    f"type of {field.name}", f"'play' makes field '{field.name}' {complaint}"
                )
        try:
            return self._kind.cast(raw)
        except PositionError:
            raise CallFailed from None

    def _problem(self, kind: str, message: str) -> None:
        self._recorder.problem("play", kind, message, self._place)


def _complaint(field: Field, value: Any) -> str:
    """Describe a value that its field cannot hold; return nothing if it can."""
    if field.kind == "array":
        array = np.asarray(value)
        if array.dtype.kind == "f" and not field.dtype.startswith("float"):
            return f"an array of floats; it is declared {field.dtype} (use // for /)"
        if array.ndim != field.ndim:
            return f"an array of {array.ndim} dimensions; it began with {field.ndim}"
        return ""
    if field.kind == "float64":
        return "" if isinstance(value, numbers.Real) else f"{value!r}; it is declared float"
    if isinstance(value, (float, np.floating)):
        return f"{value!r}, a float; it is declared an integer (use // for /)"
    if not isinstance(value, (numbers.Integral, np.bool_)):
        return f"{value!r}; it is declared {field.kind}"
    kind, minimum, maximum = _range(field.kind)
    if not minimum <= int(value) <= maximum:
        return f"{value}, which does not fit {kind}; a 64-bit board is declared u64"
    return ""


def _range(kind: str) -> tuple[str, int, int]:
    if kind == "uint64":
        return "an unsigned 64-bit integer", 0, 2**64 - 1
    return "a signed 64-bit integer", -(2**63), 2**63 - 1
