"""`arrange` ignores the side to move."""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import Geometry, squares

MAX_MOVES = 3


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
    return Position(position.heap - move, 1 - position.side)


def turn(position: Position) -> int:
    return position.side


def geometry(position: Position) -> Geometry:
    return squares(15, 1)


def pieces(position: Position) -> dict[str, str]:
    return {f"{chr(ord('a') + cell)}1": "x" for cell in range(position.heap)}


def arrange(position: Position, pieces: dict[str, str], side: int) -> Position:
    return Position(len(pieces), 0)
