"""The arithmetic of values, on machine words; `search.values` says the same in Python."""

from typing import Any

import numpy as np

from plyforge.core.scores import SCORE_LIMIT

_LIMIT = float(SCORE_LIMIT)


def rounded(value: float) -> float:
    """The nearest float32, which is all that the table keeps; -0 becomes 0."""
    return np.float64(np.float32(value)) + 0.0


def from_root(value: float, ply: int) -> float:
    """A value as the node at `ply` sees it, with wins counted from the root."""
    if value > _LIMIT:
        return value - ply
    if value < -_LIMIT:
        return value + ply
    return value


def from_node(value: float, ply: int) -> float:
    """The reverse of `from_root`."""
    if value > _LIMIT:
        return value + ply
    if value < -_LIMIT:
        return value - ply
    return value


def is_decided(value: float) -> bool:
    """Whether a value is a win or a loss by so many plies: no evaluation goes that far."""
    return value > _LIMIT or value < -_LIMIT


def next_above(value: float) -> float:
    """The least float32 greater than a finite float32.

    For whole numbers this makes as good a null window as value + 1: no value lies between.
    """
    if value == 0.0:
        return 1.401298464324817e-45  # the least positive float32
    bits = np.float32(value).view(np.int32)
    step = 1 if value > 0.0 else -1
    return np.float64(np.int32(bits + step).view(np.float32))


def window_low(flips: bool, low: float, high: float) -> float:
    """The lower end of a node's window, as a child sees it."""
    return 0.0 - high if flips else low


def window_high(flips: bool, low: float, high: float) -> float:
    """The upper end of a node's window, as a child sees it."""
    return 0.0 - low if flips else high


def value_above(flips: bool, value: float) -> float:
    """A child's value as the node sees it: negated if the side to move changes."""
    return 0.0 - value if flips else value


def word_of(value: float) -> Any:
    """The bits of a float32, as the lower half of a uint64."""
    return np.uint64(np.float32(value).view(np.uint32))


def value_of(word: Any) -> float:
    """The float32 whose bits are the lower half of a uint64."""
    return np.float64(np.uint32(word & np.uint64(0xFFFFFFFF)).view(np.float32))
