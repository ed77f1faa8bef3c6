"""A countdown whose `finish` says that the last three are always won: one may be left over."""

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


def plies_left(position):
    return position.left


def finish(position, low, high, words):
    if position.left > 4:
        return ONGOING
    words[0] += 1
    return WIN if position.left > 0 else LOSS
