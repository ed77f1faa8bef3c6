"""A loop that ends only if integers are unbounded."""

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
    return Position(position.heap - move)


def evaluate(position: Position) -> int:
    power = 1
    bits = 0
    while power <= 9223372036854775807:
        power *= 2
        bits += position.heap & 1
    return bits
