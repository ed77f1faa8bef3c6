"""Looks for a line of the side to move, which has not moved; so a win is seen a move late."""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import DRAW, ONGOING, WIN

MAX_MOVES = 9
LINES = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)


class Position(NamedTuple):
    mine: int
    theirs: int


def initial() -> Position:
    return Position(0, 0)


def moves(position: Position) -> Iterator[int]:
    for cell in range(9):
        if not (position.mine | position.theirs) >> cell & 1:
            yield cell


def play(position: Position, move: int) -> Position:
    return Position(position.theirs, position.mine | 1 << move)


def outcome(position: Position) -> int:
    for line in LINES:
        if position.mine & line == line:
            return WIN
    return ONGOING


def stuck(position: Position) -> int:
    return DRAW
