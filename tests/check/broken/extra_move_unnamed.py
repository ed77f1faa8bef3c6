"""Taking one counter gives another move, but there is no `turn`; the side is called `flag`."""

from collections.abc import Iterator
from typing import NamedTuple

MAX_MOVES = 3


class Position(NamedTuple):
    heap: int
    flag: bool


def initial() -> Position:
    return Position(15, False)


def moves(position: Position) -> Iterator[int]:
    for count in (1, 2, 3):
        if count <= position.heap:
            yield count


def play(position: Position, move: int) -> Position:
    return Position(position.heap - move, position.flag if move == 1 else not position.flag)
