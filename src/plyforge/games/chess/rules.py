"""The rules of chess: making moves, and the ends of the game."""

from typing import Any

from plyforge.games.chess.attacks import (
    NONE,
    ONE,
    bishop_attacks,
    knights_attacks,
    rook_attacks,
)
from plyforge.games.chess.movegen import (
    EVERYWHERE,
    LONG_ROOK,
    SHORT_ROOK,
    attackers,
    en_passant_pawns,
    generate,
)
from plyforge.games.chess.position import (
    CASTLING,
    DOUBLE_PUSH,
    EDGES,
    EN_PASSANT,
    KING,
    PASS,
    PAWN,
    PROMOTION,
    RANK_8,
    Position,
    with_rights,
)
from plyforge.rules import DRAW, LOSS, byteswap, ctz, popcount, u64

SHORT_ROOK_TARGET = u64(1 << 5)
LONG_ROOK_TARGET = u64(1 << 3)
EIGHT = u64(8)
DARK_SQUARES = u64(0xAA55_AA55_AA55_AA55)

MAX_MOVES = 218
ALTERNATING = True
CLOCKS = ("halfmove", "fullmove")
NO_PROGRESS_LIMIT = 100
REPETITION = "draw"
REPETITION_COUNT = 3


def initial() -> Position:
    """The start position."""
    return Position(
        own=u64(0xFFFF),
        steppers=u64(0x52FF_0000_0000_FF52),
        diagonals=u64(0x6E00_0000_0000_006E),
        straights=u64(0x9900_0000_0000_0099),
        rights=u64(0x8100_0000_0000_0081),
        side=0,
        halfmove=0,
        fullmove=1,
    )


def moves(position: Position, out: Any) -> int:
    """Fill `out` with all legal moves and return how many there are."""
    return generate(position, out, EVERYWHERE)


def can_move(position: Position) -> bool:
    """Whether a move certainly exists: no check, and a pawn or knight that cannot be pinned."""
    occupied = position.steppers | position.diagonals | position.straights
    steppers = position.own & position.steppers
    king = ctz(steppers & position.straights)
    if attackers(position, king, occupied) != NONE:
        return False
    free = steppers & ~(bishop_attacks(king, occupied) | rook_attacks(king, occupied))
    pawns = free & ~position.diagonals & ~position.straights
    goals = pawns << EIGHT & ~occupied
    goals |= knights_attacks(free & position.diagonals) & ~position.own
    return bool(goals)


def play(position: Position, move: int) -> Position:
    """The position after a legal move or a pass."""
    move = int(move)  # a numpy integer, as from a list of moves in an array, cannot shift a word
    kind = move >> 15
    piece = (move >> 12) & 7
    source = ONE << (move & 63)
    target = ONE << ((move >> 6) & 63)
    if kind == PASS:
        source = NONE
        target = NONE
    occupied = position.steppers | position.diagonals | position.straights
    gone = source | target
    own = (position.own & ~source) | target
    rook = NONE
    if kind == EN_PASSANT:
        gone |= target >> 8
    elif kind == CASTLING:
        corner = SHORT_ROOK if target > source else LONG_ROOK
        rook = SHORT_ROOK_TARGET if target > source else LONG_ROOK_TARGET
        gone |= corner
        own ^= corner | rook
    steppers = (position.steppers & ~gone) | (target if piece & 1 else NONE)
    diagonals = (position.diagonals & ~gone) | (target if piece & 2 else NONE)
    straights = (position.straights & ~gone) | (target if piece & 4 else NONE) | rook
    rights = position.rights & ~gone & (RANK_8 if piece == KING else EDGES)
    quiet = not (occupied & target or piece == PAWN or kind == PROMOTION)
    child = Position(
        byteswap((steppers | diagonals | straights) & ~own),
        byteswap(steppers),
        byteswap(diagonals),
        byteswap(straights),
        byteswap(rights),
        1 - position.side,
        position.halfmove + 1 if quiet else 0,
        position.fullmove + position.side,
    )
    if kind == DOUBLE_PUSH:
        passed = byteswap(target >> 8)
        if en_passant_pawns(child, passed):
            return with_rights(child, child.rights | passed)
    return child


def turn(position: Position) -> int:
    """0 when White is to move, 1 when Black is."""
    return position.side


def in_check(position: Position) -> bool:
    """Whether the mover's king is attacked."""
    occupied = position.steppers | position.diagonals | position.straights
    king = ctz(position.own & position.steppers & position.straights)
    return bool(attackers(position, king, occupied))


def stuck(position: Position) -> int:
    """LOSS for checkmate, DRAW for stalemate."""
    return LOSS if in_check(position) else DRAW


def drawn(position: Position) -> bool:
    """Whether no sequence of moves can mate: bare kings, one minor piece, bishops of one colour.

    FIDE article 5.2.2 draws every such "dead position"; blocked pawn chains are not detected.
    """
    steppers, diagonals, straights = position.steppers, position.diagonals, position.straights
    if steppers & ~diagonals & ~straights or straights & ~steppers:
        return False
    if steppers & diagonals:
        return popcount(steppers | diagonals | straights) == 3
    return not diagonals & DARK_SQUARES or not diagonals & ~DARK_SQUARES


def progress(position: Position) -> int:
    """Plies since the last capture or pawn move."""
    return position.halfmove
