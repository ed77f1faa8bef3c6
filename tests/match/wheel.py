"""A game that ends in every way there is: a wheel is turned, and a balance shifted."""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import LOSS, ONGOING

NAME = "Wheel"
PLAYERS = ("First", "Second")
REPETITION = "draw"
REPETITION_COUNT = 3
NO_PROGRESS_LIMIT = 12
EVALUATION_RANGE = (-100.0, 100.0)
PLACES = 1000

FORTH, BACK, GAIN, LOSE, AGAIN, COUNT, WIN, STOP, STEP = range(9)
"""FORTH and BACK turn the wheel, GAIN and LOSE shift the balance, AGAIN turns the wheel and keeps
the turn. COUNT ends the game by the balance, WIN by a win, STOP by leaving the other side without
moves. STEP turns the wheel irreversibly."""
_OVER = {COUNT: 1, WIN: 2, STOP: 3}


class Position(NamedTuple):
    place: int
    balance: int
    """How far the first player is ahead."""
    side: int
    over: int


def initial(balance: int = 0) -> Position:
    return Position(0, balance, 0, 0)


def moves(position: Position) -> Iterator[int]:
    if position.over == 0:
        yield from range(9)


def play(position: Position, move: int) -> Position:
    turned = {FORTH: 1, BACK: -1, AGAIN: 1, STEP: 1}.get(move, 0)
    shifted = {GAIN: 1, LOSE: -1}.get(move, 0)
    return Position(
        (position.place + turned) % PLACES,
        position.balance + shifted,
        position.side if move == AGAIN else 1 - position.side,
        _OVER.get(move, 0),
    )


def turn(position: Position) -> int:
    return position.side


def outcome(position: Position) -> float:
    if position.over == 1:
        return _for_side(position)
    return LOSS if position.over == 2 else ONGOING


def irreversible(position: Position, move: int) -> bool:
    return move not in (FORTH, BACK, AGAIN)


def evaluate(position: Position) -> float:
    return _for_side(position)


def _for_side(position: Position) -> float:
    return float(position.balance if position.side == 0 else -position.balance)
