"""The features of Andantino's evaluation: rows, winning cells, stones with walls around them.

Every function looks at one side, whose rows of stones start at `mine` in `Position.stones`, and
handles the cells of a board row all at once.
"""

import numpy as np
from numpy.typing import NDArray

from plyforge.games.andantino.board import BOARD, ROWS
from plyforge.games.andantino.rules import Position, encloses, near_two
from plyforge.rules import ctz, popcount

REACH = 4
"""A line of five reaches this far from its first cell."""
LANE = ROWS + 2 * REACH
"""The rows of a set of cells, with empty rows around it: steps along a line need no range test."""
FREE = LANE
"""Where the second lane starts."""
AXES_DOWN = (0, 1, 1)
AXES_RIGHT = (1, 0, 1)
"""One step along each of the three axes."""


def lanes(position: Position, mine: int) -> NDArray[np.int64]:
    """A side's stones, then the cells without an enemy stone; row r of each at REACH + r."""
    theirs = ROWS - mine
    cells = np.zeros(2 * LANE, dtype=np.int64)
    for row in range(1, ROWS - 1):
        cells[REACH + row] = position.stones[mine + row]
        free = BOARD[position.side * ROWS + row] & ~position.stones[theirs + row]
        cells[FREE + REACH + row] = free
    return cells


def rows(cells: NDArray[np.int64], count_blocked: bool) -> tuple[int, int, int]:
    """How many rows of exactly two, three and four stones a side has, over all axes.

    A row is blocked where a line of five that contains it would need a cell that is the enemy's or
    off the board.
    """
    twos, threes, fours = 0, 0, 0
    for axis in range(3):
        down, right = AXES_DOWN[axis], AXES_RIGHT[axis]
        for row in range(REACH + 1, REACH + ROWS - 1):
            # The first cells of rows: a stone, none before it, one after it.
            first = cells[row] & cells[row + down] >> right & ~(cells[row - down] << right)
            if first == 0:
                continue
            third = cells[row + 2 * down] >> 2 * right
            fourth = cells[row + 3 * down] >> 3 * right
            fifth = cells[row + 4 * down] >> 4 * right
            two = first & ~third
            three = first & third & ~fourth
            four = first & third & fourth & ~fifth
            if not count_blocked:
                lane = FREE + row
                before = cells[lane - down] << right
                before2 = before & cells[lane - 2 * down] << 2 * right
                before3 = before2 & cells[lane - 3 * down] << 3 * right
                free3 = cells[lane + 2 * down] >> 2 * right
                free4 = cells[lane + 3 * down] >> 3 * right
                free5 = cells[lane + 4 * down] >> 4 * right
                two &= before3 | free3 & (before2 | free4 & (before | free5))
                three &= before2 | free4 & (before | free5)
                four &= before | free5
            twos += popcount(two)
            threes += popcount(three)
            fours += popcount(four)
    return twos, threes, fours


def five_makers(cells: NDArray[np.int64], row: int) -> int:
    """The cells of a board row where one more stone of a side would make a line of five."""
    result = 0
    for axis in range(3):
        down, right = AXES_DOWN[axis], AXES_RIGHT[axis]
        here = REACH + row
        before = cells[here - down] << right
        before2 = before & cells[here - 2 * down] << 2 * right
        before3 = before2 & cells[here - 3 * down] << 3 * right
        before4 = before3 & cells[here - 4 * down] << 4 * right
        after = cells[here + down] >> right
        after2 = after & cells[here + 2 * down] >> 2 * right
        after3 = after2 & cells[here + 3 * down] >> 3 * right
        after4 = after3 & cells[here + 4 * down] >> 4 * right
        result |= before4 | before3 & after | before2 & after2 | before & after3 | after4
    return result


def group_joiners(above: int, here: int, below: int) -> int:
    """The cells of a row whose neighbours of a side's own colour form two or three separate groups.

    Only a stone on such a cell can close a ring.
    """
    one = 0
    two = 0
    # Neighbours in the order of CIRCLE_ROWS and CIRCLE_COLUMNS; a group ends where one is missing.
    circle = (above << 1, above, here >> 1, below >> 1, below, here << 1)
    last = circle[5]
    for place in range(6):
        ends = last & ~circle[place]
        two |= one & ends
        one |= ends
        last = circle[place]
    return two


def count_ring_closers(
    stones: NDArray[np.int64], mine: int, row: int, candidates: int, enough: int
) -> int:
    """Count the cells of a row where a side would close a ring; stop at `enough`."""
    count = 0
    place = mine + row
    trial = stones.copy()
    while candidates and count < enough:
        trial[place] = stones[place] | candidates & -candidates
        if encloses(trial, mine, row, ctz(candidates)):
            count += 1
        candidates &= candidates - 1
    return count


def count_winning_cells(
    position: Position, mine: int, cells: NDArray[np.int64], enough: int
) -> int:
    """Count the cells that win at once for a side if it is to move; stop at `enough`."""
    stones = position.stones
    count = 0
    for row in range(1, ROWS - 1):
        above = stones[row - 1] | stones[ROWS + row - 1]
        here = stones[row] | stones[ROWS + row]
        below = stones[row + 1] | stones[ROWS + row + 1]
        legal = near_two(above, here, below) & ~here & BOARD[position.side * ROWS + row]
        if legal == 0:
            continue
        lines = legal & five_makers(cells, row)
        count += popcount(lines)
        place = mine + row
        rings = legal & ~lines & group_joiners(stones[place - 1], stones[place], stones[place + 1])
        if rings and count < enough:
            count += count_ring_closers(stones, mine, row, rings, enough - count)
        if count >= enough:
            return enough
    return count


def count_walled(stones: NDArray[np.int64], prey: int) -> tuple[int, int, int]:
    """Count the stones of a side, whose rows start at `prey`, with walls in 4, 5 and 6 directions.

    There is a wall in one of the six directions along the axes if an enemy stone stands somewhere
    between the stone and the edge.  An enclosed stone has walls in all six.
    """
    walls = ROWS - prey
    lower = np.zeros(2 * ROWS, dtype=np.int64)
    left, right = 0, 0
    for row in range(ROWS - 2, 0, -1):
        left |= stones[walls + row + 1]
        right = (right | stones[walls + row + 1]) >> 1
        lower[row] = left
        lower[ROWS + row] = right
    four, five, six = 0, 0, 0
    left, right = 0, 0
    for row in range(1, ROWS - 1):
        left = (left | stones[walls + row - 1]) << 1
        right |= stones[walls + row - 1]
        lone = stones[prey + row]
        if lone == 0:
            continue
        wall = stones[walls + row]
        # All cells right of the leftmost wall, and all cells left of the rightmost one.
        west = -((wall & -wall) << 1)
        east = below_highest(wall)
        lower_left, lower_right = lower[row], lower[ROWS + row]
        # The six directions added up by two full adders: ones, twos and fours of each sum.
        half = left ^ right ^ west
        carry = left & right | west & (left ^ right)
        other = lower_left ^ lower_right ^ east
        carried = lower_left & lower_right | east & (lower_left ^ lower_right)
        ones = half ^ other
        both = half & other
        twos = carry ^ carried ^ both
        fours = lone & (carry & carried | both & (carry ^ carried))
        four += popcount(fours & ~ones & ~twos)
        five += popcount(fours & ones)
        six += popcount(fours & twos)
    return four, five, six


def below_highest(bits: int) -> int:
    """All bits below the highest one of a row."""
    bits |= bits >> 1
    bits |= bits >> 2
    bits |= bits >> 4
    bits |= bits >> 8
    bits |= bits >> 16
    return bits >> 1
