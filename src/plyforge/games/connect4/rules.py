"""Connect four on any board of columns x rows that fits 63 bits.

A column takes `rows` + 1 bits, from the bottom up; the bit above its top stays empty, so that
shifted boards do not run into the next column.  A move is the index of the cell that is filled.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import DRAW, LOSS, ONGOING, ctz, popcount

BITS = 63
"""The bits of an int without its sign."""


class Position(NamedTuple):
    mine: int
    """The stones of the side to move."""
    stones: int
    """The stones of both sides."""
    floor: int
    """The lowest cell of every column."""
    rows: int


def initial(columns: int = 7, rows: int = 6) -> Position:
    if columns < 1 or rows < 1:
        raise ValueError(f"{columns}x{rows}: a board has at least one column and one row")
    if columns * (rows + 1) > BITS:
        raise ValueError(
            f"{columns}x{rows} does not fit: columns x (rows + 1) may be at most {BITS}"
        )
    return Position(0, 0, sum(1 << column * (rows + 1) for column in range(columns)), rows)


def moves(position: Position) -> Iterator[int]:
    board = position.floor * ((1 << position.rows) - 1)
    # Adding the floor carries every column's stones into the cell above them.
    landing = position.stones + position.floor & board
    while landing:
        yield ctz(landing)
        landing &= landing - 1


def can_move(position: Position) -> bool:
    return position.stones != position.floor * ((1 << position.rows) - 1)


def play(position: Position, move: int) -> Position:
    theirs = position.stones ^ position.mine
    return Position(theirs, position.stones | 1 << move, position.floor, position.rows)


def outcome(position: Position) -> int:
    theirs = position.stones ^ position.mine
    height = position.rows + 1
    if (
        has_four(theirs, 1)
        or has_four(theirs, height)
        or has_four(theirs, height - 1)
        or has_four(theirs, height + 1)
    ):
        return LOSS
    return ONGOING


def has_four(stones: int, step: int) -> bool:
    if 3 * step >= BITS:
        return False  # no line of four fits, and compiled shifts by 64 or more are undefined
    pairs = stones & stones >> step
    return pairs & pairs >> 2 * step != 0


def stuck(position: Position) -> int:
    return DRAW


def turn(position: Position) -> int:
    return popcount(position.stones) & 1


def move_slot(position: Position, move: int) -> int:
    return move


def columns_of(position: Position) -> int:
    return popcount(position.floor)


def irreversible(position: Position, move: int) -> bool:
    return True


def symmetries(position: Position) -> list[Position]:
    columns, height = columns_of(position), position.rows + 1

    def mirror(board: int) -> int:
        image = 0
        for column in range(columns):
            bits = board >> column * height & ((1 << height) - 1)
            image |= bits << (columns - 1 - column) * height
        return image

    flipped = position._replace(mine=mirror(position.mine), stones=mirror(position.stones))
    return [position, flipped]
