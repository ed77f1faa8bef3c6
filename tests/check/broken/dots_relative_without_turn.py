"""Dots and Boxes from the perspective of the side to move, without a field for it and `turn`."""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import ONGOING

MAX_MOVES = 10
BOXES = ((0, 3, 6, 7), (1, 4, 7, 8), (2, 5, 8, 9))  # top, bottom, left, right
FULL = (1 << 10) - 1


class Position(NamedTuple):
    edges: int
    own: int  # boxes of the side to move
    other: int


def initial() -> Position:
    return Position(0, 0, 0)


def moves(position: Position) -> Iterator[int]:
    for edge in range(10):
        if not position.edges >> edge & 1:
            yield edge


def play(position: Position, move: int) -> Position:
    edges = position.edges | 1 << move
    count = 0
    for a, b, c, d in BOXES:
        if move in (a, b, c, d) and edges >> a & edges >> b & edges >> c & edges >> d & 1:
            count += 1
    if count:
        return Position(edges, position.own + count, position.other)
    return Position(edges, position.other, position.own)


def outcome(position: Position) -> int:
    return position.own - position.other if position.edges == FULL else ONGOING
