"""A countdown in which `can_move` promises a move where there is none."""

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


def can_move(position):
    return True
