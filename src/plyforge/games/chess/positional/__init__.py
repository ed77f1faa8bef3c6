"""A positional evaluation in centipawns, for the side to move.

Besides material and placement it counts mobility, threats, attacks on the king and its shelter,
the pawn structure, and passed pawns.  Every weight has a value for the opening and one for the
ending; the pieces left on the board say how much of each counts.  All numbers were chosen by hand.
"""

from plyforge.games.chess.features import PHASES, passed_pawns, phase, placement
from plyforge.games.chess.positional.balances import counts
from plyforge.games.chess.positional.places import PLACES
from plyforge.games.chess.positional.updates import updated_placement
from plyforge.rules import linear, table

EVALUATION_RANGE = (-30_000, 30_000)
AHEAD = 300
"""A minor piece."""

PASSED = ((0, 2, 2, 8, 22, 46, 80, 0), (0, 8, 10, 22, 44, 82, 140, 0))
"""The worth of a passed pawn by rank, in the opening and in the ending."""
WEIGHTS = {
    "tempo": (14, 6),
    "pawns": (82, 104),
    "knights": (322, 302),
    "bishops": (334, 318),
    "rooks": (462, 528),
    "queens": (985, 975),
    "bishop pair": (26, 50),
    "knight mobility": (5, 4),
    "bishop mobility": (5, 5),
    "rook mobility": (2, 5),
    "queen mobility": (1, 4),
    "outposts": (16, 10),
    "rooks on open files": (24, 10),
    "rooks on half-open files": (11, 6),
    "attacks by pawns": (46, 34),
    "attacks on stronger pieces": (30, 24),
    "undefended targets": (24, 22),
    "attack on the king": (2, 0),
    "pawns before the king": (14, -2),
    "pawns two ranks before the king": (7, 0),
    "open files beside the king": (-13, 0),
    "doubled pawns": (-8, -18),
    "isolated pawns": (-12, -13),
    "backward pawns": (-9, -9),
    "supported pawns": (8, 7),
    "supported passed pawns": (5, 14),
    "free passed pawns": (2, 5),
    "kings near passed pawns": (0, 3),
}
"""By the names of `counts`, in its order."""
FEATURES = {
    tuple(WEIGHTS): (counts, tuple(WEIGHTS.values())),
    "passed pawns": table(passed_pawns, PASSED),
    "placement": table(placement, PLACES, update=updated_placement),
}
# Rounding towards 0 gives the opposite value to swapped sides, apart from the tempo.
EVALUATION = linear(FEATURES, blend=(phase, PHASES), rounding="zero")
