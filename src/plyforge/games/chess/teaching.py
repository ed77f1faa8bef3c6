"""An evaluation for teaching: material, and a piece-square table for knights (Buro, Tuero 2024).

Both are for the side to move, in pawns:

    material(s, p) = 10 queens + 5 rooks + 3 bishops + 3 knights + pawns
    knights(s, p)  = the sum of TKnight over the squares of p's knights

each minus the opponent's.  The value is their weighted sum; the source leaves the weights open.
"""

from typing import Final

from plyforge.games.chess.attacks import ONE
from plyforge.games.chess.features import balance, bishops, knights, pawns, queens, rooks
from plyforge.games.chess.position import Position
from plyforge.rules import ctz, u64, weighted_sum

EVALUATION_RANGE = (-200, 200)

TERMS = (
    ("queens", 10.0),
    ("rooks", 5.0),
    ("bishops", 3.0),
    ("knights", 3.0),
    ("pawns", 1.0),
    # Small, so that the best square against the worst is a fifth of a pawn.
    ("knights' squares", 0.1),
)
"""The name and the weight of each feature, in the order of `features`."""
WEIGHTS = tuple(weight for _, weight in TERMS)

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


def features(position: Position) -> tuple[int, ...]:
    return (
        balance(position, queens(position)),
        balance(position, rooks(position)),
        balance(position, bishops(position)),
        balance(position, knights(position)),
        balance(position, pawns(position)),
        knight_places(position),
    )


def evaluate(position: Position) -> float:
    return weighted_sum(features(position), WEIGHTS)


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


def terms(position: Position) -> list[tuple[str, float, float]]:
    """Return the name, the value and the weight of every feature."""
    values = features(position)
    return [(name, value, weight) for (name, weight), value in zip(TERMS, values, strict=True)]
