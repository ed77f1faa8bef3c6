"""Legal moves, from pins and checks alone: no move is made to see whether it is legal.

The only exception is en passant, which takes two pieces off one line and is tried out.
"""

from typing import Any

from plyforge.games.chess.attacks import (
    BETWEEN,
    DIAGONALS,
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    NONE,
    NOT_A,
    NOT_H,
    ONE,
    STRAIGHTS,
    bishop_attacks,
    knights_attacks,
    pawns_attacks_down,
    pawns_attacks_up,
    rook_attacks,
)
from plyforge.games.chess.position import (
    BISHOP,
    CASTLING,
    DOUBLE_PUSH,
    EN_PASSANT,
    KING,
    KNIGHT,
    PAWN,
    PROMOTION,
    QUEEN,
    RANK_1,
    RANK_3,
    RANK_6,
    RANK_8,
    ROOK,
    Position,
)
from plyforge.rules import ctz, u64

EVERYWHERE = u64(0xFFFF_FFFF_FFFF_FFFF)
E1 = 4
SHORT_ROOK = u64(1 << 7)
SHORT_PATH = u64(1 << 5 | 1 << 6)
LONG_ROOK = u64(1)
LONG_PATH = u64(1 << 2 | 1 << 3)
LONG_GAP = u64(1 << 1 | 1 << 2 | 1 << 3)
SHORT_CASTLING = E1 | 6 << 6 | KING << 12 | CASTLING << 15
LONG_CASTLING = E1 | 2 << 6 | KING << 12 | CASTLING << 15


def attackers(position: Position, square: int, occupied: u64) -> Any:
    """The opponent's pieces that attack `square` when the board is occupied as given."""
    enemy = occupied & ~position.own
    steppers = enemy & position.steppers
    sliders = enemy & ~position.steppers
    pawns = steppers & ~position.diagonals & ~position.straights
    return (
        (KNIGHT_ATTACKS[square] & steppers & position.diagonals)
        | (KING_ATTACKS[square] & steppers & position.straights)
        | (pawns_attacks_up(ONE << square) & pawns)
        | (bishop_attacks(square, occupied) & sliders & position.diagonals)
        | (rook_attacks(square, occupied) & sliders & position.straights)
    )


def attacked_squares(
    steppers: u64, diagonals: u64, straights: u64, enemy: u64, occupied: u64
) -> Any:
    """All squares that the pieces `enemy` attack when the board is occupied as given."""
    pieces = enemy & steppers
    attacked = (
        pawns_attacks_down(pieces & ~diagonals & ~straights)
        | knights_attacks(pieces & diagonals)
        | KING_ATTACKS[ctz(pieces & straights)]
    )
    sliders = enemy & ~steppers & diagonals
    while sliders:
        attacked |= bishop_attacks(ctz(sliders), occupied)
        sliders &= sliders - ONE
    sliders = enemy & ~steppers & straights
    while sliders:
        attacked |= rook_attacks(ctz(sliders), occupied)
        sliders &= sliders - ONE
    return attacked


def en_passant_pawns(position: Position, target: u64) -> Any:
    """The mover's pawns that may legally capture en passant onto `target`."""
    occupied = position.steppers | position.diagonals | position.straights
    steppers = position.own & position.steppers
    king = ctz(steppers & position.straights)
    near = pawns_attacks_down(target) & steppers & ~position.diagonals & ~position.straights
    legal = NONE
    while near:
        pawn = ONE << ctz(near)
        near ^= pawn
        # The target stays out of every plane, so it blocks lines without attacking.
        if not attackers(position, king, (occupied ^ pawn ^ (target >> 8)) | target):
            legal |= pawn
    return legal


def add_targets(out: Any, count: int, source: int, targets: u64) -> int:
    """Append the moves to `targets`; `source` carries the piece and kind bits too."""
    while targets:
        out[count] = source | ctz(targets) << 6
        count += 1
        targets &= targets - ONE
    return count


def add_pawns(out: Any, count: int, step: int, bits: int, targets: u64) -> int:
    """Append pawn moves that start `step` squares before `targets`; `bits` are piece and kind."""
    while targets:
        target = ctz(targets)
        out[count] = (target - step) | target << 6 | bits
        count += 1
        targets &= targets - ONE
    return count


def add_promotions(out: Any, count: int, step: int, targets: u64) -> int:
    """Append the four promotions on each of `targets`, the queen first."""
    while targets:
        target = ctz(targets)
        move = (target - step) | target << 6 | PROMOTION << 15
        out[count] = move | QUEEN << 12
        out[count + 1] = move | KNIGHT << 12
        out[count + 2] = move | ROOK << 12
        out[count + 3] = move | BISHOP << 12
        count += 4
        targets &= targets - ONE
    return count


def add_en_passant(out: Any, count: int, pawns: u64, target: int) -> int:
    """Append the en-passant captures of `pawns`."""
    while pawns:
        out[count] = ctz(pawns) | target << 6 | PAWN << 12 | EN_PASSANT << 15
        count += 1
        pawns &= pawns - ONE
    return count


def add_castling(out: Any, count: int, rights: u64, free: u64, safe: u64) -> int:
    """Append castling: no piece between king and rook, no attack on the king's way."""
    if rights & SHORT_ROOK and not SHORT_PATH & ~(free & safe):
        out[count] = SHORT_CASTLING
        count += 1
    if rights & LONG_ROOK and not (LONG_GAP & ~free) | (LONG_PATH & ~safe):
        out[count] = LONG_CASTLING
        count += 1
    return count


