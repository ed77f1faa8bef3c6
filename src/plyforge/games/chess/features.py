"""What can be counted in a chess position: the mover's count minus the opponent's.

The board is seen from the mover's side.  A feature that is a sum of table entries is given the
table.
"""

from typing import Any

from plyforge.games.chess.attacks import (
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    NOT_A,
    NOT_H,
    ONE,
    bishop_attacks,
    pawns_attacks_down,
    pawns_attacks_up,
    rook_attacks,
)
from plyforge.games.chess.position import BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, Position
from plyforge.rules import ctz, popcount, u64

UPSIDE_DOWN = 56
"""Flips a square's number to that of the same square seen from the other side."""
AS_SEEN = 0
PHASES = 24
"""The phase of a full board: one for a minor piece, two for a rook, four for a queen."""


def pawns(position: Position) -> u64:
    return position.steppers & ~position.diagonals & ~position.straights


def knights(position: Position) -> u64:
    return position.steppers & position.diagonals


def bishops(position: Position) -> u64:
    return position.diagonals & ~position.steppers & ~position.straights


def rooks(position: Position) -> u64:
    return position.straights & ~position.steppers & ~position.diagonals


def queens(position: Position) -> u64:
    return position.diagonals & position.straights


def kings(position: Position) -> u64:
    return position.steppers & position.straights


def balance(position: Position, pieces: u64) -> int:
    """The mover's pieces among the given ones minus the opponent's."""
    return popcount(pieces & position.own) - popcount(pieces & ~position.own)


def pawn_balance(position: Position) -> int:
    return balance(position, pawns(position))


def knight_balance(position: Position) -> int:
    return balance(position, knights(position))


def bishop_balance(position: Position) -> int:
    return balance(position, bishops(position))


def rook_balance(position: Position) -> int:
    return balance(position, rooks(position))


def queen_balance(position: Position) -> int:
    return balance(position, queens(position))


def phase(position: Position) -> int:
    """From `PHASES` in the opening down to 0 when only kings and pawns are left."""
    minors = popcount(knights(position)) + popcount(bishops(position))
    majors = 2 * popcount(rooks(position)) + 4 * popcount(queens(position))
    return min(minors + majors, PHASES)


def bishop_pairs(position: Position) -> int:
    mine, theirs = bishops(position) & position.own, bishops(position) & ~position.own
    return int(popcount(mine) > 1) - int(popcount(theirs) > 1)


def table_sum(pieces: u64, piece: int, flip: int, table: Any) -> Any:
    """The sum of a piece's entries over the squares where it stands."""
    total = 0
    while pieces:
        total += table[piece << 6 | ctz(pieces) ^ flip]
        pieces &= pieces - ONE
    return total


def table_balance(position: Position, pieces: u64, piece: int, table: Any) -> Any:
    mine = table_sum(pieces & position.own, piece, AS_SEEN, table)
    return mine - table_sum(pieces & ~position.own, piece, UPSIDE_DOWN, table)


def placement(position: Position, table: Any) -> Any:
    """The sum over all pieces; the table is ordered by piece * 64 + square."""
    return (
        table_balance(position, pawns(position), PAWN, table)
        + table_balance(position, knights(position), KNIGHT, table)
        + table_balance(position, bishops(position), BISHOP, table)
        + table_balance(position, rooks(position), ROOK, table)
        + table_balance(position, queens(position), QUEEN, table)
        + table_balance(position, kings(position), KING, table)
    )


def fill_up(board: u64) -> u64:
    """The squares of a board and all above them."""
    board |= board << 8
    board |= board << 16
    return board | board << 32


def fill_down(board: u64) -> u64:
    """The squares of a board and all below them."""
    board |= board >> 8
    board |= board >> 16
    return board | board >> 32


def beside(board: u64) -> u64:
    """The squares left and right of those of a board."""
    return (board & NOT_A) >> 1 | (board & NOT_H) << 1


def doubled_of(mine: u64) -> int:
    """Pawns with another of their side behind them."""
    return popcount(mine & fill_up(mine << 8))


