"""A guess at who is winning, in centipawns and in view of the side to move.

Every weight has a value for the opening and one for the ending; the pieces left on the board say
how much of each counts ("tapered evaluation").  See `features` for what is counted.
"""

import numpy as np

from plyforge.games.chess import features
from plyforge.games.chess.features import PHASES
from plyforge.games.chess.position import Position
from plyforge.games.chess.tables import ending_of, opening_of, packed

EVALUATION_RANGE = (-30_000, 30_000)
AHEAD = 300
"""A minor piece."""

PAWN = packed(88, 108)
KNIGHT = packed(325, 300)
BISHOP = packed(335, 315)
ROOK = packed(475, 530)
QUEEN = packed(975, 980)
BISHOP_PAIR = packed(28, 48)
DOUBLED_PAWN = packed(-9, -18)
ISOLATED_PAWN = packed(-12, -10)
ROOK_ON_OPEN_FILE = packed(22, 8)
SHIELD = packed(11, 0)
KNIGHT_MOBILITY = packed(4, 3)
BISHOP_MOBILITY = packed(4, 5)
ROOK_MOBILITY = packed(2, 4)


def evaluate(position: Position) -> int:
    total = (
        PAWN * features.balance(position, features.pawns(position))
        + KNIGHT * features.balance(position, features.knights(position))
        + BISHOP * features.balance(position, features.bishops(position))
        + ROOK * features.balance(position, features.rooks(position))
        + QUEEN * features.balance(position, features.queens(position))
        + BISHOP_PAIR * features.bishop_pairs(position)
        + DOUBLED_PAWN * features.doubled_pawns(position)
        + ISOLATED_PAWN * features.isolated_pawns(position)
        + ROOK_ON_OPEN_FILE * features.rooks_on_open_files(position)
        + SHIELD * features.shield(position)
        + KNIGHT_MOBILITY * features.knight_mobility(position)
        + BISHOP_MOBILITY * features.bishop_mobility(position)
        + ROOK_MOBILITY * features.rook_mobility(position)
        + features.passed_pawns(position)
        + features.placement(position)
    )
    return tapered(total, features.phase(position))


def tapered(total: int, phase: int) -> int:
    """Both phases' values mixed and rounded towards 0, so that swapped sides give the opposite."""
    parts = opening_of(total) * phase + ending_of(total) * (PHASES - phase)
    return parts // PHASES if parts >= 0 else -(-parts // PHASES)


@np.errstate(over="ignore")
def terms(position: Position) -> list[tuple[str, float, float]]:
    """Every feature of the sum: its name, its value and its weight in this phase of the game.

    Sums over tables have a term for each phase.
    """
    early = features.phase(position) / PHASES
    counted = [
        ("pawns", features.balance(position, features.pawns(position)), PAWN),
        ("knights", features.balance(position, features.knights(position)), KNIGHT),
        ("bishops", features.balance(position, features.bishops(position)), BISHOP),
        ("rooks", features.balance(position, features.rooks(position)), ROOK),
        ("queens", features.balance(position, features.queens(position)), QUEEN),
        ("bishop pair", features.bishop_pairs(position), BISHOP_PAIR),
        ("doubled pawns", features.doubled_pawns(position), DOUBLED_PAWN),
        ("isolated pawns", features.isolated_pawns(position), ISOLATED_PAWN),
        ("rooks on open files", features.rooks_on_open_files(position), ROOK_ON_OPEN_FILE),
        ("pawns beside the king", features.shield(position), SHIELD),
        ("knight mobility", features.knight_mobility(position), KNIGHT_MOBILITY),
        ("bishop mobility", features.bishop_mobility(position), BISHOP_MOBILITY),
        ("rook mobility", features.rook_mobility(position), ROOK_MOBILITY),
    ]
    summed = [
        ("passed pawns", int(features.passed_pawns(position))),
        ("placement", int(features.placement(position))),
    ]
    found: list[tuple[str, float, float]] = [
        (name, value, opening_of(weight) * early + ending_of(weight) * (1 - early))
        for name, value, weight in counted
    ]
    for name, value in summed:
        found.append((f"{name}, opening", opening_of(value), early))
        found.append((f"{name}, ending", ending_of(value), 1 - early))
    exact = sum(value * weight for _, value, weight in found)
    return [*found, ("rounding", evaluate(position) - exact, 1.0)]
