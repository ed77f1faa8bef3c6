"""Othello's evaluation: an estimate of the final score in discs, from features weighted by stage.

Every feature except parity is the mover's count minus the opponent's.
"""

import numpy as np

from plyforge.games.othello.rules import NONE, NOT_LEFT, NOT_RIGHT, Position, placements
from plyforge.rules import popcount, u64, weighted_sum

EVERYWHERE = u64(0xFFFF_FFFF_FFFF_FFFF)

UNIT = 64
"""Weights are in 1/64 of a disc, so that sums are exact."""
LIMIT = 63 * UNIT
"""The maximum evaluation: a disc less than the maximum final score."""
STAGE_BITS = 3
"""A stage spans eight numbers of empty cells: 0 to 7, 8 to 15, ..., 56 to 63."""

NAMES = (
    "mobility", "frontier", "corners", "x-cells", "c-cells", "edges", "stable", "discs", "parity",
)  # fmt: skip
"""The features, in the order of `features`."""
WEIGHTS = np.array(
    [
        [147, -15, 80, -100, -9, -22, 70, 4, 119],
        [107, -20, 190, -194, -10, -20, 70, 5, 128],
        [75, -44, 340, -322, -20, -8, 70, 4, 112],
        [60, -60, 490, -500, -83, 9, 74, 8, 109],
        [56, -72, 580, -620, -155, 30, 96, 12, 114],
        [52, -80, 600, -700, -190, 50, 120, 16, 110],
        [52, -80, 600, -700, -190, 60, 120, 16, 84],
        [52, -80, 600, -700, -190, 60, 120, 16, 84],
    ],
    dtype=np.int64,
)
"""A row for each stage, starting with the last moves; a column for each feature.

Fitted by least squares to the final scores of games that an earlier choice of weights played
against itself, then smoothed by hand where a stage has few positions.
"""

Axes = tuple[u64, u64, u64, u64]


def evaluate(position: Position) -> float:
    counts = features(position.mine, position.theirs, position.board)
    total = weighted_sum(counts, WEIGHTS[stage_of(position)])
    return float(max(-LIMIT, min(LIMIT, total))) / UNIT


def terms(position: Position) -> list[tuple[str, float, float]]:
    """Return each feature with its weight in discs at this stage, and what exceeds the limit."""
    counts = features(position.mine, position.theirs, position.board)
    weights = WEIGHTS[stage_of(position)] / UNIT
    result = [
        (name, float(count), float(weight))
        for name, count, weight in zip(NAMES, counts, weights, strict=True)
    ]
    excess = sum(count * weight for _, count, weight in result) - evaluate(position)
    return [*result, ("beyond the limit", excess, -1.0)] if excess else result


def stage_of(position: Position) -> int:
    empty = position.board & ~(position.mine | position.theirs)
    return popcount(empty) >> STAGE_BITS


def features(mine: u64, theirs: u64, board: u64) -> tuple[int, ...]:
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
