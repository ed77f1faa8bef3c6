"""Exchange evaluation: what a move wins when both sides go on capturing on its square."""

from typing import Any

from plyforge.games.chess.attacks import (
    KING_ATTACKS,
    NONE,
    ONE,
    bishop_attacks,
    knights_attacks,
    pawns_attacks_down,
    pawns_attacks_up,
    rook_attacks,
)
from plyforge.games.chess.hints import PAWN_VALUE, WORTH, pawns_gained
from plyforge.games.chess.position import BISHOP, KING, KNIGHT, PASS, PAWN, QUEEN, ROOK, Position
from plyforge.rules import u64

MAX_CAPTURES = 9
"""Longer exchanges are cut off: gains of ten captures, six bits each, fit into a word."""
_BITS, _MASK, _OFFSET = 6, 63, 32


def square_attackers(position: Position, square: int, occupied: u64) -> Any:
    """All pieces of both sides that attack a square past the given occupied squares."""
    target = ONE << square
    pawns = position.steppers & ~position.diagonals & ~position.straights
    knights = position.steppers & position.diagonals
    kings = position.steppers & position.straights
    found = pawns_attacks_down(target) & pawns & position.own
    found |= pawns_attacks_up(target) & pawns & ~position.own
    found |= knights_attacks(target) & knights
    found |= KING_ATTACKS[square] & kings
    found |= bishop_attacks(square, occupied) & position.diagonals & ~position.steppers
    found |= rook_attacks(square, occupied) & position.straights & ~position.steppers
    return found & occupied


def pieces_of(position: Position, code: int) -> Any:
    """The squares of all pieces of a kind."""
    found = position.steppers if code & 1 else ~position.steppers
    found &= position.diagonals if code & 2 else ~position.diagonals
    found &= position.straights if code & 4 else ~position.straights
    return found


def exchange(position: Position, move: int) -> int:
    """What the move wins, in hundredths of a pawn, if both sides then capture on its square."""
    return PAWN_VALUE * pawns_exchanged(position, int(move))


def pawns_exchanged(position: Position, move: int) -> int:
    """The same in pawns; a side stops capturing where that is better."""
    if move >> 15 == PASS:
        return 0
    target = (move >> 6) & 63
    occupied = position.steppers | position.diagonals | position.straights
    occupied = (occupied & ~(ONE << (move & 63))) | ONE << target
    gain = pawns_gained(position, move)
    gains, count = gain + _OFFSET, 0
    standing = WORTH[(move >> 12) & 7]
    own = False
    while count < MAX_CAPTURES:
        everyone = square_attackers(position, target, occupied) & ~(ONE << target)
        mine = everyone & (position.own if own else ~position.own)
        if mine == NONE:
            break
        code = cheapest_piece(position, mine)
        if code == KING and everyone & ~mine != NONE:
            break
        count += 1
        gain = standing - gain
        gains |= (gain + _OFFSET) << _BITS * count
        standing = WORTH[code]
        taker = mine & pieces_of(position, code)
        occupied &= ~(taker & (NONE - taker))
        own = not own
    best = (gains >> _BITS * count & _MASK) - _OFFSET
    while count > 0:
        count -= 1
        before = (gains >> _BITS * count & _MASK) - _OFFSET
        best = 0 - max(0 - before, best)
    return best


def cheapest_piece(position: Position, pieces: u64) -> int:
    """The code of the cheapest of some pieces."""
    for code in (PAWN, KNIGHT, BISHOP, ROOK, QUEEN):
        if pieces & pieces_of(position, code) != NONE:
            return code
    return KING
