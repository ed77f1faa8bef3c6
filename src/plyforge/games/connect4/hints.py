"""Facts for selective search: who could complete four stones with the next move."""

from collections.abc import Iterator

from plyforge.games.connect4.evaluation import fourths
from plyforge.games.connect4.rules import Position
from plyforge.rules import ctz


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
