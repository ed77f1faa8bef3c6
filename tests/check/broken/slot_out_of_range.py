"""A slot beyond MOVE_SLOTS."""

from collections.abc import Iterator
from typing import NamedTuple

MAX_MOVES = 3
MOVE_SLOTS = 3


class Position(NamedTuple):
    heap: int


def initial() -> Position:
    return Position(15)


def moves(position: Position) -> Iterator[int]:
    for count in (1, 2, 3):
        if count <= position.heap:
            yield count


def play(position: Position, move: int) -> Position:
    return Position(position.heap - move)


def move_slot(position: Position, move: int) -> int:
    return move
