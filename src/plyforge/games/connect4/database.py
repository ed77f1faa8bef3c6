"""The index of databases: positions by the number of stones that are left.

A place is the rank of the columns' heights, times the rank of the mover's stones among all.
"""

import math
import re
from typing import Final

import numpy as np

from plyforge.games.connect4.rules import Position, columns_of
from plyforge.rules import (
    SLICE_SHIFT,
    choose,
    gather_bits,
    popcount,
    rank_bits,
    spread_bits,
    unrank_bits,
)

MAX_COLUMNS: Final = 9
MAX_ROWS: Final = 8


def _count_heights() -> list[list[list[int]]]:
    """Return the ways in which some stones fill some columns, by rows, columns and stones."""
    ways = []
    for rows in range(MAX_ROWS + 1):
        table = [[int(stones == 0) for stones in range(64)]]
        for _ in range(MAX_COLUMNS):
            last = table[-1]
            table.append([sum(last[max(0, s - rows) : s + 1]) for s in range(64)])
        ways.append(table)
    return ways


HEIGHTS: Final = np.array(_count_heights(), np.int64)


def index(position: Position) -> int:
    rows, columns = position.rows, columns_of(position)
    if rows > MAX_ROWS or columns > MAX_COLUMNS:
        return -1
    stones = popcount(position.stones)
    if popcount(position.mine) != stones // 2:
        return -1
    colourings = choose(stones, stones // 2)
    if HEIGHTS[rows, columns, stones] > (1 << SLICE_SHIFT) // colourings:
        return -1
    place = 0
    rest = stones
    for column in range(columns):
        height = popcount(position.stones >> column * (rows + 1) & ((1 << rows) - 1))
        for lower in range(height):
            place += HEIGHTS[rows, columns - 1 - column, rest - lower]
        rest -= height
    colours = rank_bits(gather_bits(position.mine, position.stones))
    place = place * colourings + colours
    return (rows * columns - stones) << SLICE_SHIFT | place


def unindex(position: Position, number: int) -> Position:
    rows, columns = position.rows, columns_of(position)
    stones = rows * columns - (number >> SLICE_SHIFT)
    place = number & ((1 << SLICE_SHIFT) - 1)
    colourings = choose(stones, stones // 2)
    heights = place // colourings
    board = 0
    rest = stones
    for column in range(columns):
        height = 0
        while heights >= HEIGHTS[rows, columns - 1 - column, rest]:
            heights -= HEIGHTS[rows, columns - 1 - column, rest]
            height += 1
            rest -= 1
        board |= ((1 << height) - 1) << column * (rows + 1)
    mine = spread_bits(unrank_bits(place % colourings, stones // 2, stones), board)
    return Position(mine, board, position.floor, rows)


def slices(position: Position, text: str) -> dict[str, tuple[int, int]]:
    """The slices of a number of stones left, as `6` or `0-6`."""
    rows, columns = position.rows, columns_of(position)
    if rows > MAX_ROWS or columns > MAX_COLUMNS:
        raise ValueError(f"databases have at most {MAX_COLUMNS} columns and {MAX_ROWS} rows")
    cells = rows * columns
    if not text:
        first = last = cells - popcount(position.stones)
    else:
        match = re.fullmatch("([0-9]+)(?:-([0-9]+))?", text)
        if not match:
            raise ValueError("a slice is a number of stones left, as 6 or 0-6")
        first, last = int(match[1]), int(match[2] or match[1])
    if not 0 <= first <= last <= cells:
        raise ValueError(f"between 0 and {cells} stones can be left")
    found = {
        str(left): (
            left,
            int(HEIGHTS[rows, columns, cells - left])
            * math.comb(cells - left, (cells - left) // 2),
        )
        for left in range(first, last + 1)
    }
    for left, (_, size) in found.items():
        if size > 1 << SLICE_SHIFT:
            raise ValueError(f"there are too many positions with {left} stones left ({size:,})")
    return found
