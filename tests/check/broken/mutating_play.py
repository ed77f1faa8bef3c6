"""`play` writes to the array of the position that it was given."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

MAX_MOVES = 3


class Position(NamedTuple):
    heap: int
    taken: NDArray[np.int64]


def initial() -> Position:
    return Position(15, np.zeros(2, np.int64))


def moves(position: Position) -> Iterator[int]:
    for count in (1, 2, 3):
        if count <= position.heap:
            yield count


def play(position: Position, move: int) -> Position:
    taken = position.taken
    taken[position.heap % 2] += move
    return Position(position.heap - move, taken)
