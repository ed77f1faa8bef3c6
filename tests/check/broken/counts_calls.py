"""`play` depends on how often it was called."""

from collections.abc import Iterator
from typing import NamedTuple

MAX_MOVES = 3
CALLS: list[int] = []


class Position(NamedTuple):
    heap: int
    side: int


def initial() -> Position:
    return Position(15, 0)


def moves(position: Position) -> Iterator[int]:
    for count in (1, 2, 3):
        if count <= position.heap:
            yield count


def play(position: Position, move: int) -> Position:
    CALLS.append(move)
    return Position(position.heap - move, 1 - position.side if len(CALLS) % 7 else position.side)


def turn(position: Position) -> int:
    return position.side
