"""A field that decides about the moves is declared a clock."""

from collections.abc import Iterator
from typing import NamedTuple

MAX_MOVES = 3
CLOCKS = ("last",)


class Position(NamedTuple):
    heap: int
    side: int
    last: int


def initial() -> Position:
    return Position(15, 0, 0)


def moves(position: Position) -> Iterator[int]:
    for count in (1, 2, 3):
        if count <= position.heap and count != position.last:
            yield count


def play(position: Position, move: int) -> Position:
    return Position(position.heap - move, 1 - position.side, move)


def turn(position: Position) -> int:
    return position.side
