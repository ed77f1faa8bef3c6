"""Piece-square tables from formulas, in centipawns for the opening and for the ending.

Squares are as the owner of the piece sees them: rank 0 is its first rank.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
import numpy.typing as npt

from plyforge.games.chess.position import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

Pair = tuple[int, int]
"""A value for the opening and one for the ending."""


def from_edge(line: int) -> int:
    """Return the distance of a rank or file from the nearer edge, from 0 to 3."""
    return min(line, 7 - line)


def pawn(rank: int, file: int) -> Pair:
    """Forward, above all in the centre in the opening."""
    advance = rank - 1
    if not 0 <= advance <= 5:
        return 0, 0
    centre = (-7, -2, 1, 6)[from_edge(file)]
    centre_advance = 5 * min(advance, 3) if from_edge(file) == 3 else 0
    return centre + centre_advance + advance * advance, 3 * advance * advance - 2 * from_edge(file)


def knight(rank: int, file: int) -> Pair:
    """Into the centre, best beyond the middle of the board."""
    centre = from_edge(rank) + from_edge(file)
    outward = 10 if from_edge(file) == 0 else 0
    forward = (-8, -2, 2, 5, 10, 10, 2, -10)[rank]
    return 7 * centre - 22 - outward + forward, 6 * centre - 20 - outward // 2


def bishop(rank: int, file: int) -> Pair:
    """Off the first rank, and on long diagonals."""
    long_diagonal = 8 if rank in (file, 7 - file) else 0
    home = 14 if rank == 0 else 0
    centre = from_edge(rank) + from_edge(file)
    return 2 * centre + long_diagonal - home - 3, 3 * centre - 9


def rook(rank: int, file: int) -> Pair:
    """On the seventh rank, on central files in the opening."""
    seventh = 20 if rank == 6 else 0
    home = 3 * from_edge(file) - 4 if rank == 0 else -4
    return seventh + home, seventh // 2 + min(rank, 5) - 3


def queen(rank: int, file: int) -> Pair:
    """Not far ahead early, into the centre later."""
    centre = from_edge(rank) + from_edge(file)
    return centre - 2 - (3 if rank in (3, 4, 5) else 0), 5 * centre - 15


def king(rank: int, file: int) -> Pair:
    """Near a corner of the first rank while pieces are left, then into the centre."""
    corner = (20, 28, 4, -6)[from_edge(file)]
    centre = from_edge(rank) + from_edge(file)
    return corner - 24 * min(rank, 4), 9 * centre - 27 + 3 * min(rank, 4)


FORMULAS: Final[dict[int, Callable[[int, int], Pair]]] = {
    PAWN: pawn,
    KNIGHT: knight,
    BISHOP: bishop,
    ROOK: rook,
    QUEEN: queen,
    KING: king,
}


def _entry(piece: int, square: int) -> Pair:
    formula = FORMULAS.get(piece)
    return formula(square // 8, square % 8) if formula else (0, 0)


PLACES: Final[npt.NDArray[np.int64]] = np.array(
    [_entry(piece, square) for piece in range(8) for square in range(64)], dtype=np.int64
).T
"""A line for the opening and one for the ending, each by piece * 64 + square."""
