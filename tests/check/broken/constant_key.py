"""A key that is the same for all positions, so that each counts as a repetition."""

from collections.abc import Iterator
from typing import NamedTuple

MAX_MOVES = 3
REPETITION = "illegal"


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


def irreversible(position: Position, move: int) -> bool:
    return True


def key(position: Position) -> int:
    return 0
