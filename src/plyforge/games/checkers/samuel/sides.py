"""The board as one side sees it, and squares that several features share."""

from typing import NamedTuple

from plyforge.games.checkers.features import ROW_NO_ONES
from plyforge.games.checkers.rules import BOARD, Position


class Side(NamedTuple):
    """One side's pieces and its opponent's, by the directions in which they may go.

    Men are in one of `up` and `down`, kings in both.  Up is towards the high squares.
    """

    up: int
    down: int
    other_up: int
    other_down: int
    empty: int


def black_side(position: Position) -> Side:
    """Black's view: its men go up."""
    black, white, kings = position.black, position.white, position.kings
    return Side(black, black & kings, white & kings, white, BOARD & ~(black | white))


def white_side(position: Position) -> Side:
    """White's view: its men go down."""
    black, white, kings = position.black, position.white, position.kings
    return Side(white & kings, white, black, black & kings, BOARD & ~(black | white))


def mask_of(*numbers: int) -> int:
    """Return squares, numbered from 1 to 32, as bits."""
    return sum(1 << number - 1 + (number - 1) // 8 for number in numbers)


def diagonals(*differences: int) -> int:
    """Return the squares whose column minus row is one of the differences, or its opposite."""
    places = {n: ((n - 1) // 4, 2 * ((n - 1) % 4) + 1 - (n - 1) // 4 % 2) for n in range(1, 33)}
    found = [n for n, (row, column) in places.items() if abs(column - row) in differences]
    return mask_of(*found)


def three_of_four(a: int, b: int, c: int, d: int) -> int:
    """The bits that are set in at least three of four boards."""
    return a & b & (c | d) | c & d & (a | b)


DOUBLE_CORNERS = mask_of(1, 5, 28, 32)
DOUBLE_FILES = diagonals(1)
"""The two diagonals between the double corners."""
NEAR_FILES, FAR_FILES = diagonals(3), diagonals(5)
"""The diagonals beside them, and the next ones."""
BLACK_SYSTEM = ROW_NO_ONES
"""The columns that start with squares 1 to 4."""
WHITE_SYSTEM = BOARD & ~BLACK_SYSTEM
NO_UP_4, NO_UP_5 = BOARD & ~(BOARD >> 4), BOARD & ~(BOARD >> 5)
NO_DOWN_4, NO_DOWN_5 = BOARD & ~(BOARD << 4), BOARD & ~(BOARD << 5)
"""The squares at the edge that have no neighbour in a direction."""
EDGE = NO_UP_4 | NO_UP_5 | NO_DOWN_4 | NO_DOWN_5
