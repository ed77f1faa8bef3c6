"""A line of `OPENINGS` that cannot be played."""

from collections.abc import Iterator
from typing import NamedTuple

MAX_MOVES = 3
OPENINGS = {"1 2": "Slow", "3 4": "Quick"}


class Position(NamedTuple):
    heap: int
    side: int
    may_pass: bool


def initial() -> Position:
    return Position(15, 0, True)


def moves(position: Position) -> Iterator[int]:
    for count in (1, 2, 3):
        if count <= position.heap:
            yield count


def play(position: Position, move: int) -> Position:
    return Position(position.heap - move, 1 - position.side, position.may_pass)


def turn(position: Position) -> int:
    return position.side
