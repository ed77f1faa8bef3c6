"""The rules of Hex, as the search compiles them.

Each side's stones are rows of bits, and so is the part of them that is linked to the side's first
edge: the upper one for Red, the left one for Blue.  A stone that does not touch this part changes
nothing but itself.  A stone that does links all stones connected to it, and wins if these reach the
side's second edge.  So a stone is linked once in a game, and no test looks at the whole board.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from plyforge.rules import LOSS, ONGOING, ctz, random_words, u64

NAME = "Hex"
PLAYERS = ("Red", "Blue")
PIECES = {"R": (0, "stone"), "B": (1, "stone")}
ALTERNATING = True
VARIANTS = ("5", "5,swap")

MAX_SIZE = 26
"""Files are letters."""
MAX_MOVES = MAX_SIZE * MAX_SIZE
SWAP = 0
"""The move that swaps pieces; others are the number of a cell, 32 * rank + file, from 1 each."""
MOVE_SLOTS = 32 * (MAX_SIZE + 1)

Cell = tuple[int, int]
"""Rank and file, both counted from 1."""

SIZE_WORDS = 2 * MOVE_SLOTS
BLUE_TO_MOVE = SIZE_WORDS + MAX_SIZE + 1
SWAP_OPEN = BLUE_TO_MOVE + 1
ZOBRIST = random_words(SWAP_OPEN + 1)
"""A random word for side s's stone on cell c at s * MOVE_SLOTS + c, for board size n at
SIZE_WORDS + n, and one each for the side to move and for a swap that is still possible."""


class Position(NamedTuple):
    """The board, who is to move, and how the game stands.

    `rows` has four parts of size + 2 rows each: Red's stones, Blue's stones, Red's linked stones,
    Blue's linked stones.  Bit f of a row is file f.  Row 0 and bit 0 stand for the edges: among the
    linked stones, row 0 is set for Red and bit 0 for Blue.
    """

    rows: NDArray[np.int64]
    side: int
    swap: bool
    """Whether the second move, not yet made, may be a swap."""
    result: int
    """What `outcome` returns."""
    hash: u64
    size: int


def initial(size: int = 11, swap: bool = False) -> Position:
    if not 1 <= size <= MAX_SIZE:
        raise ValueError(f"size: {size} is not between 1 and {MAX_SIZE}")
    return build([], [], 0, swap, size)


def turn(position: Position) -> int:
    return position.side


def moves(position: Position) -> Iterator[int]:
    """Yield every empty cell; for Blue's first move also the swap, in a variant with swap."""
    size = position.size
    board = (2 << size) - 2
    for rank in range(1, size + 1):
        free = board & ~(position.rows[rank] | position.rows[size + 2 + rank])
        while free:
            yield 32 * rank + ctz(free)
            free &= free - 1
    if may_swap(position):
        yield SWAP


def can_move(position: Position) -> bool:
    """Always: a board without an empty cell has a winner."""
    return True


def may_swap(position: Position) -> bool:
    return position.swap and position.side == 1


def play(position: Position, move: int) -> Position:
    side, size, word = position.side, position.size, position.hash
    rows = position.rows.copy()
    if move == SWAP:
        taken = only_stone(rows, size)
        take_back(rows, taken, size)
        word ^= ZOBRIST[taken]
        move = 32 * (taken & 31) + (taken >> 5)
    if may_swap(position):
        word ^= ZOBRIST[SWAP_OPEN]
    word ^= ZOBRIST[side * MOVE_SLOTS + move] ^ ZOBRIST[BLUE_TO_MOVE]
    result = LOSS if place(rows, side, move >> 5, move & 31, size) else ONGOING
    return Position(rows, 1 - side, position.swap and side == 0, result, word, size)


def only_stone(rows: NDArray[np.int64], size: int) -> int:
    """The cell of Red's first stone, the only one on the board."""
    for rank in range(1, size + 1):
        if rows[rank]:
            return 32 * rank + ctz(rows[rank])
    return 0


def take_back(rows: NDArray[np.int64], cell: int, size: int) -> None:
    """Remove Red's only stone from a board."""
    rows[cell >> 5] = 0
    rows[2 * (size + 2) + (cell >> 5)] = 0


def place(rows: NDArray[np.int64], side: int, rank: int, file: int, size: int) -> bool:
    """Put a stone on a board; return whether it joins the side's two edges."""
    own = side * (size + 2)
    linked = own + 2 * (size + 2)
    cell = 1 << file
    rows[own + rank] |= cell
    beside = (cell << 1 | cell >> 1) & rows[linked + rank]
    above = (cell | cell << 1) & rows[linked + rank - 1]
    below = (cell | cell >> 1) & rows[linked + rank + 1]
    if (beside | above | below) == 0:
        return False
    rows[linked + rank] |= cell
    files = cell | link(rows, own, linked, rank, size)
    if side == 0:
        return bool(rows[linked + size] != 0)
    return files >> size & 1 != 0


def link(rows: NDArray[np.int64], own: int, linked: int, rank: int, size: int) -> int:
    """Link the stones connected to the one newly linked in a rank; return their files."""
    files = 0
    first, last = rank, rank
    growing = True
    while growing:
        growing = False
        for r in range(max(first - 1, 1), min(last + 1, size) + 1):
            above, here, below = rows[linked + r - 1], rows[linked + r], rows[linked + r + 1]
            near = here << 1 | here >> 1 | above | above >> 1 | below | below << 1
            new = near & rows[own + r] & ~here
            if new:
                rows[linked + r] = here | new
                files |= new
                first, last = min(first, r), max(last, r)
                growing = True
    return files


def outcome(position: Position) -> int:
    return position.result


def irreversible(position: Position, move: int) -> bool:
    return True


def key(position: Position) -> u64:
    return position.hash


def scratch_key(position: Position) -> u64:
    word: u64 = ZOBRIST[SIZE_WORDS + position.size]
    if position.side == 1:
        word ^= ZOBRIST[BLUE_TO_MOVE]
    if position.swap:
        word ^= ZOBRIST[SWAP_OPEN]
    for side in range(2):
        for rank in range(1, position.size + 1):
            cells = position.rows[side * (position.size + 2) + rank]
            while cells:
                word ^= ZOBRIST[side * MOVE_SLOTS + 32 * rank + ctz(cells)]
                cells &= cells - 1
    return word


def move_slot(position: Position, move: int) -> int:
    return move


def symmetries(position: Position) -> list[Position]:
    """The position itself and rotated by 180 degrees."""
    far = position.size + 1
    red, blue = (
        [(far - rank, far - file) for rank, file in stones_of(position, side)] for side in (0, 1)
    )
    return [position, build(red, blue, position.side, position.swap, position.size)]


def stones_of(position: Position, side: int) -> list[Cell]:
    """The cells of a side's stones in reading order."""
    ranks = range(1, position.size + 1)
    start = side * (position.size + 2)
    return [(r, f) for r in ranks for f in ranks if position.rows[start + r] >> f & 1]


def build(red: Iterable[Cell], blue: Iterable[Cell], side: int, swap: bool, size: int) -> Position:
    """Return the position with these stones; joined edges were joined by the last of them."""
    height = size + 2
    rows = np.zeros(4 * height, dtype=np.int64)
    rows[2 * height] = (2 << size) - 2
    rows[3 * height + 1 : 4 * height - 1] = 1
    joined = False
    for player, cells in enumerate((red, blue)):
        for rank, file in cells:
            joined |= place(rows, player, rank, file, size)
    result = LOSS if joined else ONGOING
    position = Position(rows, side, swap, result, u64(0), size)
    return position._replace(hash=scratch_key(position))
