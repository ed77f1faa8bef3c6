"""The index of endgame databases: positions by material, from the perspective of the side to move.

A slice has the positions in which one side has some men and kings and the other side some; the
side with more pieces (or as many, and more kings) is named first.  Both sides may be to move.  A
place is the rank of the mover's men on the 28 squares where they can stand, times that of the other
men, times those of the kings on the squares that are left.
"""

import math
import re
from collections.abc import Iterator

from plyforge.games.checkers.rules import Position
from plyforge.rules import (
    SLICE_SHIFT,
    byteswap,
    choose,
    gather_bits,
    popcount,
    rank_bits,
    spread_bits,
    unrank_bits,
)

SQUARES = (1 << 32) - 1
MAN_SQUARES = 28
MAX_PIECES = 8
"""Places of slices with more pieces do not fit below `SLICE_SHIFT`."""
_NAME = re.compile(r"(K*M*|0)-(K*M*|0)")


def index(position: Position) -> int:
    pieces = popcount(position.black | position.white)
    if pieces == 0 or pieces > MAX_PIECES:
        return -1
    if position.side == 0:
        own, other = to_squares(position.black), to_squares(position.white)
        kings = to_squares(position.kings)
    else:
        own, other = rotate(to_squares(position.white)), rotate(to_squares(position.black))
        kings = rotate(to_squares(position.kings))
    men, other_men = own & ~kings, other & ~kings
    own &= kings
    other &= kings
    a, b, c, d = popcount(men), popcount(own), popcount(other_men), popcount(other)
    free = SQUARES & ~(men | other_men)
    place = rank_bits(men) * choose(MAN_SQUARES, c) + rank_bits(other_men >> 4)
    place = place * choose(32 - a - c, b) + rank_bits(gather_bits(own, free))
    place = place * choose(32 - a - c - b, d) + rank_bits(gather_bits(other, free & ~own))
    if is_stronger(a, b, c, d):
        return material_code(a, b, c, d) << SLICE_SHIFT | place
    return material_code(c, d, a, b) << SLICE_SHIFT | place + half_size(c, d, a, b)


def unindex(position: Position, number: int) -> Position:
    code = number >> SLICE_SHIFT
    place = number & ((1 << SLICE_SHIFT) - 1)
    a, b, c, d = code >> 12 & 15, code >> 8 & 15, code >> 4 & 15, code & 15
    half = half_size(a, b, c, d)
    if place >= half:
        place -= half
        a, b, c, d = c, d, a, b
    kings_size = choose(32 - a - c - b, d)
    other_rank = place % kings_size
    place //= kings_size
    own_size = choose(32 - a - c, b)
    own_rank = place % own_size
    place //= own_size
    men_size = choose(MAN_SQUARES, c)
    men = unrank_bits(place // men_size, a, MAN_SQUARES)
    other_men = unrank_bits(place % men_size, c, MAN_SQUARES) << 4
    if men & other_men:
        return Position(0, 0, 0, 0)  # no position: two men on one square
    free = SQUARES & ~(men | other_men)
    own = spread_bits(unrank_bits(own_rank, b, 32 - a - c), free)
    other = spread_bits(unrank_bits(other_rank, d, 32 - a - c - b), free & ~own)
    return Position(from_squares(men | own), from_squares(other_men | other),
                    from_squares(own | other), 0)  # fmt: skip


def material_code(a: int, b: int, c: int, d: int) -> int:
    return a << 12 | b << 8 | c << 4 | d


def is_stronger(a: int, b: int, c: int, d: int) -> bool:
    """Whether a men and b kings are named before c men and d kings."""
    return (a + b) * 16 + b >= (c + d) * 16 + d


def half_size(a: int, b: int, c: int, d: int) -> int:
    """The number of places with one side to move."""
    men = choose(MAN_SQUARES, a) * choose(MAN_SQUARES, c)
    return men * choose(32 - a - c, b) * choose(32 - a - c - b, d)


def to_squares(board: int) -> int:
    """Close the gaps of a board."""
    return board & 0xFF | board >> 1 & 0xFF00 | board >> 2 & 0xFF0000 | board >> 3 & 0xFF000000


def from_squares(squares: int) -> int:
    low = squares & 0xFF | (squares & 0xFF00) << 1
    return low | (squares & 0xFF0000) << 2 | (squares & 0xFF000000) << 3


def rotate(squares: int) -> int:
    """Turn the board by half a turn: reverse 32 bits."""
    turned = byteswap(squares) >> 32 & SQUARES
    turned = (turned & 0x0F0F0F0F) << 4 | turned >> 4 & 0x0F0F0F0F
    turned = (turned & 0x33333333) << 2 | turned >> 2 & 0x33333333
    return (turned & 0x55555555) << 1 | turned >> 1 & 0x55555555  # type: ignore[no-any-return]


def slices(position: Position, text: str) -> dict[str, tuple[int, int]]:
    """The slices of a number of pieces, as `4` or `2-4`, or of a name, as `KKM-KM` or `K-0`."""
    if not text:
        a, b, c, d = _material(position)
        return dict([_slice(a, b, c, d)])
    numbers = re.fullmatch(r"([0-9]+)(?:-([0-9]+))?", text)
    if numbers:
        first, last = int(numbers[1]), int(numbers[2] or numbers[1])
        if not 1 <= first <= last <= MAX_PIECES:
            raise ValueError(f"databases have between 1 and {MAX_PIECES} pieces, not {text}")
        return dict(_slice(*sides) for count in range(first, last + 1) for sides in _splits(count))
    name = _NAME.fullmatch(text.upper())
    if not name or text == "0-0":
        raise ValueError("a slice is a number of pieces (4, 2-4), or men and kings (KKM-KM, K-0)")
    if len((name[1] + name[2]).replace("0", "")) > MAX_PIECES:
        raise ValueError(f"databases have at most {MAX_PIECES} pieces")
    a, b, c, d = (side.count(piece) for side in name.groups() for piece in "MK")
    return dict([_slice(a, b, c, d) if is_stronger(a, b, c, d) else _slice(c, d, a, b)])


def _material(position: Position) -> tuple[int, int, int, int]:
    black, white = position.black, position.white
    men = [popcount(board & ~position.kings) for board in (black, white)]
    kings = [popcount(board & position.kings) for board in (black, white)]
    a, b, c, d = men[0], kings[0], men[1], kings[1]
    if not 0 < a + b + c + d <= MAX_PIECES:
        raise ValueError(f"databases have between 1 and {MAX_PIECES} pieces")
    return (a, b, c, d) if is_stronger(a, b, c, d) else (c, d, a, b)


def _splits(count: int) -> Iterator[tuple[int, int, int, int]]:
    """Yield the materials with this many pieces: those with fewer men, which men become, first."""
    for men in range(count + 1):
        for strong in range(-(-count // 2), count + 1):
            for a in range(min(men, strong) + 1):
                weak, c = count - strong, men - a
                if c <= weak and is_stronger(a, strong - a, c, weak - c):
                    yield a, strong - a, c, weak - c


def _slice(a: int, b: int, c: int, d: int) -> tuple[str, tuple[int, int]]:
    men = math.comb(MAN_SQUARES, a) * math.comb(MAN_SQUARES, c)
    half = men * math.comb(32 - a - c, b) * math.comb(32 - a - c - b, d)
    name = f"{'K' * b + 'M' * a or '0'}-{'K' * d + 'M' * c or '0'}"
    return name, (material_code(a, b, c, d), half if (a, b) == (c, d) else 2 * half)
