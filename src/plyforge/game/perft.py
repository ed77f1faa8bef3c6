"""Perft: how many sequences of moves of a given length there are.

The count is the standard test of a game's rules: it is known for many games and positions.
"""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from plyforge.compilation.interruptible import run
from plyforge.compilation.kernel import Backend, BuiltKernel
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.core.rules import Rules
from plyforge.game.kernels.perft import PERFT

MAX_DEPTH = 200
_STOP, _OVERFLOW, _FINISHED = 0, 1, 2
_AT_ONCE = 2
"""Depths that end before anyone could interrupt them; a thread would cost more than they do."""
_SLACK = 4096
"""Words behind the buffer, for rules that write a little more than they declared."""


@dataclass(frozen=True)
class Count:
    """The number of move sequences, and what counting them took."""

    nodes: int
    seconds: float


def validate_depth(depth: int) -> int:
    """A depth that counting can take, or an error that says which it can."""
    if isinstance(depth, bool) or not isinstance(depth, int):
        raise PlyforgeError(f"depth {depth!r} is no whole number")
    if not 0 <= depth <= MAX_DEPTH:
        raise PlyforgeError(f"depth {depth} is out of range; it goes from 0 to {MAX_DEPTH}")
    return depth


class Counter:
    """Counts from positions of one game, in one backend."""

    def __init__(self, kernel: BuiltKernel, backend: Backend, rules: Rules) -> None:
        self._kernel = kernel
        self._backend = backend
        self._rules = rules
        self._most_moves = int(rules.constant("MAX_MOVES"))

    def count(self, position: Any, depth: int, finished: int | None = None) -> Count:
        """The sequences of `depth` moves from a position; Ctrl-C stops the count at once.

        `finished` is what a game that ends earlier adds: 0, or 1 to count it as one sequence; by
        default the game's own convention.
        """
        validate_depth(depth)
        started = time.perf_counter()
        if depth == 0:
            return Count(1, 0.0)
        control = np.zeros(8, np.int64)
        control[_FINISHED] = validate_finished(finished, self._rules)
        with self._rules.blame("the rules, while counting"):
            nodes = self._run(position, depth, control)
        if control[_OVERFLOW]:
            raise GameFileError(
                f"{self._rules.file}: a position has {control[_OVERFLOW]} moves, but MAX_MOVES is"
                f" {self._most_moves}; raise it"
            )
        return Count(nodes, time.perf_counter() - started)

    def _run(self, position: Any, depth: int, control: NDArray[np.int64]) -> int:
        if self._backend == "python":
            return int(self._kernel.call(position, depth, {}, control))
        buffer = np.empty(depth * self._most_moves + _SLACK, np.int64)

        def count() -> int:
            return int(self._kernel.call(position, depth, buffer.ctypes.data, control.ctypes.data))

        return count() if depth <= _AT_ONCE else run(count, control, _STOP)


def validate_finished(finished: int | None, rules: Rules) -> int:
    """0 or 1: what a finished game adds to a count."""
    chosen = rules.constant("FINISHED_LEAVES") if finished is None else finished
    if isinstance(chosen, bool) or not isinstance(chosen, int) or chosen not in (0, 1):
        raise PlyforgeError(f"finished games count {chosen}; it must be 0 or 1")
    return int(chosen)


__all__ = ["MAX_DEPTH", "PERFT", "Count", "Counter", "validate_depth"]
