"""Othello by patterns: what the discs on lines and around corners are worth, at 15 stages.

A pattern is a set of cells.  Its index is their content as a number with base 3, for the side to
move: 0 empty, 1 mine, 2 theirs.  The images of a pattern on the other sides of the board share its
table, and so do an index and its mirror image where a pattern is symmetric (`shared`).

    M. Buro, Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello,
    1997.

The bits of a pattern are gathered by shifts and masks, or by a multiplication; tables of powers of
3 turn them into an index.  The weights, in 1/64 of a disc, are in weights/patterns.npz;
docs/games/othello.md says how they were made.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from plyforge.games.othello.evaluation import difference, parity
from plyforge.games.othello.rules import Position, cells_of, placements
from plyforge.rules import patterns, popcount, table, u64

EVALUATION_RANGE = (-64.0, 64.0)
EVALUATION_MEANING = "score"
WEIGHTS_FILE = "weights/patterns.npz"

UNIT: Final = 64
LIMIT: Final = 63
STAGES: Final = 15
"""A stage spans four numbers of discs: 4 to 7, 8 to 11, ..., 60 to 64."""
_STAGE_BITS: Final = 2

Four = tuple[int, int, int, int]

BOARD = cells_of(8)
BYTE, NINTH, TENTH = u64(255), u64(256), u64(512)
THREE_1, THREE_2, THREE_3 = u64(0o7), u64(0o70), u64(0o700)
FIVE_1, FIVE_2 = u64(31), u64(31 << 5)
FIRST_COLUMN = u64(0x0101_0101_0101_0101)
SWAP_1, SWAP_2, SWAP_4 = (
    u64(0x00AA_00AA_00AA_00AA),
    u64(0x0000_CCCC_0000_CCCC),
    u64(0x0000_0000_F0F0_F0F0),
)


def powers(order: tuple[int, ...]) -> NDArray[np.int16]:
    """Return the index of every set of cells that are mine; bit i has the digit `order[i]`."""
    bits = np.arange(1 << len(order))[:, np.newaxis] >> np.arange(len(order)) & 1
    values: NDArray[np.int16] = (bits @ 3 ** np.array(order)).astype(np.int16)
    return values


POWERS = powers(tuple(range(10)))
MIRRORED_THREES = powers((2, 1, 0, 5, 4, 3, 8, 7, 6))
MIRRORED_FIVES = powers((4, 3, 2, 1, 0, 9, 8, 7, 6, 5))


def falling(offset: int) -> u64:
    """The diagonal of the cells whose column is their row plus an offset."""
    return u64(sum(1 << 9 * row + offset for row in range(8) if 0 <= row + offset < 8))


def rising(total: int) -> u64:
    """The diagonal of the cells whose column and row have this sum."""
    return u64(sum(1 << 7 * row + total for row in range(8) if 0 <= total - row < 8))


FALLING_8, RISING_8 = falling(0), rising(7)
FALLING_7, RISING_7 = (falling(-1), falling(1)), (rising(6), rising(8))
FALLING_6, RISING_6 = (falling(-2), falling(2)), (rising(5), rising(9))
FALLING_5, RISING_5 = (falling(-3), falling(3)), (rising(4), rising(10))
FALLING_4, RISING_4 = (falling(-4), falling(4)), (rising(3), rising(11))


def suits(position: Position) -> bool:
    """Whether the evaluation is made for the board."""
    return bool(position.board == BOARD)


def stage_of(position: Position) -> int:
    if position.board != BOARD:
        raise ValueError("patterns are for the 8x8 board; use the usual evaluation on others")
    return min((popcount(position.mine | position.theirs) - 4) >> _STAGE_BITS, STAGES - 1)


def transposed(cells: u64) -> u64:
    """Swap rows and columns: of single cells, of blocks of two by two, then of four by four."""
    change = (cells ^ cells >> 7) & SWAP_1
    cells = cells ^ change ^ change << 7
    change = (cells ^ cells >> 14) & SWAP_2
    cells = cells ^ change ^ change << 14
    change = (cells ^ cells >> 28) & SWAP_4
    return cells ^ change ^ change << 28


def index(mine: u64, theirs: u64) -> int:
    """Return the index of up to ten gathered bits."""
    return int(POWERS[mine]) + 2 * int(POWERS[theirs])


def edges(position: Position) -> Four:
    """The eight cells of an edge, and the two cells diagonally next to its corners."""
    mine, theirs = position.mine, position.theirs
    mine_turned, theirs_turned = transposed(mine), transposed(theirs)
    return (
        index(top_edge(mine), top_edge(theirs)),
        index(bottom_edge(mine), bottom_edge(theirs)),
        index(top_edge(mine_turned), top_edge(theirs_turned)),
        index(bottom_edge(mine_turned), bottom_edge(theirs_turned)),
    )


def top_edge(cells: u64) -> u64:
    return cells & BYTE | cells >> 1 & NINTH | cells >> 5 & TENTH


def bottom_edge(cells: u64) -> u64:
    return cells >> 56 | cells >> 41 & NINTH | cells >> 45 & TENTH


def second_lines(position: Position) -> Four:
    return line_indices(position, 8, 48)


def third_lines(position: Position) -> Four:
    return line_indices(position, 16, 40)


def fourth_lines(position: Position) -> Four:
    return line_indices(position, 24, 32)


def line_indices(position: Position, one: int, other: int) -> Four:
    """The indices of the two rows that begin at these bits, and of the two columns like them."""
    mine, theirs = position.mine, position.theirs
    mine_turned, theirs_turned = transposed(mine), transposed(theirs)
    return (
        index(mine >> one & BYTE, theirs >> one & BYTE),
        index(mine >> other & BYTE, theirs >> other & BYTE),
        index(mine_turned >> one & BYTE, theirs_turned >> one & BYTE),
        index(mine_turned >> other & BYTE, theirs_turned >> other & BYTE),
    )


def diagonals_8(position: Position) -> tuple[int, int]:
    return diagonal(position, FALLING_8, 56), diagonal(position, RISING_8, 56)


def diagonals_7(position: Position) -> Four:
    return four_diagonals(position, FALLING_7, RISING_7, 57)


def diagonals_6(position: Position) -> Four:
    return four_diagonals(position, FALLING_6, RISING_6, 58)


def diagonals_5(position: Position) -> Four:
    return four_diagonals(position, FALLING_5, RISING_5, 59)


def diagonals_4(position: Position) -> Four:
    return four_diagonals(position, FALLING_4, RISING_4, 60)


def four_diagonals(
    position: Position, down: tuple[u64, u64], up: tuple[u64, u64], right: int
) -> Four:
    """The first of two diagonals reaches the left edge, the second the right one."""
    return (
        diagonal(position, down[0], 56),
        diagonal(position, down[1], right),
        diagonal(position, up[0], 56),
        diagonal(position, up[1], right),
    )


def diagonal(position: Position, cells: u64, shift: int) -> int:
    """Gather a diagonal in the last row, by its columns, and move it to the lowest bits."""
    return index(
        (position.mine & cells) * FIRST_COLUMN >> shift,
        (position.theirs & cells) * FIRST_COLUMN >> shift,
    )


def corners(position: Position) -> Four:
    """The 3 x 3 cells at each corner."""
    mine, theirs = position.mine, position.theirs
    return (
        index(top_corner(mine, 0), top_corner(theirs, 0)),
        mirrored_corner_index(top_corner(mine, 5), top_corner(theirs, 5)),
        index(bottom_corner(mine, 0), bottom_corner(theirs, 0)),
        mirrored_corner_index(bottom_corner(mine, 5), bottom_corner(theirs, 5)),
    )


def mirrored_corner_index(mine: u64, theirs: u64) -> int:
    return int(MIRRORED_THREES[mine]) + 2 * int(MIRRORED_THREES[theirs])


def top_corner(cells: u64, column: int) -> u64:
    cells = cells >> column
    return cells & THREE_1 | cells >> 5 & THREE_2 | cells >> 10 & THREE_3


def bottom_corner(cells: u64, column: int) -> u64:
    cells = cells >> column
    return cells >> 56 & THREE_1 | cells >> 45 & THREE_2 | cells >> 34 & THREE_3


def blocks(position: Position) -> tuple[int, int, int, int, int, int, int, int]:
    """The 2 x 5 cells at each corner, along both of its edges."""
    mine, theirs = position.mine, position.theirs
    mine_turned, theirs_turned = transposed(mine), transposed(theirs)
    return (
        index(top_block(mine, 0), top_block(theirs, 0)),
        index(bottom_block(mine, 0), bottom_block(theirs, 0)),
        mirrored_block_index(top_block(mine, 3), top_block(theirs, 3)),
        mirrored_block_index(bottom_block(mine, 3), bottom_block(theirs, 3)),
        index(top_block(mine_turned, 0), top_block(theirs_turned, 0)),
        index(bottom_block(mine_turned, 0), bottom_block(theirs_turned, 0)),
        mirrored_block_index(top_block(mine_turned, 3), top_block(theirs_turned, 3)),
        mirrored_block_index(bottom_block(mine_turned, 3), bottom_block(theirs_turned, 3)),
    )


def mirrored_block_index(mine: u64, theirs: u64) -> int:
    return int(MIRRORED_FIVES[mine]) + 2 * int(MIRRORED_FIVES[theirs])


def top_block(cells: u64, column: int) -> u64:
    cells = cells >> column
    return cells & FIVE_1 | cells >> 3 & FIVE_2


def bottom_block(cells: u64, column: int) -> u64:
    cells = cells >> column
    return cells >> 56 & FIVE_1 | cells >> 43 & FIVE_2


def features(position: Position) -> tuple[int, int, int]:
    mine, theirs, board = position.mine, position.theirs, position.board
    return (
        difference(placements(mine, theirs, board), placements(theirs, mine, board)),
        parity(board & ~(mine | theirs)),
        1,
    )


def mirror_images(order: tuple[int, ...]) -> NDArray[np.int64]:
    """Return the smaller of each index and its mirror image, in which digit i is `order[i]`."""
    indices = np.arange(3 ** len(order))
    images = sum(indices // 3**digit % 3 * 3**place for place, digit in enumerate(order))
    smaller: NDArray[np.int64] = np.minimum(indices, images)
    return smaller


def reversed_digits(count: int) -> tuple[int, ...]:
    return tuple(reversed(range(count)))


def shared() -> dict[str, NDArray[np.int64]]:
    """Return the entry whose weight an entry has, in the tables of symmetric patterns."""
    return {
        "edges": mirror_images((*reversed_digits(8), 9, 8)),
        "second lines": mirror_images(reversed_digits(8)),
        "third lines": mirror_images(reversed_digits(8)),
        "fourth lines": mirror_images(reversed_digits(8)),
        **{f"diagonals of {count}": mirror_images(reversed_digits(count)) for count in range(4, 9)},
        "corners": mirror_images((0, 3, 6, 1, 4, 7, 2, 5, 8)),
    }


EVALUATION = patterns(
    {
        "edges": table(edges, 3**10, 4),
        "second lines": table(second_lines, 3**8, 4),
        "third lines": table(third_lines, 3**8, 4),
        "fourth lines": table(fourth_lines, 3**8, 4),
        "diagonals of 8": table(diagonals_8, 3**8, 2),
        "diagonals of 7": table(diagonals_7, 3**7, 4),
        "diagonals of 6": table(diagonals_6, 3**6, 4),
        "diagonals of 5": table(diagonals_5, 3**5, 4),
        "diagonals of 4": table(diagonals_4, 3**4, 4),
        "corners": table(corners, 3**9, 4),
        "blocks": table(blocks, 3**10, 8),
        ("mobility", "parity", "constant"): features,
    },
    stages=(stage_of, STAGES),
    unit=UNIT,
    limit=LIMIT,
    shared=shared,
)
