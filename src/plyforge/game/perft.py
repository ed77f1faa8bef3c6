"""Perft: the number of move sequences of a given length.

The count is the standard test of a game's rules: it is known for many games and positions.
"""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyforge.compilation.interruptible import run, stopper
from plyforge.compilation.kernel import Backend, BuiltKernel
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.core.rules import Rules
from plyforge.game.kernels.perft import PERFT

MAX_DEPTH = 200
_STOP, _OVERFLOW, _FINISHED, _PROBABILITIES = 0, 1, 2, 3
_INLINE_DEPTH = 2
"""The depth up to which a count is too short to need a thread, which Ctrl-C could interrupt."""
_SLACK = 4096
"""Spare words behind the buffer, for rules that write more moves than they declare."""


@dataclass(frozen=True)
class Count:
    """The number of move sequences, and the seconds it took to count them."""

    nodes: int
    seconds: float


def validate_depth(depth: int) -> int:
    """Return the depth; raise `PlyforgeError` if it is not an integer in range."""
    if isinstance(depth, bool) or not isinstance(depth, int):
        raise PlyforgeError(f"depth must be an integer, not {depth!r}")
    if not 0 <= depth <= MAX_DEPTH:
        raise PlyforgeError(f"depth must be between 0 and {MAX_DEPTH}, not {depth}")
    return depth


class Counter:
    """A perft counter for one game in one backend."""

    def __init__(self, kernel: BuiltKernel, backend: Backend, rules: Rules) -> None:
        self._kernel = kernel
        self._backend = backend
        self._rules = rules
        self._max_moves = int(rules.constant("MAX_MOVES"))

    def count(self, position: Any, depth: int, finished: int | None = None) -> Count:
        """Count the sequences of `depth` moves from a position; see `Game.perft`."""
        validate_depth(depth)
        started = time.perf_counter()
        if depth == 0:
            return Count(1, 0.0)
        # Uncompiled, a control word can be a buffer itself.
        compiled = self._backend == "compiled"
        control: Any = np.zeros(8, np.int64) if compiled else [0] * 8
        control[_FINISHED] = validate_finished(finished, self._rules)
        with self._rules.blame("the rules, while counting"):
            nodes = self._run(position, depth, control)
        if control[_OVERFLOW]:
            raise GameFileError(
                f"{self._rules.file}: a position has {control[_OVERFLOW]} moves, but MAX_MOVES is"
                f" {self._max_moves}; raise it"
            )
        return Count(nodes, time.perf_counter() - started)

    def _run(self, position: Any, depth: int, control: Any) -> int:
        probabilities: NDArray[np.float64] = np.empty(self._max_moves + _SLACK)
        if self._backend == "python":
            control[_PROBABILITIES] = probabilities
            return int(self._kernel.call(position, depth, {}, control))
        control[_PROBABILITIES] = probabilities.ctypes.data
        buffer = np.empty(depth * self._max_moves + _SLACK, np.int64)

        def count() -> int:
            return int(self._kernel.call(position, depth, buffer.ctypes.data, control.ctypes.data))

        return count() if depth <= _INLINE_DEPTH else run(count, stopper(control, _STOP))


def validate_finished(finished: int | None, rules: Rules) -> int:
    """Return what a finished game adds to a count, 0 or 1; None stands for the game's default."""
    value = rules.constant("FINISHED_LEAVES") if finished is None else finished
    if isinstance(value, bool) or not isinstance(value, int) or value not in (0, 1):
        raise PlyforgeError(f"finished must be 0 or 1, not {value!r}")
    return int(value)


__all__ = ["MAX_DEPTH", "PERFT", "Count", "Counter", "validate_depth"]
