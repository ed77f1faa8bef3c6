"""Values in a database: int16 numbers, for the side to move.

A win in d plies is `WON - d`, a loss in d plies `d - WON`, a draw 0.  In a game for points, a value
is the final score without `secured_score`.
"""

from typing import Final

from plyforge.compilation.hooks_api import secured_score
from plyforge.core.scores import LOSS, WIN

WON: Final = 16_000
MAX_SCORE: Final = 8_000
"""The limit of scores; values beyond it are wins and losses."""
MAX_DISTANCE: Final = WON - MAX_SCORE - 1
UNKNOWN: Final = -32_768
INVALID: Final = -32_767
"""The value of a number that stands for no position."""
LEFT_OUT: Final = -32_766
"""The value of a position that a file leaves out: only moves to other slices are possible."""


def is_decided(value: int) -> bool:
    """Whether a value is a win or a loss."""
    return value > MAX_SCORE or value < -MAX_SCORE


def distance_of(value: int) -> int:
    """The plies to the end of a won or lost game."""
    return WON - value if value > 0 else WON + value


def value_before(value: int, flips: bool) -> int:
    """The value of a position from that of its child, if no score is secured."""
    if flips:
        value = -value
    if value > MAX_SCORE:
        return value - 1
    if value < -MAX_SCORE:
        return value + 1
    return value


def result_value(result: float, secured: float) -> int:
    """The value of a finished game from its result; one beyond `MAX_SCORE` is not possible."""
    if result == WIN:
        return WON
    if result == LOSS:
        return -WON
    return int(result - secured)


def move_value(position: object, child: object, value: int, flips: bool) -> int:
    """The value of a move, from that of the position after it."""
    if not is_decided(value):
        score = secured_score(child) + value
        return int((0.0 - score if flips else score) - secured_score(position))
    return value_before(value, flips)
