"""Piece-square tables for the opening and for the ending.

A table is the sum of a value per rank and one per file, which is enough to say "forward", "into
the centre" and "the king behind its pawns".  Values are centipawns; ranks and files as the owner
of the piece sees them.
"""

from typing import Final

import numpy as np
import numpy.typing as npt

from plyforge.games.chess.position import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK

Line = tuple[int, int, int, int, int, int, int, int]

FLAT: Final[Line] = (0, 0, 0, 0, 0, 0, 0, 0)

# By piece: ranks 1 to 8 and files a to h in the opening, then the same in the ending.
LINES: Final[dict[int, tuple[Line, Line, Line, Line]]] = {
    PAWN: (
        (0, 0, 2, 10, 18, 35, 60, 0),
        (-8, -3, 0, 8, 8, -5, -3, -8),
        (0, -5, 0, 8, 20, 40, 75, 0),
        (4, 2, 0, -3, -3, 0, 2, 4),
    ),
    KNIGHT: (
        (-22, -8, 4, 10, 14, 12, 2, -20),
        (-24, -8, 6, 10, 10, 6, -8, -24),
        (-16, -6, 4, 8, 8, 4, -6, -16),
        (-20, -8, 4, 8, 8, 4, -8, -20),
    ),
    BISHOP: (
        (-14, 4, 6, 6, 6, 4, -4, -12),
        (-6, 2, 2, 4, 4, 2, 2, -6),
        (-6, -2, 2, 4, 4, 2, -2, -6),
        (-6, -2, 2, 4, 4, 2, -2, -6),
    ),
    ROOK: (
        (-2, -6, -6, -4, 0, 4, 18, 8),
        (-6, -3, 2, 7, 7, 2, -3, -6),
        (-4, -3, 0, 2, 4, 6, 10, 6),
        FLAT,
    ),
    QUEEN: (
        (-4, 2, 2, 0, 0, 2, 2, 0),
        (-4, -2, 0, 2, 2, 0, -2, -4),
        (-16, -8, 2, 10, 12, 8, 4, -4),
        (-8, -3, 3, 8, 8, 3, -3, -8),
    ),
    KING: (
        (16, -4, -26, -40, -50, -55, -60, -65),
        (10, 24, 6, -14, -10, -10, 26, 12),
        (-26, -6, 6, 14, 18, 16, 4, -16),
        (-20, -6, 6, 10, 10, 6, -6, -20),
    ),
}
PASSED: Final = ((0, 2, 4, 12, 28, 52, 85, 0), (0, 8, 12, 26, 50, 90, 145, 0))
"""The bonus for a passed pawn by rank, in the opening and in the ending."""


def _squares(piece: int) -> list[tuple[int, int]]:
    """Return the values of a piece in the opening and in the ending, by square."""
    ranks, files, late_ranks, late_files = LINES.get(piece, (FLAT,) * 4)
    return [
        (ranks[rank] + files[file], late_ranks[rank] + late_files[file])
        for rank in range(8)
        for file in range(8)
    ]


PLACES: Final[npt.NDArray[np.int64]] = np.array(
    [values for piece in range(8) for values in _squares(piece)], dtype=np.int64
).T
"""A line for the opening and one for the ending, each by piece * 64 + square."""
