"""An extra move without `turn`, with positions that are objects."""

from collections.abc import Iterator
from dataclasses import dataclass

MAX_MOVES = 3


@dataclass(frozen=True)
class Position:
    heap: int
    player: str


def initial() -> Position:
    return Position(15, "red")


def moves(position: Position) -> Iterator[int]:
    for count in (1, 2, 3):
        if count <= position.heap:
            yield count


def play(position: Position, move: int) -> Position:
    other = "blue" if position.player == "red" else "red"
    return Position(position.heap - move, position.player if move == 3 else other)
