"""The values of a search.

A win has the value `WIN` minus the plies from the root to it, a loss the negative of that, so a
shorter win is better.  Every value is a float32, because tables store float32, and never -0.
"""

import math

import numpy as np

from plyforge.core.scores import OPEN_LIMIT, SCORE_LIMIT, WIN

INFINITY = math.inf

BEYOND_ALL = float(WIN + 1)
"""Greater than every value: where SSS* starts."""
_SMALL = 1e38
"""Numbers up to it do not overflow as float32."""


def to_float32(value: float) -> float:
    """Return the nearest float32; -0 becomes 0."""
    return float(np.float32(value)) + 0.0


def from_root(value: float, ply: int) -> float:
    """Turn a value of a node at `ply` into one with wins counted from the root."""
    if value > SCORE_LIMIT:
        return value - ply
    return value + ply if value < -SCORE_LIMIT else value


def from_node(value: float, ply: int) -> float:
    """Undo `from_root`: count wins from the node, as a table stores them."""
    if value > SCORE_LIMIT:
        return value + ply
    return value - ply if value < -SCORE_LIMIT else value


def is_open(value: float) -> bool:
    """Whether a win or loss is known from a database, but the way to it was not seen."""
    return SCORE_LIMIT < abs(value) < OPEN_LIMIT


def next_above(value: float, integer: bool = False) -> float:
    """Return the next greater value: none lies inside the window (value, next_above(value)).

    With `integer`, values are integers, and the next one is 1 away.
    """
    if integer:
        return value + 1
    nearest = np.float32(value)
    if float(nearest) > value:
        return float(nearest)
    return float(np.nextafter(nearest, np.float32(INFINITY)))


def next_below(value: float, integer: bool = False) -> float:
    """Return the next smaller value."""
    return 0.0 - next_above(-value, integer)


def round_window(low: float, high: float) -> tuple[float, float]:
    """Return the window with ends that are float32: the same values lie inside."""
    return _round_down(low), 0.0 - _round_down(-high)


def _round_down(value: float) -> float:
    """Return the greatest float32 that is not greater."""
    if _SMALL < abs(value) < math.inf:
        with np.errstate(over="ignore"):
            nearest = to_float32(value)
    else:
        nearest = to_float32(value)
    return nearest if nearest <= value else -next_above(-nearest)
