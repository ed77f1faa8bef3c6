"""Dodgem on 3x3 (Colin Vout, 1972): two cars a side; drive both of yours off the board first.

Blue starts at the left and leaves at the right; Red starts below and leaves at the top.  A car
moves one cell ahead or sideways, never back, and only to an empty cell.  A side without a move
wins, so blocking the other side completely is a mistake.

Nine cells are nine bits: boards of up to 63 cells are plain ints.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import LOSS, ONGOING, WIN, Geometry, squares

NAME = "Dodgem"
PLAYERS = ("Blue", "Red")
MAX_MOVES = 6  # two cars, three directions each
ALTERNATING = True
REPETITION = "draw"  # sideways moves can repeat a position: its third occurrence is a draw
OFF = 9  # the target of a car that leaves the board


class Position(NamedTuple):
    blue: int  # one bit a cell, row by row from the top left
    red: int
    side: int  # who is to move: 0 Blue, 1 Red


def initial() -> Position:
    return Position(blue=0b000_001_001, red=0b110_000_000, side=0)


def moves(position: Position) -> Iterator[int]:
    """A move is 10 * from + to."""
    own = position.blue if position.side == 0 else position.red
    for start in range(9):
        if not own >> start & 1:
            continue
        for down, right in ((-1, 0), (0, 1), (1, 0), (0, -1)):
            backwards = right == -1 if position.side == 0 else down == 1
            row, column = start // 3 + down, start % 3 + right
            if backwards:
                continue
            if 0 <= row < 3 and 0 <= column < 3:
                if not (position.blue | position.red) >> 3 * row + column & 1:
                    yield 10 * start + 3 * row + column
            elif column == 3 if position.side == 0 else row == -1:
                yield 10 * start + OFF


def play(position: Position, move: int) -> Position:
    # A bit beyond the board would be a tenth cell, so a car that leaves sets none.
    change = 1 << move // 10 | (1 << move % 10 if move % 10 != OFF else 0)
    if position.side == 0:
        return Position(position.blue ^ change, position.red, 1)
    return Position(position.blue, position.red ^ change, 0)


def outcome(position: Position) -> int:
    """The side that has just moved may have driven off its last car."""
    last_mover = position.red if position.side == 0 else position.blue
    return LOSS if last_mover == 0 else ONGOING


def stuck(position: Position) -> int:
    return WIN


def turn(position: Position) -> int:
    return position.side


def irreversible(position: Position, move: int) -> bool:
    """Whether the car moves ahead; sideways moves can be taken back."""
    start, end = move // 10, move % 10
    return end == OFF or end == (start + 1 if position.side == 0 else start - 3)


def move_text(position: Position, move: int) -> str:
    return f"{_name(move // 10)}-{'off' if move % 10 == OFF else _name(move % 10)}"


def geometry(position: Position) -> Geometry:
    return squares(3, 3)


def pieces(position: Position) -> dict[str, str]:
    cars = {_name(cell): "b" for cell in range(9) if position.blue >> cell & 1}
    return cars | {_name(cell): "r" for cell in range(9) if position.red >> cell & 1}


def _name(cell: int) -> str:
    return f"{'abc'[cell % 3]}{3 - cell // 3}"
