"""The text leaves out a field that matters."""

from collections.abc import Iterator
from typing import NamedTuple

MAX_MOVES = 3


class Position(NamedTuple):
    heap: int
    bonus: int


def initial() -> Position:
    return Position(15, 0)


def moves(position: Position) -> Iterator[int]:
    for count in range(1, 3 + position.bonus):
        if count <= position.heap:
            yield count


def play(position: Position, move: int) -> Position:
    return Position(position.heap - move, (position.bonus + move) % 2)


def to_text(position: Position) -> str:
    return f"heap {position.heap}"


def from_text(text: str) -> Position:
    return Position(int(text.split()[1]), 0)
