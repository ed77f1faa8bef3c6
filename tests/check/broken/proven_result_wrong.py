"""A countdown in which `proven_result` takes a lost position for a won one."""

from typing import NamedTuple

from plyforge.rules import LOSS, ONGOING, WIN


class Position(NamedTuple):
    left: int


def initial():
    return Position(9)


def moves(position):
    for move in range(1, 4):
        if move <= position.left:
            yield move


def play(position, move):
    return Position(position.left - move)


def proven_result(position):
    if position.left > 4:
        return ONGOING
    return WIN if position.left % 4 == 0 else LOSS
