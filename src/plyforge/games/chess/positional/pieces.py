"""What is counted of the mover's pieces: mobility, threats, attacks on the opponent's king."""

from typing import Any, NamedTuple

from plyforge.games.chess.attacks import (
    KING_ATTACKS,
    KNIGHT_ATTACKS,
    ONE,
    bishop_attacks,
    pawns_attacks_down,
    pawns_attacks_up,
    rook_attacks,
)
from plyforge.games.chess.features import (
    bishops,
    fill_down,
    fill_up,
    kings,
    knights,
    pawns,
    queens,
    rooks,
)
from plyforge.games.chess.position import Position
from plyforge.rules import ctz, popcount, u64

OUTPOSTS = u64(0x0000_7E7E_7E00_0000)
"""Files b to g on ranks 4 to 6."""

# How much a piece adds to an attack on the king, besides one for each square near the king.
MINOR_POWER = 2
ROOK_POWER = 3
QUEEN_POWER = 5
MAX_POWER = 30


class Reach(NamedTuple):
    """What several pieces of a kind attack."""

    squares: u64
    mobility: int
    attackers: int
    """The number of pieces that attack a square near the king."""
    hits: int
    """The attacks on squares near the king."""


class PieceCounts(NamedTuple):
    """What is counted of one side's pieces."""

    knight_mobility: int
    bishop_mobility: int
    rook_mobility: int
    queen_mobility: int
    outposts: int
    open_rooks: int
    half_open_rooks: int
    pawn_threats: int
    piece_threats: int
    king_attack: int
    attacked: u64
    """All squares that the side attacks."""


def knight_reach(pieces: u64, goals: u64, near_king: u64) -> Reach:
    squares, mobility, attackers, hits = u64(0), 0, 0, 0
    while pieces:
        attacks = KNIGHT_ATTACKS[ctz(pieces)]
        squares |= attacks
        mobility += popcount(attacks & goals)
        attackers += int(attacks & near_king != u64(0))
        hits += popcount(attacks & near_king)
        pieces &= pieces - ONE
    return Reach(squares, mobility, attackers, hits)


def bishop_reach(pieces: u64, occupied: u64, goals: u64, near_king: u64) -> Reach:
    squares, mobility, attackers, hits = u64(0), 0, 0, 0
    while pieces:
        attacks = bishop_attacks(ctz(pieces), occupied)
        squares |= attacks
        mobility += popcount(attacks & goals)
        attackers += int(attacks & near_king != u64(0))
        hits += popcount(attacks & near_king)
        pieces &= pieces - ONE
    return Reach(squares, mobility, attackers, hits)


def rook_reach(pieces: u64, occupied: u64, goals: u64, near_king: u64) -> Reach:
    squares, mobility, attackers, hits = u64(0), 0, 0, 0
    while pieces:
        attacks = rook_attacks(ctz(pieces), occupied)
        squares |= attacks
        mobility += popcount(attacks & goals)
        attackers += int(attacks & near_king != u64(0))
        hits += popcount(attacks & near_king)
        pieces &= pieces - ONE
    return Reach(squares, mobility, attackers, hits)


def queen_reach(pieces: u64, occupied: u64, goals: u64, near_king: u64) -> Reach:
    squares, mobility, attackers, hits = u64(0), 0, 0, 0
    while pieces:
        square = ctz(pieces)
        attacks = bishop_attacks(square, occupied) | rook_attacks(square, occupied)
        squares |= attacks
        mobility += popcount(attacks & goals)
        attackers += int(attacks & near_king != u64(0))
        hits += popcount(attacks & near_king)
        pieces &= pieces - ONE
    return Reach(squares, mobility, attackers, hits)


def piece_counts(position: Position) -> PieceCounts:
    """Return the counts of the mover's pieces."""
    own = position.own
    occupied = position.steppers | position.diagonals | position.straights
    enemies = occupied & ~own
    my_pawns, their_pawns = pawns(position) & own, pawns(position) & ~own
    my_guards, their_guards = pawns_attacks_up(my_pawns), pawns_attacks_down(their_pawns)
    their_king = kings(position) & ~own
    near_king = KING_ATTACKS[ctz(their_king)] | their_king
    goals = ~own & ~their_guards
    knight = knight_reach(knights(position) & own, goals, near_king)
    bishop = bishop_reach(bishops(position) & own, occupied, goals, near_king)
    rook = rook_reach(rooks(position) & own, occupied, goals, near_king)
    queen = queen_reach(queens(position) & own, occupied, goals, near_king)
    minor_squares = knight.squares | bishop.squares
    king_squares = KING_ATTACKS[ctz(kings(position) & own)]
    majors = (rooks(position) | queens(position)) & enemies
    officers = enemies & ~their_pawns & ~their_king
    attackers = knight.attackers + bishop.attackers + rook.attackers + queen.attackers
    return PieceCounts(
        knight.mobility,
        bishop.mobility,
        rook.mobility,
        queen.mobility,
        outposts_of(knights(position) & own, my_guards, their_pawns),
        popcount(rooks(position) & own & ~files_of(my_pawns | their_pawns)),
        popcount(rooks(position) & own & ~files_of(my_pawns) & files_of(their_pawns)),
        popcount(officers & my_guards),
        popcount(majors & minor_squares) + popcount(queens(position) & enemies & rook.squares),
        attack_strength(
            attackers,
            knight.hits + bishop.hits + rook.hits + queen.hits,
            MINOR_POWER * (knight.attackers + bishop.attackers)
            + ROOK_POWER * rook.attackers
            + QUEEN_POWER * queen.attackers,
        ),
        my_guards | minor_squares | rook.squares | queen.squares | king_squares,
    )


def files_of(board: u64) -> Any:
    """All squares on the files of a board's squares."""
    return fill_up(fill_down(board))


def outposts_of(pieces: u64, my_guards: u64, their_pawns: u64) -> int:
    """Pieces that a pawn guards and that no opposing pawn can ever attack."""
    reachable = fill_down(pawns_attacks_down(their_pawns))
    return popcount(pieces & OUTPOSTS & my_guards & ~reachable)


def attack_strength(attackers: int, hits: int, power: int) -> int:
    """The strength of an attack on the king, which grows with the square of the power.

    One attacker alone is no attack.
    """
    total = min(power + hits, MAX_POWER) if attackers > 1 else 0
    return total * total >> 2
