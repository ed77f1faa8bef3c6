"""The rules of Andantino, as the search compiles them."""

from collections.abc import Collection, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyforge.games.andantino.board import (
    BOARD,
    CELLS,
    CENTRE,
    CIRCLE_COLUMNS,
    CIRCLE_ROWS,
    MAX_SIDE,
    ROWS,
    SIDE_WORDS,
    ZOBRIST,
    Cell,
    image,
)
from plyforge.rules import DRAW, LOSS, ONGOING, WIN, ctz, popcount, u64

NAME = "Andantino"
PLAYERS = ("White", "Black")
PIECES = {"W": (0, "stone"), "B": (1, "stone")}
ALTERNATING = True
VARIANTS = ("4", "6")
MAX_MOVES = 137
"""Every stone touched two earlier ones when placed (the second: one).  So s stones touch each other
at least 2s - 3 times, and empty cells at most 6s - 2(2s - 3) = 2s + 6 times.  A legal cell takes
two of these, so there are at most s + 3; 271 cells hold them and the stones only up to 137."""
MOVE_SLOTS = CELLS


class Position(NamedTuple):
    """Both sides' stones by rows, their number, and the state of the game.

    `stones[r]` is White's row r and `stones[ROWS + r]` Black's.  `result` is what `outcome` returns
    and `side` the number of cells on an edge of the board.
    """

    stones: NDArray[np.int64]
    placed: int
    result: int
    hash: u64
    side: int


def initial(side: int = MAX_SIDE) -> Position:
    """A black stone in the centre of a hexagon with `side` cells on each edge, White to move."""
    if not 2 <= side <= MAX_SIDE:
        raise ValueError(f"side: {side} is not between 2 and {MAX_SIDE}")
    return build([(CENTRE, CENTRE)], [], side, ONGOING)


def turn(position: Position) -> int:
    return 1 - (position.placed & 1)


def moves(position: Position) -> Iterator[int]:
    """Yield the empty cells with two occupied neighbours (one for the game's second stone)."""
    stones = position.stones
    here = 0
    below = stones[1] | stones[ROWS + 1]
    for row in range(1, ROWS - 1):
        above = here
        here = below
        below = stones[row + 1] | stones[ROWS + row + 1]
        if (above | here | below) == 0:
            continue
        two = near_two(above, here, below)
        if position.placed == 1:
            two = near_one(above, here, below)
        legal = two & ~here & BOARD[position.side * ROWS + row]
        while legal:
            yield row * 32 + ctz(legal)
            legal &= legal - 1


def near_one(above: int, here: int, below: int) -> int:
    """The cells of a row that touch a stone, given the stones of the row and of those beside it."""
    return here << 1 | here >> 1 | above | above << 1 | below | below >> 1


def near_two(above: int, here: int, below: int) -> int:
    """The cells of a row that touch at least two stones."""
    one = here << 1
    two = one & here >> 1
    one |= here >> 1
    two |= one & above
    one |= above
    two |= one & above << 1
    one |= above << 1
    two |= one & below
    one |= below
    return two | one & below >> 1


def play(position: Position, move: int) -> Position:
    row, column = move >> 5, move & 31
    mover = 1 - (position.placed & 1)
    mine, theirs = mover * ROWS, ROWS - mover * ROWS
    stones = position.stones.copy()
    stones[mine + row] |= 1 << column
    result = ONGOING
    if makes_five(stones, mine, row, column) or encloses(stones, mine, row, column):
        result = LOSS
    elif captives(stones, theirs, row, column) > 0:
        result = WIN
    key = position.hash ^ ZOBRIST[mover * CELLS + move]
    return Position(stones, position.placed + 1, result, key, position.side)


def makes_five(stones: NDArray[np.int64], mine: int, row: int, column: int) -> bool:
    """Whether the stone just placed stands in a line of at least five of its colour."""
    line = stones[mine + row]
    pairs = line & line >> 1
    if pairs & pairs >> 2 & line >> 4:
        return True
    for slant in range(2):
        length = 1
        r, c = row - 1, column - slant
        while stones[mine + r] >> c & 1:
            length += 1
            r -= 1
            c -= slant
        r, c = row + 1, column + slant
        while stones[mine + r] >> c & 1:
            length += 1
            r += 1
            c += slant
        if length >= 5:
            return True
    return False


