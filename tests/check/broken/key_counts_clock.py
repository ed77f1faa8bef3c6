"""A key that depends on a field declared as a clock."""

from collections.abc import Iterator
from typing import NamedTuple

MAX_MOVES = 3
CLOCKS = ("plies",)


class Position(NamedTuple):
    heap: int
    plies: int


def initial() -> Position:
    return Position(15, 0)


def moves(position: Position) -> Iterator[int]:
    for count in (1, 2, 3):
        if count <= position.heap:
            yield count


def play(position: Position, move: int) -> Position:
    return Position(position.heap - move, position.plies + 1)


def key(position: Position) -> int:
    return position.heap * 0x9E3779B97F4A7C1 + position.plies