def add_pawn_moves(
    out: Any,
    count: int,
    pawns: u64,
    enemy: u64,
    free: u64,
    straight_pins: u64,
    diagonal_pins: u64,
    evasion: u64,
    allowed: u64,
) -> int:
    """Append the pawns' moves except en passant; pinned pawns stay on the line of their pin."""
    walkers = pawns & ~diagonal_pins
    bound = walkers & straight_pins
    single = (((walkers ^ bound) << 8) | ((bound << 8) & straight_pins)) & free
    double = ((single & RANK_3) << 8) & free & evasion & allowed
    single &= evasion
    takers = pawns & ~straight_pins
    bound = takers & diagonal_pins
    takers ^= bound
    enemy &= evasion
    left = (((takers & NOT_A) << 7) | (((bound & NOT_A) << 7) & diagonal_pins)) & enemy
    right = (((takers & NOT_H) << 9) | (((bound & NOT_H) << 9) & diagonal_pins)) & enemy
    if (single | left | right) & RANK_8:
        count = add_promotions(out, count, 7, left & RANK_8)
        count = add_promotions(out, count, 9, right & RANK_8)
        count = add_promotions(out, count, 8, single & RANK_8)
    count = add_pawns(out, count, 7, PAWN << 12, left & ~RANK_8)
    count = add_pawns(out, count, 9, PAWN << 12, right & ~RANK_8)
    count = add_pawns(out, count, 8, PAWN << 12, single & ~RANK_8 & allowed)
    return add_pawns(out, count, 16, PAWN << 12 | DOUBLE_PUSH << 15, double)


def add_diagonals(
    out: Any, count: int, sliders: u64, queens: u64, occupied: u64, pins: u64, targets: u64
) -> int:
    """Append the moves of bishops, and of queens as bishops; `pins` are diagonal lines."""
    while sliders:
        square = ctz(sliders)
        bit = ONE << square
        sliders ^= bit
        reach = bishop_attacks(square, occupied) & targets
        if bit & pins:
            reach &= pins
        code = QUEEN << 12 if bit & queens else BISHOP << 12
        count = add_targets(out, count, square | code, reach)
    return count


def add_straights(
    out: Any, count: int, sliders: u64, queens: u64, occupied: u64, pins: u64, targets: u64
) -> int:
    """Append the moves of rooks, and of queens as rooks; `pins` are straight lines."""
    while sliders:
        square = ctz(sliders)
        bit = ONE << square
        sliders ^= bit
        reach = rook_attacks(square, occupied) & targets
        if bit & pins:
            reach &= pins
        code = QUEEN << 12 if bit & queens else ROOK << 12
        count = add_targets(out, count, square | code, reach)
    return count


def generate(position: Position, out: Any, allowed: u64) -> int:
    """Fill `out` with the legal moves that end on `allowed`, and all promotions and en passants."""
    own, steppers, diagonals, straights = (
        position.own,
        position.steppers,
        position.diagonals,
        position.straights,
    )
    occupied = steppers | diagonals | straights
    enemy = occupied & ~own
    king = ctz(own & steppers & straights)

    checkers = (
        enemy
        & steppers
        & (
            (KNIGHT_ATTACKS[king] & diagonals)
            | (pawns_attacks_up(ONE << king) & ~diagonals & ~straights)
        )
    )
    # The lines, pinner included, on which a pinned piece may still move.
    straight_pins = NONE
    diagonal_pins = NONE
    on_diagonals = DIAGONALS[king] & enemy & diagonals & ~steppers
    snipers = on_diagonals | (STRAIGHTS[king] & enemy & straights & ~steppers)
    while snipers:
        square = ctz(snipers)
        sniper = ONE << square
        snipers ^= sniper
        between = BETWEEN[u64(king) << 6 | u64(square)]
        blockers = between & occupied
        if not blockers:
            checkers |= sniper
        elif not blockers & (blockers - ONE) and blockers & own:
            if sniper & on_diagonals:
                diagonal_pins |= between | sniper
            else:
                straight_pins |= between | sniper

    count = 0
    targets = KING_ATTACKS[king] & ~own
    if targets:
        # The king does not hide the squares behind it from a checking slider.
        through = occupied ^ (ONE << king)
        safe = ~attacked_squares(steppers, diagonals, straights, enemy, through)
        count = add_targets(out, count, king | KING << 12, targets & safe & allowed)
        if position.rights & RANK_1 and not checkers:
            count = add_castling(out, count, position.rights, ~occupied & allowed, safe)
    evasion = EVERYWHERE
    if checkers:
        if checkers & (checkers - ONE):
            return count
        evasion = checkers | BETWEEN[u64(king) << 6 | u64(ctz(checkers))]

    pawns = own & steppers & ~diagonals & ~straights
    count = add_pawn_moves(
        out, count, pawns, enemy, ~occupied, straight_pins, diagonal_pins, evasion, allowed
    )
    passed = position.rights & RANK_6
    if passed:
        count = add_en_passant(out, count, en_passant_pawns(position, passed), ctz(passed))
    targets = ~own & allowed & evasion
    knights = own & steppers & diagonals & ~(straight_pins | diagonal_pins)
    while knights:
        square = ctz(knights)
        knights &= knights - ONE
        count = add_targets(out, count, square | KNIGHT << 12, KNIGHT_ATTACKS[square] & targets)
    sliders = own & ~steppers & diagonals & ~straight_pins
    count = add_diagonals(out, count, sliders, straights, occupied, diagonal_pins, targets)
    sliders = own & ~steppers & straights & ~diagonal_pins
    return add_straights(out, count, sliders, diagonals, occupied, straight_pins, targets)
