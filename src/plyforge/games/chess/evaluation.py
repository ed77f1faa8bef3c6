"""An evaluation in centipawns, for the side to move.

Every weight has a value for the opening and one for the ending; the pieces left on the board say
how much of each counts ("tapered evaluation").  See `features` for what is counted.
"""

import numpy as np

from plyforge.games.chess import features as count
from plyforge.games.chess.features import PHASES, balance
from plyforge.games.chess.position import Position
from plyforge.games.chess.tables import ending_of, opening_of, pack
from plyforge.rules import weighted_sum

EVALUATION_RANGE = (-30_000, 30_000)
AHEAD = 300
"""A minor piece."""

TERMS = (
    ("pawns", pack(88, 108)),
    ("knights", pack(325, 300)),
    ("bishops", pack(335, 315)),
    ("rooks", pack(475, 530)),
    ("queens", pack(975, 980)),
    ("bishop pair", pack(28, 48)),
    ("doubled pawns", pack(-9, -18)),
    ("isolated pawns", pack(-12, -10)),
    ("rooks on open files", pack(22, 8)),
    ("pawns beside the king", pack(11, 0)),
    ("knight mobility", pack(4, 3)),
    ("bishop mobility", pack(4, 5)),
    ("rook mobility", pack(2, 4)),
)
"""The name and the weight of each feature, in the order of `features`."""
WEIGHTS = tuple(weight for _, weight in TERMS)
TABLES = ("passed pawns", "placement")
"""The names of the sums of table entries, in the order of `table_sums`."""


def features(position: Position) -> tuple[int, ...]:
    return (
        balance(position, count.pawns(position)),
        balance(position, count.knights(position)),
        balance(position, count.bishops(position)),
        balance(position, count.rooks(position)),
        balance(position, count.queens(position)),
        count.bishop_pairs(position),
        count.doubled_pawns(position),
        count.isolated_pawns(position),
        count.rooks_on_open_files(position),
        count.shield(position),
        count.knight_mobility(position),
        count.bishop_mobility(position),
        count.rook_mobility(position),
    )


def table_sums(position: Position) -> tuple[int, int]:
    """Return the features that are sums of table entries, packed; their weight is 1."""
    return count.passed_pawns(position), count.placement(position)


def evaluate(position: Position) -> int:
    passed, placement = table_sums(position)
    total = weighted_sum(features(position), WEIGHTS) + passed + placement
    return taper(total, count.phase(position))


def taper(total: int, phase: int) -> int:
    """Mix both phases' values and round towards 0, so that swapped sides give the opposite."""
    parts = opening_of(total) * phase + ending_of(total) * (PHASES - phase)
    return parts // PHASES if parts >= 0 else -(-parts // PHASES)


@np.errstate(over="ignore")
def terms(position: Position) -> list[tuple[str, float, float]]:
    """Return the name, the value and the weight of every feature in this phase of the game.

    Sums over tables have a term for each phase.
    """
    early = count.phase(position) / PHASES
    result: list[tuple[str, float, float]] = [
        (name, value, opening_of(weight) * early + ending_of(weight) * (1 - early))
        for (name, weight), value in zip(TERMS, features(position), strict=True)
    ]
    for name, value in zip(TABLES, table_sums(position), strict=True):
        result.append((f"{name}, opening", opening_of(int(value)), early))
        result.append((f"{name}, ending", ending_of(int(value)), 1 - early))
    exact = sum(value * weight for _, value, weight in result)
    return [*result, ("rounding", evaluate(position) - exact, 1.0)]
