"""Declares that the sides alternate, but a player who takes three moves again."""

from collections.abc import Iterator
from typing import NamedTuple

MAX_MOVES = 3
ALTERNATING = True


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
    return Position(position.heap - move, position.side if move == 3 else 1 - position.side)


def turn(position: Position) -> int:
    return position.side
