"""Checkers by patterns: the features by hand, and what the men on eight squares are worth together.

A pattern is a set of eight squares.  Its index is their content as a number with base 3, seen by
the side to move, whose men move up: 0 no man, 1 a man of the mover, 2 one of the opponent.  There
are two kinds: two neighbouring rows, and four rows of two squares side by side.  Kings are not part
of patterns; they count by their square.  Every weight has a value for a full board and one for an
empty one, and the number of pieces decides how much of each counts.

    F. Letouzey's program Scan plays international draughts with such patterns, fitted by logistic
    regression to the results of games.

The four bytes of a board, two rows each, are looked up in tables of packed indices: a word adds up
the indices of four patterns at once, 16 bits each.  The weights are in weights/patterns.npz;
docs/games/checkers.md says how they were made.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from plyforge.games.checkers.evaluation import FEATURES
from plyforge.games.checkers.rules import Position
from plyforge.rules import ctz, linear, popcount, table

EVALUATION_RANGE = (-100.0, 100.0)
WEIGHTS_FILE = "weights/patterns.npz"

PIECES: Final = 24
"""The number of pieces of a full board."""
TOP_BIT: Final = 34
"""The bit of the last square; the opponent sees square 34 - b where the mover sees b."""
SIZE: Final = 3**8
PATTERNS: Final = 16
BYTE, FIELD = 255, 0xFFFF
_ROW_BITS: Final = 9
"""Two rows take eight bits, and a ninth is left out."""

Sixteen = tuple[int, ...]


def pattern_squares() -> list[list[int]]:
    """Return the squares of each pattern, from 0 to 31 as the mover counts them."""
    rows = [[4 * row + column for column in range(8)] for row in range(7)]
    blocks = [
        [4 * (row + step) + column + side for step in range(4) for side in range(2)]
        for row in (0, 2, 4)
        for column in range(3)
    ]
    return rows + blocks


def packed_indices() -> NDArray[np.int64]:
    """Return the table of packed indices, by the mover's side, word, pair of rows and byte.

    For White to move the board is turned: its last byte, reversed, is the first one.
    """
    squares = pattern_squares()
    found = np.zeros((2, PATTERNS // 4, 4, 256), np.int64)
    for side in range(2):
        for pattern, cells in enumerate(squares):
            for digit, square in enumerate(cells):
                seen = 31 - square if side else square
                bits = np.arange(256) >> seen % 8 & 1
                worth = 3**digit << 16 * (pattern % 4)
                found[side, pattern // 4, seen // 8] += bits * worth
    return found.reshape(-1)


PACKED: Final = packed_indices()


def men_of(position: Position) -> tuple[int, int, int]:
    """Return the men of the mover, those of the opponent, and where the mover's tables begin."""
    black, white = position.black & ~position.kings, position.white & ~position.kings
    if position.side == 0:
        return black, white, 0
    return white, black, len(PACKED) // 2


def packed_sum(men: int, start: int) -> int:
    """Return the packed indices of one side's men, from the tables of a word."""
    total = PACKED[start + (men & BYTE)] + PACKED[start + 256 + (men >> _ROW_BITS & BYTE)]
    total += PACKED[start + 512 + (men >> 2 * _ROW_BITS & BYTE)]
    return int(total + PACKED[start + 768 + (men >> 3 * _ROW_BITS & BYTE)])


def men_patterns(position: Position) -> Sixteen:
    """Return the index of every pattern; each has its own part of the table."""
    mine, theirs, start = men_of(position)
    a = packed_sum(mine, start) + 2 * packed_sum(theirs, start)
    b = packed_sum(mine, start + 1024) + 2 * packed_sum(theirs, start + 1024)
    c = packed_sum(mine, start + 2048) + 2 * packed_sum(theirs, start + 2048)
    d = packed_sum(mine, start + 3072) + 2 * packed_sum(theirs, start + 3072)
    return (
        a & FIELD,
        SIZE + (a >> 16 & FIELD),
        2 * SIZE + (a >> 32 & FIELD),
        3 * SIZE + (a >> 48 & FIELD),
        4 * SIZE + (b & FIELD),
        5 * SIZE + (b >> 16 & FIELD),
        6 * SIZE + (b >> 32 & FIELD),
        7 * SIZE + (b >> 48 & FIELD),
        8 * SIZE + (c & FIELD),
        9 * SIZE + (c >> 16 & FIELD),
        10 * SIZE + (c >> 32 & FIELD),
        11 * SIZE + (c >> 48 & FIELD),
        12 * SIZE + (d & FIELD),
        13 * SIZE + (d >> 16 & FIELD),
        14 * SIZE + (d >> 32 & FIELD),
        15 * SIZE + (d >> 48 & FIELD),
    )


def king_places(position: Position, entries: Any) -> Any:
    """Add up the squares of the mover's kings, and subtract those of the opponent's."""
    own, other = (
        (position.black, position.white) if position.side == 0 else (position.white, position.black)
    )
    mine, theirs = own & position.kings, other & position.kings
    flip = TOP_BIT if position.side else 0
    total = entries[0] - entries[0]  # a zero of the type of the entries
    while mine:
        bit = ctz(mine)
        total += entries[flip - bit if flip else bit]
        mine &= mine - 1
    while theirs:
        bit = ctz(theirs)
        total -= entries[bit if flip else TOP_BIT - bit]
        theirs &= theirs - 1
    return total


def one(position: Position) -> int:
    """What having the move is worth."""
    return 1


def pieces(position: Position) -> int:
    """Return the number of pieces."""
    return popcount(position.black | position.white)


def with_patterns(features: Mapping[str, Any]) -> Any:
    """Return the form of an evaluation: features with their weights, patterns and kings."""
    return linear(
        {
            **{name: (feature, (weight, weight)) for name, (feature, weight) in features.items()},
            "to move": (one, (0.0, 0.0)),
            "kings by square": table(king_places, TOP_BIT + 1),
            "patterns of men": table(men_patterns, PATTERNS * SIZE, PATTERNS),
        },
        blend=(pieces, PIECES),
    )


EVALUATION = with_patterns(FEATURES)
