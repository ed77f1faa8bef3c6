"""An evaluation from the first player's perspective."""

from collections.abc import Iterator
from typing import NamedTuple

MAX_MOVES = 3


class Position(NamedTuple):
    heap: int
    side: int
    lead: int


def initial() -> Position:
    return Position(60, 0, 0)


def moves(position: Position) -> Iterator[int]:
    for count in (1, 2, 3):
        if count <= position.heap:
            yield count


def play(position: Position, move: int) -> Position:
    return Position(
        position.heap - move, 1 - position.side, position.lead + move * (1 - 2 * position.side)
    )


def turn(position: Position) -> int:
    return position.side


def evaluate(position: Position) -> int:
    return position.lead
