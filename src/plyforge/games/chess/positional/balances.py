"""All counts of a position: the mover's minus the opponent's.

A count is written once, for the mover; the opponent's is that of the board turned around.
"""

from plyforge.games.chess.features import (
    bishop_balance,
    bishop_pairs,
    knight_balance,
    pawn_balance,
    queen_balance,
    rook_balance,
)
from plyforge.games.chess.position import Position
from plyforge.games.chess.positional.pawns import pawn_counts, shelter_counts
from plyforge.games.chess.positional.pieces import piece_counts
from plyforge.rules import byteswap, popcount

Counts = tuple[int, ...]


def turned(position: Position) -> Position:
    """The same board as the opponent sees it."""
    occupied = position.steppers | position.diagonals | position.straights
    return Position(
        byteswap(occupied & ~position.own),
        byteswap(position.steppers),
        byteswap(position.diagonals),
        byteswap(position.straights),
        byteswap(position.rights),
        1 - position.side,
        position.halfmove,
        position.fullmove,
    )


def counts(position: Position) -> Counts:
    """Return the counts in the order of the weights."""
    other = turned(position)
    mine, theirs = piece_counts(position), piece_counts(other)
    my_pawns, their_pawns = pawn_counts(position), pawn_counts(other)
    my_shelter, their_shelter = shelter_counts(position), shelter_counts(other)
    my_targets = other.own & byteswap(mine.attacked) & ~theirs.attacked
    their_targets = position.own & byteswap(theirs.attacked) & ~mine.attacked
    return (
        1,
        pawn_balance(position),
        knight_balance(position),
        bishop_balance(position),
        rook_balance(position),
        queen_balance(position),
        bishop_pairs(position),
        mine.knight_mobility - theirs.knight_mobility,
        mine.bishop_mobility - theirs.bishop_mobility,
        mine.rook_mobility - theirs.rook_mobility,
        mine.queen_mobility - theirs.queen_mobility,
        mine.outposts - theirs.outposts,
        mine.open_rooks - theirs.open_rooks,
        mine.half_open_rooks - theirs.half_open_rooks,
        mine.pawn_threats - theirs.pawn_threats,
        mine.piece_threats - theirs.piece_threats,
        popcount(my_targets) - popcount(their_targets),
        mine.king_attack - theirs.king_attack,
        my_shelter[0] - their_shelter[0],
        my_shelter[1] - their_shelter[1],
        my_shelter[2] - their_shelter[2],
        my_pawns[0] - their_pawns[0],
        my_pawns[1] - their_pawns[1],
        my_pawns[2] - their_pawns[2],
        my_pawns[3] - their_pawns[3],
        my_pawns[4] - their_pawns[4],
        my_pawns[5] - their_pawns[5],
        my_pawns[6] - their_pawns[6],
    )
