"""Breakthrough on 8x8: reach the far row (Dan Troyka, 2000).

A piece steps one row ahead, straight or diagonally, onto a square without a piece of its own side;
it captures diagonally only.  64 squares need all 64 bits of a word, more than a plain int has, so
boards are `u64`, and so is every number that meets one: `board & u64(1)`, never `board & 1`.
"""

from collections.abc import Iterator
from typing import NamedTuple

from plyforge.rules import LOSS, ONGOING, Geometry, byteswap, ctz, squares, u64

NAME = "Breakthrough"
PLAYERS = ("White", "Black")
MAX_MOVES = 48  # 16 pieces with three steps each
ALTERNATING = True
ONE, HOME, NEAR = u64(1), u64(0xFFFF), u64(0xFF)  # a bit, my first two rows, my first row
FILE_A, FILE_H = u64(0x0101010101010101), u64(0x8080808080808080)


class Position(NamedTuple):  # the board is turned around after each move: the mover moves up
    mine: u64  # the side to move; rows count from its own end, file a first
    theirs: u64
    side: int  # 0 White, 1 Black


def initial() -> Position:
    return Position(HOME, byteswap(HOME), 0)


def moves(position: Position) -> Iterator[int]:
    # A move is 64 * from + to, as the mover sees the board.
    left = (position.mine & ~FILE_A) << u64(7) & ~position.mine
    ahead = position.mine << u64(8) & ~(position.mine | position.theirs)
    right = (position.mine & ~FILE_H) << u64(9) & ~position.mine
    for targets, step in ((left, 7), (ahead, 8), (right, 9)):
        while targets:
            end = ctz(targets)
            yield 64 * (end - step) + end
            targets &= targets - ONE  # clears the lowest bit


def play(position: Position, move: int) -> Position:
    start, end = ONE << u64(move // 64), ONE << u64(move % 64)
    mine, theirs = position.mine ^ start | end, position.theirs & ~end
    return Position(byteswap(theirs), byteswap(mine), 1 - position.side)


def outcome(position: Position) -> int:
    return LOSS if position.theirs & NEAR else ONGOING  # they have just reached my first row


def turn(position: Position) -> int:
    return position.side


def irreversible(position: Position, move: int) -> bool:
    return True


def to_text(position: Position) -> str:
    stones = pieces(position)  # rows from the top, then the side to move
    rows = ("".join(stones.get(file + rank, ".") for file in "abcdefgh") for rank in "87654321")
    return f"{'/'.join(rows)} {'wb'[position.side]}"


def from_text(text: str) -> Position:
    rows, _, side = text.strip().partition(" ")
    if [len(row) for row in rows.split("/")] != [8] * 8 or set(rows) - set("wb./"):
        raise ValueError(f"'{rows}' is not eight rows of eight squares w, b or .")
    if side not in ("w", "b"):
        raise ValueError(f"side to move '{side}': it must be w or b")
    cells = "".join(reversed(rows.split("/")))
    stones = {_name(square, 0): piece for square, piece in enumerate(cells) if piece != "."}
    return arrange(initial(), stones, "wb".index(side))


def move_text(position: Position, move: int) -> str:
    return "-".join(move_cells(position, move))


def geometry(position: Position) -> Geometry:
    return squares(8, 8, shaded=lambda column, row: (column + row) % 2 == 1)


def pieces(position: Position) -> dict[str, str]:
    side = position.side
    boards = ((position.mine, "wb"[side]), (position.theirs, "bw"[side]))
    return {_name(s, side): piece for b, piece in boards for s in range(64) if int(b) >> s & 1}


def arrange(position: Position, pieces: dict[str, str], side: int) -> Position:
    if max(list(pieces.values()).count(piece) for piece in "wb") > 16:
        raise ValueError("a side has at most 16 pieces")
    mine, theirs = (
        u64(sum(1 << square for square in range(64) if pieces.get(_name(square, side)) == piece))
        for piece in ("wb", "bw")[side]
    )
    return Position(mine, theirs, side)


def move_cells(position: Position, move: int) -> list[str]:
    return [_name(move // 64, position.side), _name(move % 64, position.side)]


def _name(square: int, side: int) -> str:
    return f"{'abcdefgh'[square % 8]}{square // 8 + 1 if side == 0 else 8 - square // 8}"
