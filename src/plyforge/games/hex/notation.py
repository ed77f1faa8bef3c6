"""Hex positions and moves in text, and the board as a picture.

A position is its ranks from 1, `.` for an empty cell, then the side to move and, while a swap is
still possible, `swap`: `.../.R./... B swap`.
"""

from functools import cache

from plyforge.games.hex.rules import (
    MAX_SIZE,
    PLAYERS,
    SWAP,
    Cell,
    Position,
    build,
    may_swap,
    stones_of,
)
from plyforge.rules import LOSS, Geometry, hexagons


def name(cell: Cell) -> str:
    """File letter and rank number.

    >>> name((2, 5))
    'e2'
    """
    return f"{chr(ord('a') + cell[1] - 1)}{cell[0]}"


@cache
def cells_by_name(size: int) -> dict[str, Cell]:
    """The cells of a board by name, in reading order."""
    span = range(1, size + 1)
    return {name((rank, file)): (rank, file) for rank in span for file in span}


def to_text(position: Position) -> str:
    """The ranks, the side to move, and `swap` if the second move may be a swap.

    >>> to_text(from_text("r./.. b"))
    'R./.. B'
    """
    return _format(position.size, pieces(position), position.side, position.swap)


def _format(size: int, stones: dict[str, str], side: int, swap: bool) -> str:
    span = range(1, size + 1)
    ranks = ("".join(stones.get(name((rank, file)), ".") for file in span) for rank in span)
    return f"{'/'.join(ranks)} {PLAYERS[side][0]}{' swap' if swap else ''}"


def from_text(text: str) -> Position:
    """Return the position that a text describes; `ValueError` says why no game leads there."""
    words = text.split()
    if len(words) not in (2, 3):
        raise ValueError(f"'{text}' is not 'ranks side-to-move' or 'ranks side-to-move swap'")
    ranks = _read_ranks(words[0])
    size = len(ranks)
    cells = {(r, f): ranks[r - 1][f - 1] for r in range(1, size + 1) for f in range(1, size + 1)}
    red, blue = ([cell for cell, stone in cells.items() if stone == side] for side in "RB")
    side = {"R": 0, "B": 1}.get(words[1].upper())
    if side is None:
        raise ValueError(f"side to move: '{words[1]}' is neither R nor B")
    _check_counts(len(red), len(blue), side)
    swap = len(words) == 3
    if swap:
        _check_swap(words[2], len(red), len(blue), side)
    _check_joined(red, blue, side, size)
    return build(red, blue, side, swap, size)


def _read_ranks(text: str) -> list[str]:
    ranks = text.upper().split("/")
    if len(ranks) > MAX_SIZE:
        raise ValueError(f"board: {len(ranks)} ranks; a board has at most {MAX_SIZE}")
    for number, rank in enumerate(ranks, 1):
        for letter in rank:
            if letter not in "RB.":
                raise ValueError(f"rank {number}: '{letter}' is not R, B or .")
        if len(rank) != len(ranks):
            raise ValueError(
                f"rank {number}: '{rank}' has {len(rank)} cells, but the board has {len(ranks)}"
                " ranks and must have as many files"
            )
    return ranks


def _check_counts(red: int, blue: int, side: int) -> None:
    """Without a swap Red has as many stones as Blue or one more; after one it lacks a stone."""
    surplus = red - blue - side
    if surplus != 0 and (surplus != -1 or blue == 0):
        raise ValueError(
            f"side to move: {PLAYERS[side]} cannot be to move with {red} red and {blue} blue stones"
        )


def _check_swap(text: str, red: int, blue: int, side: int) -> None:
    if text.lower() != "swap":
        raise ValueError(f"swap: expected 'swap', not '{text}'")
    if red != side or blue != 0:
        raise ValueError("swap: it is only possible before the second move")


def _check_joined(red: list[Cell], blue: list[Cell], side: int, size: int) -> None:
    """Raise if edges are joined other than by the last stone, which is the other side's."""
    own, other = (red, blue) if side == 0 else (blue, red)
    if _joins_edges(own, side, size):
        raise ValueError(f"side to move: {PLAYERS[side]} has joined its edges already")
    if _joins_edges(other, 1 - side, size) and all(
        _joins_edges([stone for stone in other if stone != last], 1 - side, size) for last in other
    ):
        raise ValueError(
            f"board: {PLAYERS[1 - side]} joined its edges before it placed its last stone"
        )


def _joins_edges(stones: list[Cell], side: int, size: int) -> bool:
    red, blue = (stones, []) if side == 0 else ([], stones)
    return build(red, blue, 0, False, size).result == LOSS


def move_text(position: Position, move: int) -> str:
    return "swap" if move == SWAP else name((move >> 5, move & 31))


def parse_move(position: Position, text: str) -> int:
    """Return the move of a cell such as `e2`; `swap` and `swap-pieces` both mean the swap."""
    word = text.strip().lower()
    if word in ("swap", "swap-pieces"):
        if not may_swap(position):
            raise ValueError(
                f"'{text}': only the second move may be a swap, and only in a variant with swap"
            )
        return SWAP
    if word not in cells_by_name(position.size):
        raise ValueError(f"'{text}' is not a cell of the board of size {position.size}")
    rank, file = cells_by_name(position.size)[word]
    if (position.rows[rank] | position.rows[position.size + 2 + rank]) >> file & 1:
        raise ValueError(f"'{text}' is taken")
    return 32 * rank + file


def geometry(position: Position) -> Geometry:
    """The rhombus with a1 at the upper left; each rank lies half a cell right of the one above."""
    cells = cells_by_name(position.size).items()
    far = position.size
    a1, end, a_last, last = (name(cell) for cell in ((1, 1), (1, far), (far, 1), (far, far)))
    edges = [(0, (a1, end)), (0, (a_last, last)), (1, (a1, a_last)), (1, (end, last))]
    return hexagons({word: (file + rank, rank) for word, (rank, file) in cells}, edges)


def pieces(position: Position) -> dict[str, str]:
    return {name(cell): "RB"[side] for side in (0, 1) for cell in stones_of(position, side)}


def arrange(position: Position, pieces: dict[str, str], side: int) -> Position:
    """A swap is possible if `position` allows it and the second move has not been made."""
    swap = bool(position.swap) and list(pieces.values()) == ["R"] * side
    return from_text(_format(position.size, pieces, side, swap))


def move_cells(position: Position, move: int) -> list[str]:
    """The cell of the stone; for a swap, the cells of the old and the new stone."""
    if move != SWAP:
        return [move_text(position, move)]
    ((rank, file),) = stones_of(position, 0)
    return [name((rank, file)), name((file, rank))]
