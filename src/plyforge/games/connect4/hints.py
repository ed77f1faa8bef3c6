"""Facts for selective search: who could complete four stones with the next move."""

from collections.abc import Iterator

from plyforge.games.connect4.evaluation import fourths
from plyforge.games.connect4.rules import BITS, Position, columns_of
from plyforge.rules import LOSS, ONGOING, WIN, ctz, popcount, random_words, u64

HEIGHTS = random_words(BITS + 1)
"""A random word for each number of rows."""


def completing_moves(position: Position, stones: int) -> int:
    """The cells that can be filled now and complete four of these stones."""
    board = position.floor * ((1 << position.rows) - 1)
    return position.stones + position.floor & board & fourths(stones, position.rows + 1)


def in_check(position: Position) -> bool:
    """Whether the other side threatens to win with its next move."""
    return completing_moves(position, position.stones ^ position.mine) != 0


def noisy_moves(position: Position) -> Iterator[int]:
    """Yield the moves that complete four stones of either side: wins, and blocked wins."""
    theirs = position.stones ^ position.mine
    cells = completing_moves(position, position.mine) | completing_moves(position, theirs)
    while cells:
        yield ctz(cells)
        cells &= cells - 1


def quick_value(position: Position) -> int:
    """Whether the next two plies decide the game."""
    mine, theirs, height = position.mine, position.stones ^ position.mine, position.rows + 1
    board = position.floor * ((1 << position.rows) - 1)
    landing = position.stones + position.floor & board
    if landing & fourths(mine, height):
        return WIN - 1
    threats = board & fourths(theirs, height)
    forced = landing & threats
    if forced:
        landing = forced
        if forced & (forced - 1):
            return LOSS + 2
    # A stone below a threat lets the other side fill it.
    if landing and landing & ~(threats >> 1) == 0:
        return LOSS + 2
    return ONGOING


def loses_at_once(position: Position, move: int) -> bool:
    """Whether the other side can complete four stones after a move that does not win."""
    theirs, board = position.stones ^ position.mine, position.floor * ((1 << position.rows) - 1)
    after, height = position.stones | 1 << move, position.rows + 1
    if after + position.floor & board & fourths(theirs, height) == 0:
        return False
    return fourths(position.mine, height) >> move & 1 == 0


def move_priority(position: Position, move: int) -> int:
    """The number of threats after a move; among equals, columns in the middle come first."""
    height = position.rows + 1
    mine = position.mine | 1 << move
    empty = position.floor * ((1 << position.rows) - 1) & ~(position.stones | 1 << move)
    column = move // height
    centre = min(column, columns_of(position) - 1 - column)
    return 64 * popcount(empty & fourths(mine, height)) + centre


def canonical_key(position: Position) -> u64:
    """The smaller of the keys of a position and of its mirror image."""
    height = position.rows + 1
    column = (1 << height) - 1
    code = position.stones + position.mine + position.floor
    image, rest, shift = 0, code, (columns_of(position) - 1) * height
    while shift >= 0:
        image |= (rest & column) << shift
        rest >>= height
        shift -= height
    word: u64 = HEIGHTS[position.rows]
    return word ^ u64(min(code, image))
