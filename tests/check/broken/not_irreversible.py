"""Calls a move irreversible that can be undone."""

from collections.abc import Iterator
from typing import NamedTuple

MAX_MOVES = 3
NO_PROGRESS_LIMIT = 40


class Position(NamedTuple):
    heap: int


def initial() -> Position:
    return Position(15)


def moves(position: Position) -> Iterator[int]:
    yield 1
    yield -1


def play(position: Position, move: int) -> Position:
    return Position((position.heap + move) % 12)


def irreversible(position: Position, move: int) -> bool:
    return move == 1
