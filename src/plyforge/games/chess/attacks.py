"""Attack sets on a board whose bit 0 is a1, bit 7 is h1 and bit 63 is h8.

Sliding attacks are "kindergarten bitboards": a multiplication gathers the occupied squares of one
line into six bits, which index the attacks along that line.  All tables together take 43 KB, so
they live in the first-level cache and compile quickly as constants.
See https://www.chessprogramming.org/Kindergarten_Bitboards.
"""

from typing import Any, Final

import numpy as np
import numpy.typing as npt

from plyforge.rules import u64

Table = npt.NDArray[np.uint64]

ONE: Final = u64(1)
NONE: Final = u64(0)
FILE_A: Final = u64(0x0101_0101_0101_0101)
FILE_B: Final = u64(0x0202_0202_0202_0202)
NOT_A: Final = u64(0xFEFE_FEFE_FEFE_FEFE)
NOT_H: Final = u64(0x7F7F_7F7F_7F7F_7F7F)
NOT_AB: Final = u64(0xFCFC_FCFC_FCFC_FCFC)
NOT_GH: Final = u64(0x3F3F_3F3F_3F3F_3F3F)
SIX_BITS: Final = u64(63)
# The diagonal c2-h7: times the a-file, it puts a2 to a7 into the top six bits, a7 lowest.
COLUMN_GATHER: Final = u64(0x0080_4020_1008_0400)

_KNIGHT = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
_RISING = ((1, 1), (-1, -1))
_FALLING = ((1, -1), (-1, 1))
_ROW = ((1, 0), (-1, 0))
_COLUMN = ((0, 1), (0, -1))
_KING = _RISING + _FALLING + _ROW + _COLUMN


def _walk(square: int, step: tuple[int, int]) -> list[int]:
    """The squares met from `square` to the edge in steps of (files, ranks)."""
    file, rank = square % 8 + step[0], square // 8 + step[1]
    path: list[int] = []
    while 0 <= file < 8 and 0 <= rank < 8:
        path.append(rank * 8 + file)
        file, rank = file + step[0], rank + step[1]
    return path


def _reach(steps: tuple[tuple[int, int], ...], limit: int = 7) -> Table:
    """For every square, what at most `limit` of the given steps reach on an empty board."""
    return np.array(
        [sum(1 << t for step in steps for t in _walk(s, step)[:limit]) for s in range(64)],
        dtype=np.uint64,
    )


def _row_attacks(file: int, inner: int) -> int:
    """The attacks along one row from `file`, when its files b to g are occupied as in `inner`."""
    attacked = 0
    for step in (1, -1):
        square = file + step
        while 0 <= square < 8:
            attacked |= 1 << square
            if inner << 1 >> square & 1:
                break
            square += step
    return attacked


def _fill_tables() -> tuple[Table, Table]:
    """Row attacks repeated on every rank, and the same attacks on the a-file, by place * 64 + key.

    A column's key counts from the top, see `COLUMN_GATHER`.
    """
    rows = [[_row_attacks(place, key) for key in range(64)] for place in range(8)]
    columns = [
        sum(
            1 << 8 * rank
            for rank in range(8)
            if rows[place][int(f"{key:06b}"[::-1], 2)] >> rank & 1
        )
        for place in range(8)
        for key in range(64)
    ]
    spread = [attacked * int(FILE_A) for row in rows for attacked in row]
    return np.array(spread, dtype=np.uint64), np.array(columns, dtype=np.uint64)


def _between_table() -> Table:
    """The squares strictly between two squares on one line, else none, by first * 64 + second."""
    table = [0] * 4096
    for square in range(64):
        for step in _KING:
            passed = 0
            for target in _walk(square, step):
                table[square * 64 + target] = passed
                passed |= 1 << target
    return np.array(table, dtype=np.uint64)


KNIGHT_ATTACKS: Final = _reach(_KNIGHT, 1)
KING_ATTACKS: Final = _reach(_KING, 1)
RISING: Final = _reach(_RISING)
FALLING: Final = _reach(_FALLING)
DIAGONALS: Final = _reach(_RISING + _FALLING)
STRAIGHTS: Final = _reach(_ROW + _COLUMN)
ROW: Final = _reach(_ROW)
ROW_FILL, COLUMN_FILL = _fill_tables()
BETWEEN: Final = _between_table()


def bishop_attacks(square: int, occupied: u64) -> Any:
    """The squares a bishop attacks, the first occupied one in each direction included."""
    place = u64(square & 7) << 6
    rising = RISING[square]
    falling = FALLING[square]
    up = ROW_FILL[place | ((rising & occupied) * FILE_B) >> 58]
    down = ROW_FILL[place | ((falling & occupied) * FILE_B) >> 58]
    return (rising & up) | (falling & down)


def rook_attacks(square: int, occupied: u64) -> Any:
    """The squares a rook attacks, the first occupied one in each direction included."""
    file = square & 7
    row_key = (occupied >> ((square & 56) + 1)) & SIX_BITS
    column_key = (((occupied >> file) & FILE_A) * COLUMN_GATHER) >> 58
    row = ROW[square] & ROW_FILL[u64(file) << 6 | row_key]
    return row | COLUMN_FILL[u64(square & 56) << 3 | column_key] << file


def knights_attacks(knights: u64) -> Any:
    """The squares that any of several knights attacks."""
    near = ((knights >> 1) & NOT_H) | ((knights << 1) & NOT_A)
    far = ((knights >> 2) & NOT_GH) | ((knights << 2) & NOT_AB)
    return (near << 16) | (near >> 16) | (far << 8) | (far >> 8)


def pawns_attacks_up(pawns: u64) -> Any:
    """The squares that the mover's pawns attack."""
    return ((pawns & NOT_A) << 7) | ((pawns & NOT_H) << 9)


def pawns_attacks_down(pawns: u64) -> Any:
    """The squares that the opponent's pawns attack."""
    return ((pawns & NOT_A) >> 9) | ((pawns & NOT_H) >> 7)
