"""An outcome from the perspective of the player who moved last."""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import ONGOING, WIN

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


def outcome(position: Position) -> int:
    return WIN if position.heap == 0 else ONGOING
