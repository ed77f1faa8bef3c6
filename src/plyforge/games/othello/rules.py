"""Othello on a grid of 64 bits: cell (column, row) from the top left is bit 8 * row + column.

Smaller boards lie in the top left corner of the grid; cells beyond them never hold a disc,
so that no line runs through them.  One kernel serves every size.  A move is the index of a
cell, or `PASS`.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import ctz, popcount, u64

PASS = 64
SIZES = (4, 6, 8)
PHASES = 6
NONE = u64(0)
ONE = u64(1)
NOT_LEFT = u64(0xFEFE_FEFE_FEFE_FEFE)
"""Cells that a step to the right can reach."""
NOT_RIGHT = u64(0x7F7F_7F7F_7F7F_7F7F)


class Position(NamedTuple):
    mine: u64
    """The discs of the side to move."""
    theirs: u64
    board: u64
    """The cells in play."""
    side: int
    """0 when Black, who begins, is to move; 1 for White."""
    winner_takes: int
    """1 when empty cells count for the winner at the end."""


def cells_of(size: int) -> u64:
    return u64(sum(1 << 8 * row + column for row in range(size) for column in range(size)))


def initial(size: int = 8, empties: bool = False) -> Position:
    if size not in SIZES:
        raise ValueError(f"size {size}: an Othello board is 4x4, 6x6 or 8x8")
    low, high = size // 2 - 1, size // 2
    white = u64(1 << 9 * low | 1 << 9 * high)
    black = u64(1 << 8 * low + high | 1 << 8 * high + low)
    return Position(black, white, cells_of(size), 0, int(empties))


def moves(position: Position) -> Iterator[int]:
    targets = placements(position.mine, position.theirs, position.board)
    if targets == NONE and placements(position.theirs, position.mine, position.board) != NONE:
        yield PASS
    while targets != NONE:
        yield ctz(targets)
        targets &= targets - ONE


def can_move(position: Position) -> bool:
    """The side to move can place a disc; a pass is left to `moves`."""
    return bool(placements(position.mine, position.theirs, position.board))


def placements(mine: u64, theirs: u64, board: u64) -> u64:
    """The empty cells from which a line of the other side's discs leads to an own disc."""
    empty = board & ~(mine | theirs)
    inner = theirs & NOT_LEFT & NOT_RIGHT
    return empty & (
        rays(mine, inner, 1) | rays(mine, theirs, 8) | rays(mine, inner, 7) | rays(mine, inner, 9)
    )


def rays(mine: u64, through: u64, step: int) -> u64:
    """The cells beyond runs of `through` next to `mine`, both ways along a line."""
    up, down = runs(mine, through, step)
    return up << step | down >> step


def runs(start: u64, through: u64, step: int) -> tuple[u64, u64]:
    """The cells of `through` in unbroken lines from `start`: towards high bits, towards low ones.

    A line has six cells between its ends at most: two single steps, then two double ones.
    """
    up = through & (start << step)
    down = through & (start >> step)
    up |= through & (up << step)
    down |= through & (down >> step)
    pairs_up = through & (through << step)
    pairs_down = pairs_up >> step
    up |= pairs_up & (up << 2 * step)
    down |= pairs_down & (down >> 2 * step)
    up |= pairs_up & (up << 2 * step)
    down |= pairs_down & (down >> 2 * step)
    return up, down


def play(position: Position, move: int) -> Position:
    mine, theirs = position.mine, position.theirs
    if move != PASS:
        disc = ONE << move
        turned = flips(mine, theirs, disc)
        mine, theirs = mine | turned | disc, theirs & ~turned
    return Position(theirs, mine, position.board, 1 - position.side, position.winner_takes)


def flips(mine: u64, theirs: u64, disc: u64) -> u64:
    """The discs that a new one flips."""
    inner = theirs & NOT_LEFT & NOT_RIGHT
    return (
        flips_along(mine, inner, disc, 1)
        | flips_along(mine, theirs, disc, 8)
        | flips_along(mine, inner, disc, 7)
        | flips_along(mine, inner, disc, 9)
    )


def flips_along(mine: u64, through: u64, disc: u64, step: int) -> u64:
    up, down = runs(disc, through, step)
    if (up << step) & mine == NONE:
        up = NONE
    if (down >> step) & mine == NONE:
        down = NONE
    return up | down


def stuck(position: Position) -> int:
    """The difference in discs; empty cells count for the winner if the option says so."""
    mine, theirs = popcount(position.mine), popcount(position.theirs)
    empty = popcount(position.board) - mine - theirs
    if position.winner_takes and mine > theirs:
        mine += empty
    elif position.winner_takes and theirs > mine:
        theirs += empty
    return mine - theirs


def turn(position: Position) -> int:
    return position.side


def irreversible(position: Position, move: int) -> bool:
    """Whether it is not a pass: discs never leave the board."""
    return move != PASS


def phase(position: Position) -> int:
    """One phase for every ten discs; the last has a few more."""
    return min((popcount(position.mine | position.theirs) - 4) // 10, PHASES - 1)


def move_slot(position: Position, move: int) -> int:
    return move


def symmetries(position: Position) -> list[Position]:
    """The eight rotations and reflections of the board."""
    size = size_of(position)

    def image(discs: u64, transform: int) -> u64:
        result = 0
        for row in range(size):
            for column in range(size):
                if int(discs) >> 8 * row + column & 1:
                    x, y = (row, column) if transform & 1 else (column, row)
                    x = size - 1 - x if transform & 2 else x
                    y = size - 1 - y if transform & 4 else y
                    result |= 1 << 8 * y + x
        return u64(result)

    return [
        position._replace(mine=image(position.mine, t), theirs=image(position.theirs, t))
        for t in range(8)
    ]


def size_of(position: Position) -> int:
    """The number of cells along an edge."""
    return {16: 4, 36: 6, 64: 8}[popcount(position.board)]
