"""Does not update a part of the carried key in one kind of move."""

from collections.abc import Iterator
from typing import NamedTuple

MAX_MOVES = 3


class Position(NamedTuple):
    heap: int
    carried: int


def initial() -> Position:
    return Position(15, 15 * 0x9E3779B97F4A7)


def moves(position: Position) -> Iterator[int]:
    for count in (1, 2, 3):
        if count <= position.heap:
            yield count


def play(position: Position, move: int) -> Position:
    change = 0 if move == 3 else move
    return Position(position.heap - move, position.carried - change * 0x9E3779B97F4A7)


def key(position: Position) -> int:
    return position.carried


def scratch_key(position: Position) -> int:
    return position.heap * 0x9E3779B97F4A7
