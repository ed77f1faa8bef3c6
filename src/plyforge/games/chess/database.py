"""The index of endgame databases: positions by material, without castling and en passant.

A slice such as KRKP has the positions with these pieces and either side to move; the side with more
pieces, or the better ones, is named first.  A place is the number of the kings' squares, then six
bits for each other piece.  Boards are mirrored so that the first king stands on the files a to d;
without pawns, also on the first four ranks and not above the diagonal.
"""

import itertools
import re
from collections.abc import Iterator
from typing import Any, Final

import numpy as np

from plyforge.games.chess.attacks import NONE, ONE
from plyforge.games.chess.position import (
    BISHOP,
    EDGES,
    KNIGHT,
    LETTERS,
    PAWN,
    QUEEN,
    ROOK,
    Position,
)
from plyforge.games.chess.rules import in_check
from plyforge.rules import SLICE_SHIFT, byteswap, ctz, popcount, u64

KINDS: Final = np.array([0, PAWN, KNIGHT, BISHOP, ROOK, QUEEN], np.int64)
"""The pieces by rank, from 1 for a pawn to 5 for a queen."""
RANKS: Final = 5
MAX_PIECES: Final = 5
KEY_BITS: Final = 3 * (MAX_PIECES - 2)
MIRROR_FILES, MIRROR_RANKS, TRANSPOSE = 1, 2, 4
CORNER: Final = [rank * 8 + file for file in range(4) for rank in range(file + 1)]
CORNER_SQUARES: Final = np.array(CORNER, np.int64)
CORNER_NUMBERS: Final = np.array(
    [CORNER.index(square) if square in CORNER else 0 for square in range(64)], np.int64
)


def index(position: Position) -> int:
    occupied = position.steppers | position.diagonals | position.straights
    if position.rights != NONE or popcount(occupied) > MAX_PIECES:
        return -1
    own, other = position.own, occupied & ~position.own
    own_key, other_key = material_key(position, own), material_key(position, other)
    if own_key < 0 or other_key < 0:
        return -1
    if own_key >= other_key:
        code = own_key << KEY_BITS | other_key
        return code << SLICE_SHIFT | rank_pieces(position, own, other, code, 0)
    code = other_key << KEY_BITS | own_key
    place = rank_pieces(position, other, own, code, MIRROR_RANKS)
    return code << SLICE_SHIFT | place + half_size(code)


def material_key(position: Position, side: u64) -> int:
    """The ranks of a side's pieces besides the king, best first, three bits each; -1 if none."""
    if popcount(side & position.steppers & position.straights & ~position.diagonals) != 1:
        return -1
    key = 0
    for number in range(RANKS):
        rank = RANKS - number
        group = squares_of(position, side, KINDS[rank])
        while group:
            key = key << 3 | rank
            group &= group - ONE
    return key


def squares_of(position: Position, side: u64, kind: int) -> Any:
    """The squares of a side's pieces of one kind."""
    steppers = position.steppers if kind & 1 else ~position.steppers
    diagonals = position.diagonals if kind & 2 else ~position.diagonals
    straights = position.straights if kind & 4 else ~position.straights
    return side & steppers & diagonals & straights


def rank_pieces(position: Position, first: u64, second: u64, code: int, turned: int) -> int:
    """The place of a position; `turned` mirrors the ranks if the second side is to move."""
    king = ctz(first & position.steppers & position.straights)
    if has_pawns(code):
        symmetry = turned | (MIRROR_FILES if king & 7 > 3 else 0)
        return rank_mirrored(position, first, second, code, symmetry)
    symmetry = (MIRROR_FILES if king & 7 > 3 else 0) | (MIRROR_RANKS if king >> 3 > 3 else 0)
    king = mirror(king, symmetry)
    if king >> 3 > king & 7:
        symmetry |= TRANSPOSE
    place = rank_mirrored(position, first, second, code, symmetry)
    if king >> 3 == king & 7:
        place = min(place, rank_mirrored(position, first, second, code, symmetry | TRANSPOSE))
    return place


def rank_mirrored(position: Position, first: u64, second: u64, code: int, symmetry: int) -> int:
    """The place of a position on a board that is mirrored."""
    kings = position.steppers & position.straights
    king = mirror(ctz(first & kings), symmetry)
    number = (king >> 3) * 4 + (king & 7) if has_pawns(code) else int(CORNER_NUMBERS[king])
    place = number << 6 | mirror(ctz(second & kings), symmetry)
    for one in range(2):
        side = first if one == 0 else second
        for rank in range(RANKS):
            group = squares_of(position, side, KINDS[RANKS - rank])
            mirrored = NONE
            while group:
                mirrored |= ONE << mirror(ctz(group), symmetry)
                group &= group - ONE
            while mirrored:
                place = place << 6 | ctz(mirrored)
                mirrored &= mirrored - ONE
    return place


def mirror(square: int, symmetry: int) -> int:
    if symmetry & MIRROR_FILES:
        square ^= 7
    if symmetry & MIRROR_RANKS:
        square ^= 56
    if symmetry & TRANSPOSE:
        square = square >> 3 | (square & 7) << 3
    return square


