"""The numbers of a search: made, told apart and compared in one place.

A win is worth `WIN` less the plies from the root to it, a loss the negative of that: so the
shorter of two wins is worth more.  Every number that a search makes is a float32, because tables
store float32, and never -0.
"""

import math

import numpy as np

from plyforge.core.scores import SCORE_LIMIT, WIN

INFINITY = math.inf

BEYOND_ALL = float(WIN + 1)
"""Greater than every value, and a step away from the greatest: where SSS* starts."""


def rounded(value: float) -> float:
    """The nearest float32; -0 becomes 0."""
    return float(np.float32(value)) + 0.0


def from_root(value: float, ply: int) -> float:
    """A value as seen at a node `ply` plies below the root, with wins counted from the root."""
    if value > SCORE_LIMIT:
        return value - ply
    return value + ply if value < -SCORE_LIMIT else value


def from_node(value: float, ply: int) -> float:
    """The reverse of `from_root`: what a table keeps, for it may meet the node at another ply."""
    if value > SCORE_LIMIT:
        return value + ply
    return value - ply if value < -SCORE_LIMIT else value


def next_above(value: float, integer: bool = False) -> float:
    """The least value that is greater: no value lies inside the window (value, next_above(value)).

    With `integer`, values are whole numbers, and the next one is 1 away.
    """
    if integer:
        return value + 1
    nearest = np.float32(value)
    if float(nearest) > value:
        return float(nearest)
    return float(np.nextafter(nearest, np.float32(INFINITY)))


def next_below(value: float, integer: bool = False) -> float:
    """The greatest value that is less."""
    return 0.0 - next_above(-value, integer)
