"""The sum of piece-square values, kept up to date move by move."""

from typing import Any

from plyforge.games.chess.attacks import ONE
from plyforge.games.chess.features import UPSIDE_DOWN
from plyforge.games.chess.position import (
    CASTLING,
    EN_PASSANT,
    PASS,
    PAWN,
    PROMOTION,
    ROOK,
    Position,
)

# The rook's squares before and after castling.
SHORT_CORNER, SHORT_GOAL = 7, 5
LONG_CORNER, LONG_GOAL = 0, 3


def updated_placement(
    position: Position, move: int, child: Position, total: Any, table: Any
) -> Any:
    """Return what `placement` returns for the child; `total` is its value before the move."""
    move = int(move)
    kind = move >> 15
    if kind == PASS:
        return -total
    source, target, piece = move & 63, (move >> 6) & 63, (move >> 12) & 7
    before = PAWN if kind == PROMOTION else piece
    total += table[piece << 6 | target] - table[before << 6 | source]
    if (position.steppers | position.diagonals | position.straights) & ONE << target:
        total += table[piece_at(position, target) << 6 | target ^ UPSIDE_DOWN]
    if kind == EN_PASSANT:
        total += table[PAWN << 6 | (target - 8) ^ UPSIDE_DOWN]
    elif kind == CASTLING:
        if target > source:
            total += table[ROOK << 6 | SHORT_GOAL] - table[ROOK << 6 | SHORT_CORNER]
        else:
            total += table[ROOK << 6 | LONG_GOAL] - table[ROOK << 6 | LONG_CORNER]
    return -total


def piece_at(position: Position, square: int) -> int:
    """The code of the piece on a square."""
    bit = ONE << square
    code = 1 if position.steppers & bit else 0
    code += 2 if position.diagonals & bit else 0
    return code + (4 if position.straights & bit else 0)
