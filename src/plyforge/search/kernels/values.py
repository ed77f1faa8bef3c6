"""Arithmetic of values on machine words; `search.values` is the same in Python."""

from typing import Any

import numpy as np

from plyforge.core.scores import OPEN_LIMIT, SCORE_LIMIT

_LIMIT = float(SCORE_LIMIT)
_OPEN_LIMIT = float(OPEN_LIMIT)


def to_float32(value: float) -> float:
    """The nearest float32, because the table stores float32; -0 becomes 0."""
    return np.float64(np.float32(value)) + 0.0


def from_root(value: float, ply: int) -> float:
    """Turn a value of the node at `ply` into one with wins counted from the root."""
    if value > _LIMIT:
        return value - ply
    if value < -_LIMIT:
        return value + ply
    return value


def from_node(value: float, ply: int) -> float:
    """Undo `from_root`: count wins from the node, as the table stores them."""
    if value > _LIMIT:
        return value + ply
    if value < -_LIMIT:
        return value - ply
    return value


def is_decided(value: float) -> bool:
    """Whether a value is a win or a loss; evaluations are closer to 0."""
    return value > _LIMIT or value < -_LIMIT


def is_open(value: float) -> bool:
    """Whether a win or loss is known from a database, but the way to it was not seen."""
    return is_decided(value) and -_OPEN_LIMIT < value < _OPEN_LIMIT


def next_above(value: float) -> float:
    """The smallest float32 greater than a finite float32.

    For integers this makes as good a null window as value + 1: no value lies between.
    """
    if value == 0.0:
        return 1.401298464324817e-45  # the smallest positive float32
    bits = np.float32(value).view(np.int32)
    step = 1 if value > 0.0 else -1
    return np.float64(np.int32(bits + step).view(np.float32))


def is_null_window(low: float, high: float) -> bool:
    """Whether no value lies between the ends of a window."""
    return low > -np.inf and high <= next_above(low)


def next_below(value: float) -> float:
    """The greatest float32 smaller than a finite float32."""
    return 0.0 - next_above(0.0 - value)


def window_low(flips: bool, low: float, high: float) -> float:
    """The lower end of a node's window from a child's perspective."""
    return 0.0 - high if flips else low


def window_high(flips: bool, low: float, high: float) -> float:
    """The upper end of a node's window from a child's perspective."""
    return 0.0 - low if flips else high


def value_above(flips: bool, value: float) -> float:
    """A child's value from its parent's perspective: negated if the side to move changes."""
    return 0.0 - value if flips else value


def word_of(value: float) -> Any:
    """The bits of a float32, as the lower half of a uint64."""
    return np.uint64(np.float32(value).view(np.uint32))


def value_of(word: Any) -> float:
    """The float32 whose bits are the lower half of a uint64."""
    return np.float64(np.uint32(word & np.uint64(0xFFFFFFFF)).view(np.float32))
