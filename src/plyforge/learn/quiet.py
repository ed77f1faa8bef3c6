"""Which positions of a game are quiet: their static value is to be learned.

A position is not quiet if the side to move must answer a threat (the hook `in_check`; in checkers,
if it must capture), or if the move that was made is tactical (`move_kind` is not 0).  The search
resolves such positions before it evaluates, so they say little about the evaluation.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from plyforge.compilation.hooks_api import in_check, move_kind, play
from plyforge.compilation.kernel import Kernel, build
from plyforge.core.memory import int64s
from plyforge.game.game import Game

_SIGNATURE: Final = "int64(position, address, int64, address)"


def mark_quiet(position: Any, line: Any, moves: int, marks: Any) -> int:
    """Write 1 for each position before a move that is quiet, 0 for the others."""
    moves_, marks_ = int64s(line, 0), int64s(marks, 0)
    for number in range(moves):
        move = moves_[number]
        quiet = not in_check(position) and move_kind(position, move) == 0
        marks_[number] = 1 if quiet else 0
        position = play(position, move)
    return moves


class QuietReader:
    """Finds the quiet positions of games."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._kernel = None
        if game.backend == "compiled":
            kernel = Kernel("mark_quiet", mark_quiet, _SIGNATURE)
            self._kernel = build(kernel, game.rules, game.position_type, notices=game.notices)

    def read(self, start: Any, moves: Sequence[int]) -> NDArray[np.bool_]:
        """Return whether the position before each move is quiet."""
        if self._kernel is None:
            return self._read_slowly(start, moves)
        line, marks = np.array(moves, np.int64), np.zeros(len(moves), np.int64)
        with self._game.rules.blame("reading a game for learning"):
            self._kernel.call(start, line.ctypes.data, len(moves), marks.ctypes.data)
        return marks.astype(np.bool_)

    def _read_slowly(self, start: Any, moves: Sequence[int]) -> NDArray[np.bool_]:
        game, position, marks = self._game, start, []
        hooks = game.rules.hooks
        threatened: Callable[..., Any] = hooks.get("in_check", lambda position: False)
        kind: Callable[..., Any] = hooks.get("move_kind", lambda position, move: 0)
        for move in moves:
            marks.append(not threatened(position) and kind(position, move) == 0)
            position = game.play(position, move)
        return np.array(marks, np.bool_)
