"""A game for tests of searches with chance: a random graph with everything that can go wrong.

Chance moves before or after either side, at times twice in a row, with 1 to 36 outcomes of unequal
probabilities; sides move once or several times in a row; positions recur at equal and at different
depths; games end early, in wins, losses, draws and scores; some positions have no moves.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import DRAW, LOSS, ONGOING, WIN

WORD = (1 << 31) - 1
MAX_MOVES = 40
EVALUATION_RANGE = (-8.0, 8.0)


class Position(NamedTuple):
    seed: int
    level: int
    node: int
    side: int
    chance: int
    width: int
    """The maximum number of outcomes."""
    steps: int
    """The number of different scores is twice as many plus one."""


def initial(seed: int = 1, width: int = 36, steps: int = 1000) -> Position:
    return Position(seed, 0, 0, 0, 0, width, steps)


def word(position: Position, purpose: int) -> int:
    """A random number of 31 bits."""
    number = position.seed * 7919 + position.level * 104729 + position.node * 1299709
    number += position.side * 15485863 + position.chance * 86028121 + purpose * 32452843
    for _ in range(3):
        number = (number & WORD) * 48271 + 11
        number ^= (number & WORD) >> 13
    return number & WORD


def turn(position: Position) -> int:
    return position.side


def chance(position: Position) -> bool:
    return position.chance == 1


def count_outcomes(position: Position) -> int:
    """Few outcomes as often as many."""
    widest = position.width if word(position, 4) % 2 == 0 else min(position.width, 3)
    return 2 + word(position, 5) % (widest - 1) if word(position, 6) % 9 else 1


def weight(position: Position, outcome: int) -> int:
    return 1 + word(position, 100 + outcome) % 7


def chance_outcomes(position: Position) -> Iterator[tuple[int, float]]:
    count = count_outcomes(position)
    total = 0
    for outcome in range(count):
        total += weight(position, outcome)
    for outcome in range(count):
        yield outcome, weight(position, outcome) / total


def moves(position: Position) -> Iterator[int]:
    yield from range(word(position, 1) % 16 % 5)


def play(position: Position, move: int) -> Position:
    choice = word(position, 10 + move)
    side = position.side if choice % 3 == 0 else 1 - position.side
    level = position.level + (2 if choice % 5 == 0 else 1)
    # Chance moves after most moves, and seldom after chance.
    share = 8 if position.chance == 1 else 2
    drawn = 1 if choice // 1024 % share == 0 else 0
    node = choice // 16 % 5
    return Position(position.seed, level, node, side, drawn, position.width, position.steps)


def score(position: Position, purpose: int) -> float:
    count = 2 * position.steps + 1
    return 8.0 * (word(position, purpose) % count - position.steps) / position.steps


def outcome(position: Position) -> float:
    kind = word(position, 2) % 40
    if position.level == 0 or kind > 4:
        return ONGOING
    if kind < 2:
        return WIN
    return LOSS if kind < 4 else score(position, 3)


def stuck(position: Position) -> int:
    kind = word(position, 7) % 3
    return WIN if kind == 0 else LOSS if kind == 1 else DRAW


def evaluate(position: Position) -> float:
    return score(position, 8)
