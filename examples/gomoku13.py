"""Gomoku on 13x13: five stones in a line win; six or more count too.

A board of 169 cells is too large for a few words of bits, so it is an array.  An array in a
position is never changed: `play` copies it, changes the copy and puts that into a new position.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyforge.rules import DRAW, LOSS, ONGOING, Geometry, squares

NAME = "Gomoku 13x13"
PLAYERS = ("Black", "White")
SIZE = 13
MAX_MOVES = SIZE * SIZE
ALTERNATING = True


class Position(NamedTuple):
    cells: NDArray[np.int8]  # row by row from the top: 0 empty, 1 Black, 2 White
    side: int  # who is to move: 0 Black, 1 White
    made_five: int  # 1 if the last stone completed a line


def initial() -> Position:
    return Position(np.zeros((SIZE, SIZE), np.int8), 0, 0)


def moves(position: Position) -> Iterator[int]:
    for cell in range(MAX_MOVES):  # a move is 13 * row + column of an empty cell
        if position.cells[cell // SIZE, cell % SIZE] == 0:
            yield cell


def play(position: Position, move: int) -> Position:
    cells = position.cells.copy()
    row, column = move // SIZE, move % SIZE
    cells[row, column] = position.side + 1
    return Position(cells, 1 - position.side, five(cells, row, column))


def five(cells: NDArray[np.int8], row: int, column: int) -> int:
    """Return 1 if the stone on a cell is in a line of five; only the last one can complete it."""
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        if run(cells, row, column, down, right) + run(cells, row, column, -down, -right) >= 4:
            return 1
    return 0


def run(cells: NDArray[np.int8], row: int, column: int, down: int, right: int) -> int:
    """Count the stones of the same colour that follow the one on a cell in a direction."""
    stone, length = cells[row, column], 0
    row, column = row + down, column + right
    # Compiled code does not notice an index off the board, so every index is checked here.
    while 0 <= row < SIZE and 0 <= column < SIZE and cells[row, column] == stone:
        length, row, column = length + 1, row + down, column + right
    return length


def outcome(position: Position) -> int:
    return LOSS if position.made_five else ONGOING


def stuck(position: Position) -> int:
    return DRAW


def turn(position: Position) -> int:
    return position.side


def irreversible(position: Position, move: int) -> bool:
    return True  # stones stay where they are


# The default text of a position is its numbers, separated by spaces: good enough to start with.


def move_text(position: Position, move: int) -> str:
    return f"{'abcdefghijklm'[move % SIZE]}{SIZE - move // SIZE}"


def geometry(position: Position) -> Geometry:
    return squares(SIZE, SIZE)


def pieces(position: Position) -> dict[str, str]:
    stones = enumerate(position.cells.flat)
    return {move_text(position, cell): ".XO"[stone] for cell, stone in stones if stone}


def move_cells(position: Position, move: int) -> list[str]:
    return [move_text(position, move)]
