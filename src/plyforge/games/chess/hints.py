"""Facts about moves for the search: which are forcing, what they win, which are irreversible."""

from typing import Any

from plyforge.games.chess.attacks import NONE, ONE
from plyforge.games.chess.movegen import generate
from plyforge.games.chess.position import (
    EDGES,
    EN_PASSANT,
    KING,
    PASS,
    PASS_MOVE,
    PAWN,
    PROMOTION,
    RANK_1,
    Position,
    seen_by,
)
from plyforge.games.chess.rules import in_check

MOVE_SLOTS = 1024

# Pawns' worth of each piece code, in the order of the codes: pawn, bishop, knight, rook, king,
# queen; the king is never captured.
WORTH = (0, 1, 3, 3, 5, 0, 10, 0)
PAWN_VALUE = 100
"""A pawn in units of the evaluation."""


def noisy_moves(position: Position, out: Any) -> int:
    """Fill `out` with all legal captures and promotions and return how many there are."""
    occupied = position.steppers | position.diagonals | position.straights
    return generate(position, out, occupied & ~position.own)


def captures(position: Position, move: int) -> bool:
    """Whether the move takes a piece."""
    occupied = position.steppers | position.diagonals | position.straights
    target = ONE << ((int(move) >> 6) & 63)
    return move >> 15 == EN_PASSANT or bool(occupied & ~position.own & target)


def move_kind(position: Position, move: int) -> int:
    """1 for captures and promotions, 0 for quiet moves."""
    return 1 if move >> 15 == PROMOTION or captures(position, move) else 0


def move_gain(position: Position, move: int) -> int:
    """The worth of what the move takes, and of what a promotion adds, in hundredths of a pawn."""
    return PAWN_VALUE * pawns_gained(position, move)


def pawns_gained(position: Position, move: int) -> int:
    """The same in pawns."""
    kind = move >> 15
    if kind == EN_PASSANT:
        return WORTH[PAWN]
    gain = WORTH[(move >> 12) & 7] - WORTH[PAWN] if kind == PROMOTION else 0
    if captures(position, move):
        target = ONE << ((int(move) >> 6) & 63)
        code = 1 if position.steppers & target else 0
        code += 2 if position.diagonals & target else 0
        code += 4 if position.straights & target else 0
        gain += WORTH[code]
    return gain


def move_slot(position: Position, move: int) -> int:
    """Side, piece and target square."""
    return position.side << 9 | ((move >> 6) & 511)


def move_target(position: Position, move: int) -> int:
    """The square where the move ends, as White numbers it."""
    return seen_by(position.side, (int(move) >> 6) & 63)


def irreversible(position: Position, move: int) -> bool:
    """Captures, pawn moves, and moves that give up a castling right."""
    move = int(move)
    kind = move >> 15
    piece = (move >> 12) & 7
    if kind == PASS:
        return False
    if piece == PAWN or kind == PROMOTION or captures(position, move):
        return True
    gone = ONE << (move & 63) | (RANK_1 if piece == KING else NONE)
    return bool(position.rights & EDGES & gone)


def pass_move(position: Position) -> int:
    """The move that gives up the turn; there is none in check."""
    return -1 if in_check(position) else PASS_MOVE


def zugzwang_prone(position: Position) -> bool:
    """Whether the mover has nothing but king and pawns."""
    officers = (position.diagonals | position.straights) & position.own
    return not officers & ~(position.steppers & position.straights)
