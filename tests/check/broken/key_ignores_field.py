"""A key that ignores a field on which the moves depend."""

from collections.abc import Iterator
from typing import NamedTuple

MAX_MOVES = 3


class Position(NamedTuple):
    heap: int
    last: int


def initial() -> Position:
    return Position(15, 0)


def moves(position: Position) -> Iterator[int]:
    for count in (1, 2, 3):
        if count <= position.heap and count != position.last:
            yield count


def play(position: Position, move: int) -> Position:
    return Position(position.heap - move, move)


def key(position: Position) -> int:
    return position.heap * 0x9E3779B97F4A7C1
