"""Opening books in the Polyglot format.

A file is a list of entries of 16 bytes, sorted by key: the key of the position, a move, its weight,
and a number for learning.  The key combines numbers of a table that belongs to the format
(`polyglot.npy`).  Polyglot's key has the right to capture en passant even where the capturing pawn
is pinned; a position here does not, so such rare positions are not found.
"""

import struct
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from plyforge.games.chess.fen import pieces, to_text
from plyforge.games.chess.position import (
    CASTLING,
    LETTERS,
    PROMOTION,
    RANK_6,
    Position,
    seen_by,
    square_number,
)
from plyforge.games.chess.san import legal_moves
from plyforge.rules import ctz

_ENTRY: Final = struct.Struct(">QHHI")
_KINDS: Final = "pPnNbBrRqQkK"
_CASTLING: Final = "KQkq"
_FIRST_CASTLING: Final = 768
_FIRST_EN_PASSANT: Final = 772
_WHITE_TO_MOVE: Final = 780
_PROMOTIONS: Final = "NBRQ"
_MAX_WEIGHT: Final = 0xFFFF

Moves = list[tuple[int, int]]
"""Moves with their weights."""


@cache
def _numbers() -> list[int]:
    return [int(number) for number in np.load(Path(__file__).with_name("polyglot.npy"))]


def polyglot_key(position: Position) -> int:
    """Return the key of a position in Polyglot files."""
    numbers, key = _numbers(), 0
    for name, piece in pieces(position).items():
        key ^= numbers[64 * _KINDS.index(piece) + square_number(name)]
    for letter in to_text(position).split()[2]:
        if letter in _CASTLING:
            key ^= numbers[_FIRST_CASTLING + _CASTLING.index(letter)]
    passed = position.rights & RANK_6
    if passed:
        key ^= numbers[_FIRST_EN_PASSANT + ctz(passed) % 8]
    return key ^ (0 if position.side else numbers[_WHITE_TO_MOVE])


def polyglot_move(position: Position, move: int) -> int:
    """Return a move as Polyglot files have it: castling is the king's capture of the rook."""
    source, target = (seen_by(position.side, move >> shift & 63) for shift in (0, 6))
    kind = move >> 15
    if kind == CASTLING:
        target += 1 if target % 8 == 6 else -2
    promotion = _PROMOTIONS.index(LETTERS[move >> 12 & 7]) + 1 if kind == PROMOTION else 0
    return target | source << 6 | promotion << 12


def read_book(data: bytes) -> Callable[[Position], Moves]:
    """Read a file; return a function that finds the moves of a position."""
    if not data or len(data) % _ENTRY.size:
        raise ValueError(
            f"{len(data):,} bytes are no Polyglot book, whose entries have {_ENTRY.size} bytes each"
        )
    entries = np.frombuffer(data, np.dtype([("key", ">u8"), ("rest", ">u8")]))
    keys = entries["key"].astype(np.uint64)
    if (keys[1:] < keys[:-1]).any():
        raise ValueError("the entries are not sorted by key, as in a Polyglot book")

    def find(position: Position) -> Moves:
        key = np.uint64(polyglot_key(position))
        known = {polyglot_move(position, move): move for move in legal_moves(position)}
        found = []
        first, last = (int(np.searchsorted(keys, key, side)) for side in ("left", "right"))
        for number in range(first, last):
            _, word, weight, _ = _ENTRY.unpack_from(data, number * _ENTRY.size)
            if word not in known:
                raise ValueError(
                    f"entry {number} has an illegal move ({word}) in position {to_text(position)}"
                )
            if weight:
                found.append((known[word], weight))
        return found

    return find


def write_book(entries: Iterable[tuple[Position, Moves]]) -> bytes:
    """Return a file with the moves of positions; weights above 65,535 are scaled down."""
    rows = []
    for position, moves in entries:
        key = polyglot_key(position)
        scale = max(1.0, max((weight for _, weight in moves), default=0) / _MAX_WEIGHT)
        for move, weight in moves:
            rows.append((key, max(1, int(weight / scale)), polyglot_move(position, move)))
    rows.sort(key=lambda row: (row[0], -row[1], row[2]))
    return b"".join(_ENTRY.pack(key, move, weight, 0) for key, weight, move in rows)
