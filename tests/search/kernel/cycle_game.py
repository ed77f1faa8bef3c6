"""A game for tests of cycles: a small random graph that play goes round in, with exits.

Sides move once or twice in a row.  Some moves are irreversible: they lead to the next stage, from
which there is no way back.  Games end in wins, losses, draws and scores, some of which lie outside
the range of evaluations; some positions have no moves.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import DRAW, LOSS, ONGOING, WIN

MAX_MOVES = 4
CLOCKS = ("clock",)
REPETITION = "draw"
REPETITION_COUNT = 2
EVALUATION_RANGE = (-10.0, 10.0)
WORD = (1 << 31) - 1


class Position(NamedTuple):
    seed: int
    stage: int
    node: int
    side: int
    width: int
    """How many nodes a stage has."""
    clock: int
    """Plies without progress before the first position."""


def initial(seed: int = 1, width: int = 3, clock: int = 0) -> Position:
    return Position(seed, 0, 0, 0, width, clock)


def word(position: Position, purpose: int) -> int:
    """A random number of 31 bits."""
    number = position.seed * 7919 + position.stage * 104729 + position.node * 1299709
    number += position.side * 15485863 + purpose * 32452843
    for _ in range(3):
        number = (number & WORD) * 48271 + 11
        number ^= (number & WORD) >> 13
    return number & WORD


def moves(position: Position) -> Iterator[int]:
    if position.stage == 0 and position.node == 0:
        yield from range(3)
    else:
        yield from range(word(position, 1) % 16 % 4)


def irreversible(position: Position, move: int) -> bool:
    return word(position, 30 + move) % 7 == 0


def play(position: Position, move: int) -> Position:
    choice = word(position, 10 + move)
    side = position.side if choice % 5 == 0 else 1 - position.side
    stage = position.stage + (1 if irreversible(position, move) else 0)
    node = choice // 16 % position.width
    return Position(position.seed, stage, node, side, position.width, position.clock)


def outcome(position: Position) -> int:
    if position.stage == 0 and position.node == 0:
        return ONGOING
    kind = word(position, 2) % 40
    if kind == 0:
        return WIN
    if kind == 1:
        return LOSS
    return word(position, 3) % 41 - 20 if kind < 4 else ONGOING


def stuck(position: Position) -> int:
    return LOSS if word(position, 4) % 2 == 0 else DRAW


def evaluate(position: Position) -> int:
    return word(position, 5) % 21 - 10


def progress(position: Position) -> int:
    return position.clock


def turn(position: Position) -> int:
    return position.side
