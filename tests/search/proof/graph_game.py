"""A game for tests of proof search: a small random graph in which play goes round.

Each side has its own copy of the nodes.  There are two stages: a move to the second cannot be taken
back.  Some nodes are ends of the game, and some have no moves.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import DRAW, LOSS, ONGOING, WIN

MAX_MOVES = 4
REPETITION = "draw"
REPETITION_COUNT = 2
WORD = (1 << 31) - 1


class Position(NamedTuple):
    seed: int
    stage: int
    node: int
    side: int
    size: int
    """How many nodes a stage has."""
    scores: int
    """1 if ends have scores."""


def initial(seed: int = 1, size: int = 4, scores: int = 0) -> Position:
    return Position(seed, 0, 0, 0, size, scores)


def word(position: Position, purpose: int) -> int:
    """A random number of 31 bits."""
    number = position.seed * 7919 + position.stage * 104729 + position.node * 1299709
    number += position.side * 15485863 + purpose * 32452843
    for _ in range(3):
        number = (number & WORD) * 48271 + 11
        number ^= (number & WORD) >> 13
    return number & WORD


def moves(position: Position) -> Iterator[int]:
    yield from range((5 * word(position, 1) // WORD + 3) // 2)


def irreversible(position: Position, move: int) -> bool:
    return position.stage == 0 and word(position, 30 + move) % 9 == 0


def play(position: Position, move: int) -> Position:
    choice = word(position, 10 + move)
    side = position.side if choice % 8 == 0 else 1 - position.side
    stage = position.stage + (1 if irreversible(position, move) else 0)
    node = choice // 16 % position.size
    return Position(position.seed, stage, node, side, position.size, position.scores)


def outcome(position: Position) -> int:
    if position.stage == 0 and position.node == 0:
        return ONGOING
    kind = word(position, 2) % 24
    if kind > 4:
        return ONGOING
    if position.scores:
        return word(position, 3) % 9 - 4
    if kind < 2:
        return WIN
    return LOSS if kind < 4 else DRAW


def stuck(position: Position) -> int:
    return LOSS if word(position, 4) % 3 == 0 else DRAW if word(position, 4) % 3 == 1 else WIN


def turn(position: Position) -> int:
    return position.side


def in_check(position: Position) -> bool:
    """A threat that means nothing: the tests of mate searches need most moves to make one."""
    return word(position, 5) % 5 > 0
