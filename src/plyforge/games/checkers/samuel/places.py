"""Features of the squares on which pieces stand.  Each is a difference between the sides."""

from plyforge.games.checkers import features as count
from plyforge.games.checkers.features import balance
from plyforge.games.checkers.rules import Position
from plyforge.games.checkers.samuel.sides import (
    DOUBLE_FILES,
    FAR_FILES,
    NEAR_FILES,
    mask_of,
)
from plyforge.rules import popcount

LOW_MIDDLE, HIGH_MIDDLE = mask_of(*range(9, 17)), mask_of(*range(17, 25))
"""Rows three and four, and rows five and six, as Black counts them."""
APEX = mask_of(7, 26)
LOW_BRIDGE, HIGH_BRIDGE = mask_of(1, 3), mask_of(30, 32)
LOW_TRIANGLE, HIGH_TRIANGLE = mask_of(2, 3, 7), mask_of(26, 30, 31)
LOW_CRAMP, HIGH_CRAMP = mask_of(13), mask_of(20)
LOW_HELP, HIGH_HELP = mask_of(9, 14), mask_of(19, 24)
LOW_CRAMPED, HIGH_CRAMPED = mask_of(8, 11, 12, 16), mask_of(17, 21, 22, 25)


def advancement(position: Position) -> float:
    """Men in the fifth and sixth rows from home, less those in the third and fourth."""
    plain = ~position.kings
    black, white = position.black & plain, position.white & plain
    high = balance(position, popcount(black & HIGH_MIDDLE), -popcount(white & HIGH_MIDDLE))
    low = balance(position, -popcount(black & LOW_MIDDLE), popcount(white & LOW_MIDDLE))
    return (high + low) / 4


def rows_advanced(position: Position) -> float:
    """Rows that all men have advanced."""
    return count.advancement(position) / 32


def centre_control(position: Position) -> float:
    """Men on the eight squares of the centre."""
    return count.men_in_centre(position) / 4


def pieces_in_centre(position: Position) -> float:
    """Men and kings on the eight squares of the centre."""
    return (count.men_in_centre(position) + count.kings_in_centre(position)) / 4


def king_centre_control(position: Position) -> float:
    """Kings on the eight squares of the centre."""
    return count.kings_in_centre(position) / 2


def double_diagonal(position: Position) -> float:
    """Pieces on the two diagonals between the double corners."""
    black, white = popcount(position.black & DOUBLE_FILES), popcount(position.white & DOUBLE_FILES)
    return balance(position, black, white) / 4


def moment(board: int) -> int:
    """Three for a piece on the double-corner files, two beside them, one on the next diagonals."""
    near, far = popcount(board & NEAR_FILES), popcount(board & FAR_FILES)
    return 3 * popcount(board & DOUBLE_FILES) + 2 * near + far


def diagonal_moment(position: Position) -> float:
    """Nearness to the double-corner files: 3/2 on them, 1 beside them, 1/2 on the next ones."""
    return balance(position, moment(position.black), moment(position.white)) / 16


def apex(position: Position) -> float:
    """-1 if the opponent alone has a man on 7 or 26; only without kings on the board."""
    black, white = int(position.black & APEX != 0), int(position.white & APEX != 0)
    return float(balance(position, black, white) * int(position.kings == 0))


def holds(board: int, squares: int) -> int:
    """1 if all the squares are occupied, else 0."""
    return int(board & squares == squares)


def no_kings(board: int, kings: int) -> int:
    """1 if a side has no king, else 0."""
    return int(board & kings == 0)


def back_row_bridge(position: Position) -> float:
    """1 for both bridge squares, 1 and 3 or 30 and 32; only if the opponent has no king."""
    black = holds(position.black, LOW_BRIDGE) & no_kings(position.white, position.kings)
    white = holds(position.white, HIGH_BRIDGE) & no_kings(position.black, position.kings)
    return float(balance(position, black, white))


def lasting_bridge(position: Position) -> float:
    """1 for both bridge squares, whatever kings there are."""
    black, white = holds(position.black, LOW_BRIDGE), holds(position.white, HIGH_BRIDGE)
    return float(balance(position, black, white))


def triangle_of_oreo(position: Position) -> float:
    """1 for the squares 2, 3 and 7, or 26, 30 and 31; only if the opponent has no king."""
    black = holds(position.black, LOW_TRIANGLE) & no_kings(position.white, position.kings)
    white = holds(position.white, HIGH_TRIANGLE) & no_kings(position.black, position.kings)
    return float(balance(position, black, white))


def lasting_triangle(position: Position) -> float:
    """1 for the squares of the triangle, whatever kings there are."""
    black, white = holds(position.black, LOW_TRIANGLE), holds(position.white, HIGH_TRIANGLE)
    return float(balance(position, black, white))


def guard(position: Position) -> float:
    """1 for the bridge or the triangle; only if the opponent has no king."""
    low = holds(position.black, LOW_BRIDGE) | holds(position.black, LOW_TRIANGLE)
    high = holds(position.white, HIGH_BRIDGE) | holds(position.white, HIGH_TRIANGLE)
    black = low & no_kings(position.white, position.kings)
    white = high & no_kings(position.black, position.kings)
    return float(balance(position, black, white))


def cramp(position: Position) -> float:
    """1 for a piece that cramps the opponent, with a helper beside it.

    Black cramps from 13 with 9 or 14, if White occupies 17, 21, 22 and 25; White from 20 with 19
    or 24, if Black occupies 8, 11, 12 and 16.
    """
    black, white = position.black, position.white
    low = holds(black, LOW_CRAMP) & holds(white, HIGH_CRAMPED) & int(black & LOW_HELP != 0)
    high = holds(white, HIGH_CRAMP) & holds(black, LOW_CRAMPED) & int(white & HIGH_HELP != 0)
    return float(balance(position, low, high))
