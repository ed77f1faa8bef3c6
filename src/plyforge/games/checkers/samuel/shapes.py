"""Features of how pieces and empty squares stand together.  Each is a difference between the sides.

The four neighbours of a square are found by shifts of 4 and 5 bits; a diagonal goes on by the same
shift.
"""

from plyforge.games.checkers.features import balance
from plyforge.games.checkers.rules import BOARD, Position
from plyforge.games.checkers.samuel.sides import (
    EDGE,
    NO_DOWN_4,
    NO_DOWN_5,
    NO_UP_4,
    NO_UP_5,
    three_of_four,
)
from plyforge.rules import popcount


def empty_squares(position: Position) -> int:
    return BOARD & ~(position.black | position.white)


def exposed(own: int, empty: int) -> int:
    return popcount(own & (empty << 4 & empty >> 4 | empty << 5 & empty >> 5))


def exposure(position: Position) -> float:
    """Pieces with two empty squares beside them along a diagonal."""
    empty = empty_squares(position)
    return balance(position, exposed(position.black, empty), exposed(position.white, empty)) / 4


def dykes(own: int) -> int:
    return popcount(own & own << 4 & own << 8) + popcount(own & own << 5 & own << 10)


def dyke(position: Position) -> float:
    """Three adjacent squares of a diagonal with pieces; a string of four counts as two."""
    return balance(position, dykes(position.black), dykes(position.white)) / 4


def in_dykes(own: int) -> int:
    rising, steep = own & own << 4 & own << 8, own & own << 5 & own << 10
    return popcount(rising | rising >> 4 | rising >> 8 | steep | steep >> 5 | steep >> 10)


def dyke_pieces(position: Position) -> float:
    """Pieces that are part of a dyke, each counted once."""
    return balance(position, in_dykes(position.black), in_dykes(position.white)) / 8


def gaps(own: int, empty: int) -> int:
    rising = own << 4 & (own >> 4 | NO_UP_4) | own >> 4 & NO_DOWN_4
    steep = own << 5 & (own >> 5 | NO_UP_5) | own >> 5 & NO_DOWN_5
    return popcount(empty & (rising | steep))


def gap(position: Position) -> float:
    """Empty squares between two pieces, or between a piece and the edge, along a diagonal."""
    empty = empty_squares(position)
    return balance(position, gaps(position.black, empty), gaps(position.white, empty)) / 8


def inner_gaps(own: int, empty: int) -> int:
    return popcount(empty & (own << 4 & own >> 4 | own << 5 & own >> 5))


def inner_gap(position: Position) -> float:
    """Empty squares between two pieces along a diagonal."""
    empty = empty_squares(position)
    black, white = inner_gaps(position.black, empty), inner_gaps(position.white, empty)
    return balance(position, black, white) / 4


def surrounded(board: int, around: int) -> int:
    """Squares of the board of which at least three neighbours are among others."""
    found = three_of_four(around << 4, around >> 4, around << 5, around >> 5)
    return popcount(board & found)


def hole(position: Position) -> float:
    """Empty squares of which at least three neighbours are the side's pieces."""
    empty = empty_squares(position)
    black, white = surrounded(empty, position.black), surrounded(empty, position.white)
    return balance(position, black, white) / 4


def node(position: Position) -> float:
    """Pieces of which at least three neighbours are empty squares."""
    empty = empty_squares(position)
    black, white = surrounded(position.black, empty), surrounded(position.white, empty)
    return balance(position, black, white) / 4


def beside_pieces(position: Position) -> int:
    """Squares with a neighbour that is occupied."""
    all_pieces = position.black | position.white
    return all_pieces << 4 | all_pieces << 5 | all_pieces >> 4 | all_pieces >> 5


def pole(position: Position) -> float:
    """Men whose neighbours are all empty; at the edge there are fewer of them."""
    alone = ~beside_pieces(position) & ~position.kings
    black, white = popcount(position.black & alone), popcount(position.white & alone)
    return balance(position, black, white) / 4


def inner_pole(position: Position) -> float:
    """Men away from the edge whose four neighbours are empty."""
    alone = ~beside_pieces(position) & ~position.kings & ~EDGE
    black, white = popcount(position.black & alone), popcount(position.white & alone)
    return balance(position, black, white) / 4
