"""The numbers by which rules and searches speak of results.

All values are in view of the side to move.  A won game is worth `WIN`, a lost one `LOSS`; a game
that is played for points returns its final score instead, which must lie within ±`SCORE_LIMIT`.
Every number here is exact in float32, because the transposition table stores float32.
"""

from typing import Final

SCORE_LIMIT: Final = 2**23
"""Evaluations and final scores stay within ±this: up to here float32 holds every integer."""

WIN: Final = 10_000_000
LOSS: Final = -WIN
DRAW: Final = 0
ONGOING: Final = 20_000_000
"""What `outcome` returns while the game goes on; larger than any result."""

OUTCOME_NAMES: Final = {WIN: "win", LOSS: "loss", DRAW: "draw", ONGOING: "ongoing"}


def outcome_name(value: float) -> str:
    """The word for a result: a final score counts as a win, a loss or a draw by its sign.

    >>> outcome_name(WIN), outcome_name(-12), outcome_name(ONGOING)
    ('win', 'loss', 'ongoing')
    """
    if value in OUTCOME_NAMES:
        return OUTCOME_NAMES[int(value)]
    return "win" if value > 0 else "loss"


def is_result(value: float) -> bool:
    """Whether `value` may stand for a finished game: a win, a loss, a draw or a score in range."""
    return value in (WIN, LOSS) or -SCORE_LIMIT <= value <= SCORE_LIMIT
