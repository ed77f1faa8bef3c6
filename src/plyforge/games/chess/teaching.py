"""An evaluation for teaching: material, and a piece-square table for knights (Buro, Tuero 2024).

Both are for the side to move, in pawns:

    material(s, p) = 10 queens + 5 rooks + 3 bishops + 3 knights + pawns
    knights(s, p)  = the sum of TKnight over the squares of p's knights

each minus the opponent's.  The value is their weighted sum; the source leaves the weights open.
"""

from typing import Final

from plyforge.games.chess.attacks import ONE
from plyforge.games.chess.features import (
    bishop_balance,
    knight_balance,
    knights,
    pawn_balance,
    queen_balance,
    rook_balance,
)
from plyforge.games.chess.position import Position
from plyforge.rules import ctz, u64

EVALUATION_RANGE = (-200, 200)

KNIGHT_TABLE: Final = (
    1, 1, 1, 1, 1, 1, 1, 1,
    1, 2, 2, 2, 2, 2, 2, 1,
    1, 2, 3, 3, 3, 3, 2, 1,
    1, 2, 3, 3, 3, 3, 2, 1,
    1, 2, 3, 3, 3, 3, 2, 1,
    1, 2, 3, 3, 3, 3, 2, 1,
    1, 2, 2, 2, 2, 2, 2, 1,
    1, 1, 1, 1, 1, 1, 1, 1,
)  # fmt: skip
"""By square; the same for both sides."""


def knight_places(position: Position) -> int:
    """Return the sum of the table over the mover's knights minus that over the opponent's."""
    every_knight = knights(position)
    return table_sum(every_knight & position.own) - table_sum(every_knight & ~position.own)


def table_sum(squares: u64) -> int:
    total = 0
    while squares:
        total += KNIGHT_TABLE[ctz(squares)]
        squares &= squares - ONE
    return total


FEATURES = {
    "queens": (queen_balance, 10.0),
    "rooks": (rook_balance, 5.0),
    "bishops": (bishop_balance, 3.0),
    "knights": (knight_balance, 3.0),
    "pawns": (pawn_balance, 1.0),
    # Small, so that the best square against the worst is a fifth of a pawn.
    "knights' squares": (knight_places, 0.1),
}
