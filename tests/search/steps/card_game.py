"""Cards are taken in turns, with all hooks about the end of a game; see `test_endings`.

A card is worth its value, and twice as much if the card before it lies open no more.  A side that
takes the joker moves again.  The game ends when no card is left.
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

from plyforge.rules import ONGOING, popcount

MAX_MOVES = 10
VALUES = (3, -4, 5, 1, -2, 6, 2, -5, 4, 0)
JOKER = 4
EVALUATION_RANGE = (-100, 100)
EVALUATION_MEANING = "score"


class Position(NamedTuple):
    taken: int
    lead: int
    side: int


def initial(cards: int = 10) -> Position:
    return Position((1 << 10) - (1 << cards), 0, 0)


def moves(position: Position) -> Iterator[int]:
    for card in range(10):
        if not position.taken >> card & 1:
            yield card


def play(position: Position, move: int) -> Position:
    gain = VALUES[move] * (1 + (position.taken >> ((move + 9) % 10) & 1))
    lead = position.lead + gain
    taken = position.taken | 1 << move
    if move == JOKER:
        return Position(taken, lead, position.side)
    return Position(taken, -lead, 1 - position.side)


def turn(position: Position) -> int:
    return position.side


def stuck(position: Position) -> int:
    return position.lead


def evaluate(position: Position) -> int:
    return position.lead


def plies_left(position: Position) -> int:
    return 10 - popcount(position.taken)


def max_score(position: Position) -> int:
    gain = 0
    for card in range(10):
        if not position.taken >> card & 1:
            gain += 2 * abs(VALUES[card])
    return position.lead + gain


def mobility(position: Position) -> int:
    return popcount(position.taken & 0b1010101010)


def odd_region(position: Position, move: int) -> bool:
    return bool(move & 1)


def finish(position: Position, low: float, high: float, words: Any) -> int:
    """The last card, or the better order of the last two."""
    left = plies_left(position)
    if left > 2:
        return ONGOING
    words[0] += 1
    best = position.lead if left == 0 else -1000
    for card in range(10):
        if position.taken >> card & 1:
            continue
        child = play(position, card)
        value = child.lead
        for other in range(10):
            if not child.taken >> other & 1:
                words[0] += 1
                last = play(child, other)
                value = last.lead if last.side == child.side else -last.lead
        best = max(best, value if child.side == position.side else -value)
    return best
