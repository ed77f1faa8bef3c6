"""An evaluation for teaching: material, and a piece-square table for knights (Buro, Tuero 2024).

Both are in view of the side to move, and in pawns:

    material(s, p) = 10 queens + 5 rooks + 3 bishops + 3 knights + pawns
    knights(s, p)  = the sum of TKnight over the squares of p's knights

each less the opponent's.  The value is their weighted sum; the weights are left open there.
"""

from typing import Final

from plyforge.games.chess import features
from plyforge.games.chess.attacks import ONE
from plyforge.games.chess.position import Position
from plyforge.rules import ctz, u64

EVALUATION_RANGE = (-200, 200)

QUEEN = 10
ROOK = 5
BISHOP = 3
KNIGHT = 3
PAWN = 1
KNIGHT_PLACES = 0.1
"""Small, so that the best square against the worst is a fifth of a pawn."""

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


def evaluate(position: Position) -> float:
    return material(position) + KNIGHT_PLACES * knight_places(position)


def material(position: Position) -> int:
    return (
        QUEEN * features.balance(position, features.queens(position))
        + ROOK * features.balance(position, features.rooks(position))
        + BISHOP * features.balance(position, features.bishops(position))
        + KNIGHT * features.balance(position, features.knights(position))
        + PAWN * features.balance(position, features.pawns(position))
    )


def knight_places(position: Position) -> int:
    """The knights' squares by the table."""
    every_knight = features.knights(position)
    return table_sum(every_knight & position.own) - table_sum(every_knight & ~position.own)


def table_sum(knights: u64) -> int:
    found = 0
    while knights:
        found += KNIGHT_TABLE[ctz(knights)]
        knights &= knights - ONE
    return found


def terms(position: Position) -> list[tuple[str, float, float]]:
    """Every feature of the sum: its name, its value and its weight."""
    return [
        ("queens", features.balance(position, features.queens(position)), QUEEN),
        ("rooks", features.balance(position, features.rooks(position)), ROOK),
        ("bishops", features.balance(position, features.bishops(position)), BISHOP),
        ("knights", features.balance(position, features.knights(position)), KNIGHT),
        ("pawns", features.balance(position, features.pawns(position)), PAWN),
        ("knights' squares", knight_places(position), KNIGHT_PLACES),
    ]
