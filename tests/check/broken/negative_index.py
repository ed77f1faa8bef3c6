"""Looks at the cell on the left, even of the first cell: index -1 is the last one."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MAX_MOVES = 8


class Position(NamedTuple):
    board: NDArray[np.int8]


def initial() -> Position:
    return Position(np.zeros(8, np.int8))


def moves(position: Position) -> Iterator[int]:
    for cell in range(8):
        if not position.board[cell] and not position.board[cell - 1]:
            yield cell


def play(position: Position, move: int) -> Position:
    board = position.board.copy()
    board[move] = 1
    return Position(board)
