"""A number that leads to another position."""

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


def slices(position: Position, text: str) -> dict[str, tuple[int, int]]:
    return {"all": (0, 16)}


def index(position: Position) -> int:
    return position.heap


def unindex(position: Position, number: int) -> Position:
    return Position(min(number, 10))
