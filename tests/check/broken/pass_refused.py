"""A pass that `play` does not accept."""

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
    if move == 0:
        raise ValueError("no such move")
    return Position(position.heap - move)


def pass_move(position: Position) -> int:
    return 0
