"""Othello's evaluation: an estimate of the final score in discs, from features weighted by stage.

Every feature except parity is the mover's count minus the opponent's.
"""

from plyforge.games.othello.rules import NONE, NOT_LEFT, NOT_RIGHT, Position, placements
from plyforge.rules import linear, popcount, u64

EVERYWHERE = u64(0xFFFF_FFFF_FFFF_FFFF)

UNIT = 64
"""Weights are in 1/64 of a disc, so that sums are exact."""
LIMIT = 63
"""The maximum evaluation: a disc less than the maximum final score."""
STAGE_BITS = 3
"""A stage spans eight numbers of empty cells: 0 to 7, 8 to 15, ..., 56 to 63."""

STAGES = 8
WEIGHTS = {
    "mobility": (147, 107, 75, 60, 56, 52, 52, 52),
    "frontier": (-15, -20, -44, -60, -72, -80, -80, -80),
    "corners": (80, 190, 340, 490, 580, 600, 600, 600),
    "x-cells": (-100, -194, -322, -500, -620, -700, -700, -700),
    "c-cells": (-9, -10, -20, -83, -155, -190, -190, -190),
    "edges": (-22, -20, -8, 9, 30, 50, 60, 60),
    "stable": (70, 70, 70, 74, 96, 120, 120, 120),
    "discs": (4, 5, 4, 8, 12, 16, 16, 16),
    "parity": (119, 128, 112, 109, 114, 110, 84, 84),
}
"""The weights of each feature, in the order of `features`, by stage; the last moves come first.

Fitted by least squares to the final scores of games that an earlier choice of weights played
against itself, then smoothed by hand where a stage has few positions.
"""

Axes = tuple[u64, u64, u64, u64]


def stage_of(position: Position) -> int:
    empty = position.board & ~(position.mine | position.theirs)
    return popcount(empty) >> STAGE_BITS


def features(position: Position) -> tuple[int, ...]:
    mine, theirs, board = position.mine, position.theirs, position.board
    empty = board & ~(mine | theirs)
    sides, ends = sides_of(board), ends_of(board)
    corners = sides & ends
    open_corners = corners & empty
    near_empty = neighbours(empty)
    x_cells, c_cells = diagonal_cells(open_corners), adjacent_cells(open_corners)
    edges = (sides | ends) & ~corners
    safe = safe_axes(empty, sides, ends)
    return (
        difference(placements(mine, theirs, board), placements(theirs, mine, board)),
        difference(mine & near_empty, theirs & near_empty),
        difference(mine & corners, theirs & corners),
        difference(mine & x_cells, theirs & x_cells),
        difference(mine & c_cells, theirs & c_cells),
        difference(mine & edges, theirs & edges),
        difference(stable(mine, safe), stable(theirs, safe)),
        difference(mine, theirs),
        parity(empty),
    )


def difference(mine: u64, theirs: u64) -> int:
    return popcount(mine) - popcount(theirs)


def parity(empty: u64) -> int:
    """1 if the side to move would place the last disc if nobody passed; else -1."""
    return 2 * (popcount(empty) & 1) - 1


def sides_of(board: u64) -> u64:
    """The leftmost and the rightmost column."""
    return board & ~((board << 1 & NOT_LEFT) & (board >> 1 & NOT_RIGHT))


def ends_of(board: u64) -> u64:
    """The top and the bottom row."""
    return board & ~(board << 8 & board >> 8)


def beside(cells: u64) -> u64:
    """The cells to the left and to the right of these."""
    return (cells << 1 & NOT_LEFT) | (cells >> 1 & NOT_RIGHT)


def diagonal_cells(cells: u64) -> u64:
    row = beside(cells)
    return row << 8 | row >> 8


def adjacent_cells(cells: u64) -> u64:
    return beside(cells) | cells << 8 | cells >> 8


def neighbours(cells: u64) -> u64:
    """The cells that touch one of these in any of eight directions."""
    row = cells | beside(cells)
    return row | row << 8 | row >> 8


def safe_axes(empty: u64, sides: u64, ends: u64) -> Axes:
    """The cells where no disc can be flipped along an axis: on full lines and at the ends of lines.

    The axes are the row, the column, the rising diagonal and the falling diagonal.
    """
    rim = sides | ends
    return (
        sides | ~lines_through(empty, NOT_LEFT, 1),
        ends | ~lines_through(empty, EVERYWHERE, 8),
        rim | ~lines_through(empty, NOT_RIGHT, 7),
        rim | ~lines_through(empty, NOT_LEFT, 9),
    )


def lines_through(cells: u64, enter: u64, step: int) -> u64:
    """The whole lines along an axis on which these cells lie.

    `enter` holds the cells that a step towards high bits can reach.  Three rounds of doubled steps
    cover seven cells.
    """
    leave = enter >> step
    up = cells | (enter & cells << step)
    down = cells | (leave & cells >> step)
    enter &= enter << step
    leave &= leave >> step
    up |= enter & up << 2 * step
    down |= leave & down >> 2 * step
    enter &= enter << 2 * step
    leave &= leave >> 2 * step
    return up | down | (enter & up << 4 * step) | (leave & down >> 4 * step)


def stable(discs: u64, safe: Axes) -> u64:
    """Discs that can never be flipped: on every axis safe, or next to a stable disc of their side.

    There may be more; these are the ones that neighbours prove stable.
    """
    row, column, rising, falling = safe
    result = NONE
    more = discs & row & column & rising & falling
    while more != result:
        result = more
        more = (
            discs
            & (row | beside(result))
            & (column | result << 8 | result >> 8)
            & (rising | (result << 7 & NOT_RIGHT) | (result >> 7 & NOT_LEFT))
            & (falling | (result << 9 & NOT_LEFT) | (result >> 9 & NOT_RIGHT))
        )
    return result


EVALUATION = linear(features, WEIGHTS, stages=(stage_of, STAGES), unit=UNIT, limit=LIMIT)
