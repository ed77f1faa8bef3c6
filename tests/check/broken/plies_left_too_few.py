"""A countdown whose `plies_left` forgets that players may take one at a time."""

from typing import NamedTuple


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
    return (position.left + 2) // 3
