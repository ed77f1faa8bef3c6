"""Breakthrough by two features: pieces, and the rows that they have gained.

plyforge eval examples/breakthrough.py --evaluation examples/evaluations/breakthrough_rows.py
"""

from typing import NamedTuple

from plyforge.rules import byteswap, ctz, popcount, u64

ONE = u64(1)
EVALUATION_RANGE = (-300, 300)


class Position(NamedTuple):  # the fields of the game's positions that are used here
    mine: u64
    theirs: u64


def material(position: Position) -> int:
    return popcount(position.mine) - popcount(position.theirs)


def rows(board: u64) -> int:
    total = 0
    while board:
        total += ctz(board) // 8
        board &= board - ONE  # clears the lowest bit
    return total


def rows_gained(position: Position) -> int:
    return rows(position.mine) - rows(byteswap(position.theirs))


FEATURES = {"material": (material, 10), "rows gained": (rows_gained, 1)}  # function and weight
