"""Scores as chess programs exchange them: hundredths of a pawn, or moves to mate.

A score of `Game.ahead`, at which a side is clearly ahead, counts as three pawns.  In chess that
makes a unit of the evaluation a centipawn.
"""

from typing import Final

from plyforge.core.scores import WIN, plies_to_end
from plyforge.game.game import Game

_AHEAD: Final = 300.0


def centipawns_per_unit(game: Game) -> float:
    """Return the centipawns that one unit of the game's own evaluation is worth."""
    return _AHEAD / game.ahead if game.ahead > 0 else 1.0


def moves_to_mate(score: float) -> int | None:
    """Return the winner's moves to a forced win, negative if the side to move loses; else None.

    A win at an unknown distance has none.

    >>> moves_to_mate(WIN - 3), moves_to_mate(2 - WIN), moves_to_mate(120)
    (2, -1, None)
    """
    plies = plies_to_end(score)
    if plies is None:
        return None
    return (plies + 1) // 2 if score > 0 else -(plies // 2)


def score_of_mate(moves: int) -> float:
    """Return the score of a forced win in so many moves; of a loss if that is negative or 0.

    >>> score_of_mate(2) == WIN - 3, score_of_mate(-1) == 2 - WIN
    (True, True)
    """
    return float(WIN - (2 * moves - 1) if moves > 0 else -2 * moves - WIN)
