"""A countdown in which `quick_value` does not see the win at the end."""

from typing import NamedTuple

from plyforge.rules import LOSS, ONGOING


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


def quick_value(position):
    return LOSS + 2 if position.left == 4 else ONGOING