def doubled_pawns(position: Position) -> int:
    mine, theirs = pawns(position) & position.own, pawns(position) & ~position.own
    return doubled_of(mine) - doubled_of(theirs)


def isolated_of(mine: u64) -> int:
    """Pawns without one of their side on a file beside them."""
    return popcount(mine & ~beside(fill_up(fill_down(mine))))


def isolated_pawns(position: Position) -> int:
    mine, theirs = pawns(position) & position.own, pawns(position) & ~position.own
    return isolated_of(mine) - isolated_of(theirs)


def passed_by_rank(passed: u64, flip: int, table: Any) -> Any:
    total = 0
    while passed:
        total += table[(ctz(passed) ^ flip) >> 3]
        passed &= passed - ONE
    return total


def passed_pawns(position: Position, table: Any) -> Any:
    """Pawns that no opposing pawn can stop or take on their way; the table is ordered by rank."""
    mine, theirs = pawns(position) & position.own, pawns(position) & ~position.own
    held_below, held_above = fill_down(theirs >> 8), fill_up(mine << 8)
    free = mine & ~(held_below | beside(held_below))
    their_free = theirs & ~(held_above | beside(held_above))
    mine_by_rank = passed_by_rank(free, AS_SEEN, table)
    return mine_by_rank - passed_by_rank(their_free, UPSIDE_DOWN, table)


def rooks_on_open_files(position: Position) -> int:
    """Rooks on files without pawns."""
    every_pawn = pawns(position)
    return balance(position, rooks(position) & ~fill_up(fill_down(every_pawn)))


def shield(position: Position) -> int:
    """Own pawns next to the king."""
    mine, theirs = kings(position) & position.own, kings(position) & ~position.own
    my_pawns, their_pawns = pawns(position) & position.own, pawns(position) & ~position.own
    covered = popcount(KING_ATTACKS[ctz(mine)] & my_pawns)
    return covered - popcount(KING_ATTACKS[ctz(theirs)] & their_pawns)


def my_goals(position: Position) -> Any:
    """Where the mover's pieces may go without being taken by a pawn."""
    return ~position.own & ~pawns_attacks_down(pawns(position) & ~position.own)


def their_goals(position: Position) -> Any:
    """Where the opponent's pieces may go without being taken by a pawn."""
    occupied = position.steppers | position.diagonals | position.straights
    theirs = occupied & ~position.own
    return ~theirs & ~pawns_attacks_up(pawns(position) & position.own)


def knight_reach(pieces: u64, goals: u64) -> int:
    total = 0
    while pieces:
        total += popcount(KNIGHT_ATTACKS[ctz(pieces)] & goals)
        pieces &= pieces - ONE
    return total


def bishop_reach(pieces: u64, occupied: u64, goals: u64) -> int:
    total = 0
    while pieces:
        total += popcount(bishop_attacks(ctz(pieces), occupied) & goals)
        pieces &= pieces - ONE
    return total


def rook_reach(pieces: u64, occupied: u64, goals: u64) -> int:
    total = 0
    while pieces:
        total += popcount(rook_attacks(ctz(pieces), occupied) & goals)
        pieces &= pieces - ONE
    return total


def knight_mobility(position: Position) -> int:
    """Squares that knights attack, except those of own pieces and those guarded by pawns."""
    every_knight = knights(position)
    mine = knight_reach(every_knight & position.own, my_goals(position))
    return mine - knight_reach(every_knight & ~position.own, their_goals(position))


def bishop_mobility(position: Position) -> int:
    """The same for bishops."""
    every_bishop = bishops(position)
    occupied = position.steppers | position.diagonals | position.straights
    mine = bishop_reach(every_bishop & position.own, occupied, my_goals(position))
    return mine - bishop_reach(every_bishop & ~position.own, occupied, their_goals(position))


def rook_mobility(position: Position) -> int:
    """The same for rooks."""
    every_rook = rooks(position)
    occupied = position.steppers | position.diagonals | position.straights
    mine = rook_reach(every_rook & position.own, occupied, my_goals(position))
    return mine - rook_reach(every_rook & ~position.own, occupied, their_goals(position))