def has_pawns(code: int) -> bool:
    """Whether the last, weakest piece of a side is a pawn."""
    return code >> KEY_BITS & 7 == 1 or code & 7 == 1


def half_size(code: int) -> int:
    """The number of places with one side to move."""
    size = 2048 if has_pawns(code) else 640
    while code:
        if code & 7:
            size <<= 6
        code >>= 3
    return size


def unindex(position: Position, number: int) -> Position:
    code = number >> SLICE_SHIFT
    place = number & ((1 << SLICE_SHIFT) - 1)
    half = half_size(code)
    turned = place >= half
    if turned:
        place -= half
    own = steppers = diagonals = straights = occupied = NONE
    key = code & ((1 << KEY_BITS) - 1)
    first = False
    while key or not first:
        if key == 0:
            key = code >> KEY_BITS
            first = True
            if key == 0:
                break
        kind = KINDS[key & 7]
        key >>= 3
        bit = ONE << (place & 63)
        place >>= 6
        if occupied & bit or (kind == PAWN and bit & EDGES):
            return empty_board()
        occupied |= bit
        own |= bit if first else NONE
        steppers |= bit if kind & 1 else NONE
        diagonals |= bit if kind & 2 else NONE
        straights |= bit if kind & 4 else NONE
    second_king = ONE << (place & 63)
    king = place >> 6
    square = (king >> 2) * 8 + (king & 3) if has_pawns(code) else int(CORNER_SQUARES[king])
    first_king = ONE << square
    if occupied & (first_king | second_king) or first_king == second_king:
        return empty_board()
    own |= first_king
    steppers |= first_king | second_king
    straights |= first_king | second_king
    result = Position(own, steppers, diagonals, straights, NONE, 0, 0, 1)
    other = seen_by_opponent(result)
    if turned:
        result, other = other, result
    return empty_board() if in_check(other) else result


def empty_board() -> Position:
    """No position of any slice."""
    return Position(NONE, NONE, NONE, NONE, NONE, 0, 0, 1)


def seen_by_opponent(position: Position) -> Position:
    """The same pieces with the other side to move."""
    occupied = position.steppers | position.diagonals | position.straights
    return Position(
        byteswap(occupied & ~position.own),
        byteswap(position.steppers),
        byteswap(position.diagonals),
        byteswap(position.straights),
        NONE,
        0,
        0,
        1,
    )


_LETTERS: Final = "".join(LETTERS[int(KINDS[rank])] for rank in range(RANKS, 0, -1))
_NAME: Final = re.compile(f"K([{_LETTERS}]*)K([{_LETTERS}]*)")


def slices(position: Position, text: str) -> dict[str, tuple[int, int]]:
    """The slices of a number of pieces with the kings, as `3` or `3-4`, or a name, as `KRKP`."""
    if not text:
        return dict([_slice(int(index(position)) >> SLICE_SHIFT)])
    numbers = re.fullmatch("([0-9]+)(?:-([0-9]+))?", text)
    if numbers:
        low, high = int(numbers[1]), int(numbers[2] or numbers[1])
        if not 2 <= low <= high <= MAX_PIECES:
            raise ValueError(f"databases have between 2 and {MAX_PIECES} pieces, not {text}")
        return dict(_slice(code) for count in range(low, high + 1) for code in _codes(count - 2))
    name = _NAME.fullmatch(text.upper())
    if not name or len(text) > MAX_PIECES:
        raise ValueError(
            f"a slice is a number of pieces (3, 3-4), or at most {MAX_PIECES} pieces such as KRKP"
        )
    first, second = sorted((_key(name[1]), _key(name[2])), reverse=True)
    return dict([_slice(first << KEY_BITS | second)])


def _key(letters: str) -> int:
    key = 0
    for rank in sorted((RANKS - _LETTERS.index(letter) for letter in letters), reverse=True):
        key = key << 3 | rank
    return key


def _codes(extra: int) -> Iterator[int]:
    """Yield the codes of all slices with so many pieces besides kings: fewer pawns first."""
    found = set()
    for letters in itertools.product(_LETTERS, repeat=extra):
        for cut in range(extra + 1):
            pair = sorted((_key("".join(letters[:cut])), _key("".join(letters[cut:]))))
            found.add(pair[1] << KEY_BITS | pair[0])
    yield from sorted(found, key=lambda code: (_name(code).count("P"), code))


def _name(code: int) -> str:
    keys = code >> KEY_BITS, code & ((1 << KEY_BITS) - 1)
    sides = ["".join(_LETTERS[RANKS - int(rank)] for rank in f"{key:o}" if key) for key in keys]
    return f"K{sides[0]}K{sides[1]}"


def _slice(code: int) -> tuple[str, tuple[int, int]]:
    same = code >> KEY_BITS == code & ((1 << KEY_BITS) - 1)
    return _name(code), (code, half_size(code) if same else 2 * half_size(code))
