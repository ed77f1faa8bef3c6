"""A game for tests of searches: a random graph with everything that makes searches go wrong.

Sides move once or several times in a row; positions recur at equal and at different depths; games
end early, in wins, losses, draws and scores; some positions have no moves.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import DRAW, LOSS, ONGOING, WIN

WORD = (1 << 31) - 1
EVALUATION_RANGE = (-1000.0, 1000.0)


class Position(NamedTuple):
    seed: int
    level: int
    node: int
    side: int
    spread: int
    """The number of different scores."""


def initial(seed: int = 1, spread: int = 21) -> Position:
    return Position(seed, 0, 0, 0, spread)


def word(position: Position, purpose: int) -> int:
    """A random number of 31 bits."""
    number = position.seed * 7919 + position.level * 104729 + position.node * 1299709
    number += position.side * 15485863 + purpose * 32452843
    for _ in range(3):
        number = (number & WORD) * 48271 + 11
        number ^= (number & WORD) >> 13
    return number & WORD


def moves(position: Position) -> Iterator[int]:
    yield from range(word(position, 1) % 16 % 4)


def play(position: Position, move: int) -> Position:
    choice = word(position, 10 + move)
    side = position.side if choice % 3 == 0 else 1 - position.side
    level = position.level + (2 if choice % 5 == 0 else 1)
    return Position(position.seed, level, choice // 16 % 4, side, position.spread)


def score(position: Position, purpose: int) -> int:
    return word(position, purpose) % position.spread - position.spread // 2


def outcome(position: Position) -> int:
    kind = word(position, 2) % 40
    if position.level == 0 or kind > 4:
        return ONGOING
    if kind < 2:
        return WIN
    return LOSS if kind < 4 else score(position, 3)


def stuck(position: Position) -> int:
    kind = word(position, 4) % 3
    if kind == 0:
        return LOSS
    return DRAW if kind == 1 else score(position, 3)


def evaluate(position: Position) -> int:
    return score(position, 5)


def turn(position: Position) -> int:
    return position.side
