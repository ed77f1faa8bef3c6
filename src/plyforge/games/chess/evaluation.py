"""A basic evaluation in centipawns, for the side to move.

Every weight has a value for the opening and one for the ending; the pieces left on the board say
how much of each counts ("tapered evaluation").  See `features` for what is counted.
"""

from plyforge.games.chess import features as count
from plyforge.games.chess.tables import PASSED, PLACES
from plyforge.rules import linear, table

EVALUATION_RANGE = (-30_000, 30_000)
AHEAD = 300
"""A minor piece."""

FEATURES = {
    "pawns": (count.pawn_balance, (88, 108)),
    "knights": (count.knight_balance, (325, 300)),
    "bishops": (count.bishop_balance, (335, 315)),
    "rooks": (count.rook_balance, (475, 530)),
    "queens": (count.queen_balance, (975, 980)),
    "bishop pair": (count.bishop_pairs, (28, 48)),
    "doubled pawns": (count.doubled_pawns, (-9, -18)),
    "isolated pawns": (count.isolated_pawns, (-12, -10)),
    "rooks on open files": (count.rooks_on_open_files, (22, 8)),
    "pawns beside the king": (count.shield, (11, 0)),
    "knight mobility": (count.knight_mobility, (4, 3)),
    "bishop mobility": (count.bishop_mobility, (4, 5)),
    "rook mobility": (count.rook_mobility, (2, 4)),
    "passed pawns": table(count.passed_pawns, PASSED),
    "placement": table(count.placement, PLACES),
}
"""Weights are for the opening and for the ending."""
# Rounding towards 0 gives the opposite value to swapped sides.
EVALUATION = linear(FEATURES, blend=(count.phase, count.PHASES), rounding="zero")
