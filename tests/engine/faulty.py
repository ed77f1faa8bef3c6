"""A game with faults: a heap of counters, with a fault where five of them are left.

The variant selects the fault: 0 none, 1 an evaluation that is NaN, 2 and 3 one out of its range,
4 an infinite one, 5 more moves than MAX_MOVES, 6 a result that is NaN, 7 one that is infinite,
8 moves that do not fit into 64 bits.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import ONGOING

MAX_MOVES = 3
EVALUATION_RANGE = (-100.0, 100.0)


class Position(NamedTuple):
    left: int
    fault: int


def initial(fault: int = 0) -> Position:
    return Position(9, fault)


def moves(position: Position) -> Iterator[int]:
    limit = 5 if position.fault == 5 and position.left == 5 else 2
    for take in range(1, limit + 1):
        if take <= position.left:
            yield take + 2 * (position.fault << 59 if position.fault == 8 else 0)


def play(position: Position, move: int) -> Position:
    return Position(position.left - (move & 7), position.fault)


def outcome(position: Position) -> float:
    infinite = 1e308 * (position.left + 5)
    if position.left != 5 or position.fault not in (6, 7):
        return float(ONGOING)
    return infinite - infinite if position.fault == 6 else -infinite


def evaluate(position: Position) -> float:
    if position.left != 5:
        return 0.0
    infinite = 1e308 * (position.left + 5)
    if position.fault == 1:
        return infinite - infinite
    if position.fault == 2:
        return 100.5
    if position.fault == 3:
        return -1e9
    return infinite if position.fault == 4 else 0.0
