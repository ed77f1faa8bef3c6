"""The hexagonal board of Andantino: where cells lie, what they are called, and constant tables.

A board row is the set of its columns in one integer, bit c for column c, so that legal cells and
flood fills cost a few shifts per row.  Rows 0 and 20 and columns 0 and 20 are a border that is
never occupied, so that no step off the board needs a range test.  A move is the number of its cell,
row * 32 + column.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from plyforge.rules import random_words

MAX_SIDE = 10
"""The side of the full board; a smaller board has the cells around the same centre."""
CENTRE = 10
ROWS = 21
"""Rows 1 to 19 and the border."""
CELLS = 32 * (ROWS - 1)
"""Cell numbers are below this."""

Cell = tuple[int, int]
"""Row and column, both counted from 1."""

# The six neighbours of a cell in a circle, from the upper left one clockwise.
CIRCLE_ROWS = np.array([-1, -1, 0, 1, 1, 0], dtype=np.int64)
CIRCLE_COLUMNS = np.array([-1, 0, 1, 1, 0, -1], dtype=np.int64)


def on_board(row: int, column: int, side: int) -> bool:
    x, y = column - CENTRE, row - CENTRE
    return max(abs(x), abs(y), abs(x - y)) < side


def name(cell: Cell) -> str:
    """Column letter and row number.

    >>> name((10, 10))
    'j10'
    """
    return f"{chr(ord('a') + cell[1] - 1)}{cell[0]}"


@cache
def cells_by_name(side: int) -> dict[str, Cell]:
    """The cells of a board by name, in reading order."""
    cells = [(row, column) for row in range(1, 20) for column in range(1, 20)]
    return {name(cell): cell for cell in cells if on_board(*cell, side)}


def neighbours(cell: Cell) -> set[Cell]:
    """The six cells around a cell, whether they are on the board or not."""
    row, column = cell
    return {
        (row + down, column + right)
        for down, right in zip(CIRCLE_ROWS.tolist(), CIRCLE_COLUMNS.tolist(), strict=True)
    }


def image(cell: Cell, mirrored: bool, turns: int) -> Cell:
    """The image of a cell when the board is mirrored, or not, and then rotated by 60° steps."""
    y, x = cell[0] - CENTRE, cell[1] - CENTRE
    if mirrored:
        x, y = y, x
    for _ in range(turns):
        x, y = x - y, x
    return y + CENTRE, x + CENTRE


def _board_rows() -> NDArray[np.int64]:
    return np.array(
        [
            sum(1 << column for column in range(1, 20) if on_board(row, column, side))
            for side in range(MAX_SIDE + 1)
            for row in range(ROWS)
        ],
        dtype=np.int64,
    )


BOARD = _board_rows()
"""The cells of row r on the board of side s, as a set of columns, at index s * ROWS + r."""
ZOBRIST = random_words(2 * CELLS + MAX_SIDE + 1)
"""A random word for player p's stone on cell c at p * CELLS + c, for side s at SIDE_WORDS + s."""
SIDE_WORDS = 2 * CELLS