def encloses(stones: NDArray[np.int64], mine: int, row: int, column: int) -> bool:
    """Whether the stone just placed cuts an enemy stone off from the edge.

    Paths that the stone cuts led through its own cell.  Where the neighbours that are not the
    mover's form a single run, each such path can go around along that run.  So only a stone that
    separates two runs can enclose, and what it encloses is next to it.
    """
    above = stones[mine + row - 1] >> (column - 1)
    level = stones[mine + row] >> (column - 1)
    below = stones[mine + row + 1] >> column
    # Bit i is the mover's stone on neighbour i of CIRCLE_ROWS and CIRCLE_COLUMNS.
    circle = above & 3 | level & 4 | (below & 2) << 2 | (below & 1) << 4 | (level & 1) << 5
    # The first cell of each run of neighbours that are not the mover's.
    starts = ~circle & (circle << 1 | circle >> 5) & 63
    if popcount(starts) < 2:
        return False
    while starts:
        place = ctz(starts)
        starts &= starts - 1
        if captives(stones, mine, row + CIRCLE_ROWS[place], column + CIRCLE_COLUMNS[place]) > 0:
            return True
    return False


def captives(stones: NDArray[np.int64], walls: int, row: int, column: int) -> int:
    """Count the enemy stones in the closed area around a cell; 0 if that area is open.

    The area consists of all cells that can be reached over cells not held by the encloser, whose
    rows start at `walls`.
    """
    if exposed(1 << column, stones[walls + row]):
        return 0
    # One more row at each end than the board has, because a row of the border is read too.
    area = np.zeros(ROWS + 2, dtype=np.int64)
    area[row + 1] = 1 << column
    first, last = row, row
    growing = True
    while growing:
        growing = False
        for r in range(first - 1, last + 2):
            wall = stones[walls + r]
            before, above, below = area[r + 1], area[r], area[r + 2]
            here = before | before << 1 | before >> 1 | above | above << 1 | below | below >> 1
            here &= ~wall
            if here != before:
                if exposed(here, wall):
                    return 0
                area[r + 1] = here
                first, last = min(first, r), max(last, r)
                growing = True
    prey = ROWS - walls
    count = 0
    for r in range(first, last + 1):
        count += popcount(area[r + 1] & stones[prey + r])
    return count


def exposed(cells: int, wall: int) -> bool:
    """Whether one of these cells of a row has no wall to its left, or none to its right.

    Such a cell reaches the edge along its row.  A cell of the border always does.
    """
    return cells > wall or (cells & -cells) < (wall & -wall)


def outcome(position: Position) -> int:
    return position.result


def stuck(position: Position) -> int:
    return DRAW


def irreversible(position: Position, move: int) -> bool:
    return True


def key(position: Position) -> u64:
    return position.hash


def scratch_key(position: Position) -> u64:
    word: u64 = ZOBRIST[SIDE_WORDS + position.side]
    for player in range(2):
        for row in range(1, ROWS - 1):
            cells = position.stones[player * ROWS + row]
            while cells:
                word ^= ZOBRIST[player * CELLS + row * 32 + ctz(cells)]
                cells &= cells - 1
    return word


def move_slot(position: Position, move: int) -> int:
    return move


def symmetries(position: Position) -> list[Position]:
    """The twelve images of the position under rotations and reflections of the hexagon."""
    white, black = stones_of(position, 0), stones_of(position, 1)
    return [
        build(
            [image(cell, mirrored, turns) for cell in black],
            [image(cell, mirrored, turns) for cell in white],
            position.side,
            position.result,
        )
        for mirrored in (False, True)
        for turns in range(6)
    ]


def stones_of(position: Position, player: int) -> list[Cell]:
    """The cells of a player's stones in reading order."""
    return [
        (row, column)
        for row in range(1, ROWS - 1)
        for column in range(1, 20)
        if position.stones[player * ROWS + row] >> column & 1
    ]


def build(black: Collection[Cell], white: Collection[Cell], side: int, result: int) -> Position:
    """Return the position with these stones and this result."""
    stones = np.zeros(2 * ROWS, dtype=np.int64)
    for player, cells in enumerate((white, black)):
        for row, column in cells:
            stones[player * ROWS + row] |= 1 << column
    position = Position(stones, len(black) + len(white), result, u64(0), side)
    return position._replace(hash=scratch_key(position))
