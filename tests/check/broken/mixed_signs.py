"""Mixes u64 and int."""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import u64

MAX_MOVES = 3


class Position(NamedTuple):
    heap: int
    board: u64


def initial() -> Position:
    return Position(15, u64(1) << u64(63))


def moves(position: Position) -> Iterator[int]:
    for count in (1, 2, 3):
        if count <= position.heap:
            yield count


def play(position: Position, move: int) -> Position:
    shifted = (position.board - 1) >> move
    return Position(position.heap - move, u64(shifted))
