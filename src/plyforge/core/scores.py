"""The numbers that stand for results.

All values are for the side to move.  A won game has the value `WIN`, a lost one `LOSS`; a game that
is played for points has its final score instead, which must lie within ±`SCORE_LIMIT`.
Every number here is exact in float32, because the transposition table stores float32.
"""

from typing import Final

SCORE_LIMIT: Final = 2**23
"""The limit of evaluations and final scores: float32 holds every integer up to it."""

WIN: Final = 10_000_000
LOSS: Final = -WIN
KNOWN_WIN: Final = 9_000_000
"""The value of a win at an unknown distance, less than that of any win whose distance is known."""
OPEN_LIMIT: Final = 8_950_000
"""The limit of the values of wins that are known, but to which a search has not seen the way."""
DRAW: Final = 0
ONGOING: Final = 20_000_000
"""The value of `outcome` while the game is not over; larger than any result."""

OUTCOME_NAMES: Final = {WIN: "win", LOSS: "loss", DRAW: "draw", ONGOING: "ongoing"}


def outcome_name(value: float) -> str:
    """Return the word for a result; a final score is a win, a loss or a draw by its sign.

    >>> outcome_name(WIN), outcome_name(-12), outcome_name(ONGOING)
    ('win', 'loss', 'ongoing')
    """
    if value in OUTCOME_NAMES:
        return OUTCOME_NAMES[int(value)]
    return "win" if value > 0 else "loss"


def plies_to_end(value: float) -> int | None:
    """Return the plies to the end of the game for the value of a win or loss, else None.

    A win at an unknown distance has none.

    >>> plies_to_end(WIN - 5), plies_to_end(LOSS + 4), plies_to_end(KNOWN_WIN - 3), plies_to_end(7)
    (5, 4, None, None)
    """
    return round(WIN - abs(value)) if KNOWN_WIN < abs(value) <= WIN else None


def is_result(value: float) -> bool:
    """Return whether a value is that of a finished game: a win, loss, draw or score in range."""
    return value in (WIN, LOSS) or -SCORE_LIMIT <= value <= SCORE_LIMIT
