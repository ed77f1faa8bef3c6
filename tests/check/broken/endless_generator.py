"""A generator that never ends."""

from collections.abc import Iterator
from typing import NamedTuple

MAX_MOVES = 3


class Position(NamedTuple):
    heap: int


def initial() -> Position:
    return Position(15)


def moves(position: Position) -> Iterator[int]:
    count = 1
    while position.heap > 0:
        yield count
        count = count % 3 + 1


def play(position: Position, move: int) -> Position:
    return Position(position.heap - move)
