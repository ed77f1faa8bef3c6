"""Perft: how many sequences of moves of a given length there are.

The count is the standard test of a game's rules: it is known for many games and positions.
"""

import time
from dataclasses import dataclass
from typing import Any

import numpy as np

from plyforge.core.compilation.interruptible import run
from plyforge.core.compilation.kernel import Built, Gear
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.core.kernels.perft import PERFT

MOST_DEPTH = 200
_STOP, _OVERFLOW = 0, 1
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
    if not 0 <= depth <= MOST_DEPTH:
        raise PlyforgeError(f"depth {depth} is out of range; it goes from 0 to {MOST_DEPTH}")
    return depth


class Counter:
    """Counts from positions of one game, in one gear."""

    def __init__(self, kernel: Built, gear: Gear, most_moves: int, file: str) -> None:
        self._kernel = kernel
        self._gear = gear
        self._most_moves = most_moves
        self._file = file

    def count(self, position: Any, depth: int) -> Count:
        """The sequences of `depth` moves from a position; Ctrl-C stops the count at once."""
        validate_depth(depth)
        started = time.perf_counter()
        if depth == 0:
            return Count(1, 0.0)
        control = np.zeros(8, np.int64)
        if self._gear == "python":
            nodes = self._kernel.call(position, depth, {}, control)
        else:
            buffer = np.empty(depth * self._most_moves + _SLACK, np.int64)
            nodes = run(
                lambda: self._kernel.call(position, depth, buffer.ctypes.data, control.ctypes.data),
                control,
                _STOP,
            )
        if control[_OVERFLOW]:
            raise GameFileError(
                f"{self._file}: a position has {control[_OVERFLOW]} moves, but MAX_MOVES is"
                f" {self._most_moves}; raise it"
            )
        return Count(int(nodes), time.perf_counter() - started)


__all__ = ["MOST_DEPTH", "PERFT", "Count", "Counter", "validate_depth"]
