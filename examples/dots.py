"""Dots and Boxes: draw a line; whoever completes a box owns it and moves again.

plyforge solve examples/dots.py:2x2
plyforge serve examples/dots.py

The cells of its board are lines between dots (`boxes`), and `turn` says who moves after a box.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import ONGOING, Geometry, boxes, popcount

NAME = "Dots and Boxes"
PLAYERS = ("Red", "Blue")
VARIANTS = ("2x2", "1x3")
MAX_MOVES = 60
EVALUATION_RANGE = (-25, 25)
PIECES = {"-": (None, "letter"), "R": (0, "stone"), "B": (1, "stone")}


class Position(NamedTuple):
    lines: int  # the lines that are drawn, one bit each: first all across, then all upright
    red: int  # the boxes of Red, one bit each, row by row from the top left
    blue: int
    side: int  # who is to move: 0 Red, 1 Blue
    columns: int
    rows: int


def initial(columns: int = 3, rows: int = 3) -> Position:
    if not (1 <= columns <= 5 and 1 <= rows <= 5):
        raise ValueError("a board has 1 to 5 columns and rows")
    return Position(0, 0, 0, 0, columns, rows)


def count_lines(position: Position) -> int:
    return (position.rows + 1) * position.columns + position.rows * (position.columns + 1)


def moves(position: Position) -> Iterator[int]:
    for line in range(count_lines(position)):
        if not position.lines >> line & 1:
            yield line


def play(position: Position, move: int) -> Position:
    columns, rows = position.columns, position.rows
    lines = position.lines | 1 << move
    completed = 0
    for box in range(columns * rows):
        row, column = divmod(box, columns)
        left = (rows + 1) * columns + row * (columns + 1) + column
        if lines >> box & lines >> (box + columns) & lines >> left & lines >> (left + 1) & 1:
            completed |= 1 << box
    completed &= ~(position.red | position.blue)
    side = position.side if completed else 1 - position.side
    if position.side == 0:
        return Position(lines, position.red | completed, position.blue, side, columns, rows)
    return Position(lines, position.red, position.blue | completed, side, columns, rows)


def turn(position: Position) -> int:
    return position.side


def evaluate(position: Position) -> int:
    """Return the boxes that the side to move is ahead."""
    lead = popcount(position.red) - popcount(position.blue)
    return lead if position.side == 0 else -lead


def outcome(position: Position) -> int:
    if position.lines == (1 << count_lines(position)) - 1:
        return evaluate(position)
    return ONGOING


def dot(column: int, row: int, rows: int) -> str:
    return "abcdef"[column] + str(rows + 1 - row)


def move_text(position: Position, move: int) -> str:
    """Return the dots at the ends of a line, as `a1-b1`."""
    columns, rows = position.columns, position.rows
    upright = (rows + 1) * columns
    if move < upright:
        row, column = divmod(move, columns)
        return f"{dot(column, row, rows)}-{dot(column + 1, row, rows)}"
    row, column = divmod(move - upright, columns + 1)
    return f"{dot(column, row + 1, rows)}-{dot(column, row, rows)}"


def move_cells(position: Position, move: int) -> list[str]:
    return [move_text(position, move)]


def geometry(position: Position) -> Geometry:
    return boxes(position.columns, position.rows)


def pieces(position: Position) -> dict[str, str]:
    columns, rows = position.columns, position.rows
    drawn = [line for line in range(count_lines(position)) if position.lines >> line & 1]
    cells = {move_text(position, line): "-" for line in drawn}
    for box in range(columns * rows):
        owner = "R" if position.red >> box & 1 else "B" if position.blue >> box & 1 else "."
        cells[dot(box % columns, box // columns + 1, rows)] = owner
    return cells
