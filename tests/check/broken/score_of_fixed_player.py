"""A final score from the first player's perspective, without an evaluation."""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import ONGOING

MAX_MOVES = 7
VALUES = (1, 5, 2, 7, 3, 4, 6)
FULL = (1 << 7) - 1


class Position(NamedTuple):
    taken: int
    lead: int  # points of the first player minus those of the second
    side: int


def initial() -> Position:
    return Position(0, 0, 0)


def moves(position: Position) -> Iterator[int]:
    for card in range(7):
        if not position.taken >> card & 1:
            yield card


def play(position: Position, move: int) -> Position:
    points = VALUES[move] if position.side == 0 else -VALUES[move]
    taken = position.taken | 1 << move
    if move == 6:  # the last card ends the game
        taken = FULL
    return Position(taken, position.lead + points, 1 - position.side)


def turn(position: Position) -> int:
    return position.side


def outcome(position: Position) -> int:
    return position.lead if position.taken == FULL else ONGOING
