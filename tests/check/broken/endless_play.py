"""A loop in `play` that never ends once the heap is small."""

from collections.abc import Iterator
from typing import NamedTuple

MAX_MOVES = 3


class Position(NamedTuple):
    heap: int


def initial() -> Position:
    return Position(15)


def moves(position: Position) -> Iterator[int]:
    for count in (1, 2, 3):
        if count <= position.heap:
            yield count


def play(position: Position, move: int) -> Position:
    heap = position.heap
    while heap != position.heap - move:
        heap -= 2 if move == 2 else 1
        if heap < 4:
            heap += 1
    return Position(heap)
