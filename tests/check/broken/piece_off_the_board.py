"""A piece on a cell that is not on the board."""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import Geometry, squares

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


def geometry(position: Position) -> Geometry:
    return squares(15, 1)


def pieces(position: Position) -> dict[str, str]:
    return {f"{chr(ord('a') + position.heap)}1": "x"}
