"""Sets of positions, as Bloom filters: a set may seem to contain more than was added, never less.

A set is `SET_WORDS` words.  Each position has two bits, taken from its mixed key.  Where a position
has to occur three times or more to end the game, half of the words are a second filter, of the
positions that occur at least twice on one line; see `sharing`.
"""

from typing import Any, Final

import numpy as np

from plyforge.compilation.hooks_api import offset
from plyforge.compilation.keys import mix
from plyforge.game.kernels.path_ends import ILLEGAL
from plyforge.search.kernels.context import Context

SET_WORDS: Final = 8

_SALT = np.uint64(0xBB67AE8584CAA73B)
_HALF, _SIX, _LOW = np.uint64(32), np.uint64(6), np.uint64(63)
_ONE, _NOTHING = np.uint64(1), np.uint64(0)


def counts_twice(context: Context) -> bool:
    """Whether a position ends the game only at its third occurrence or later."""
    return context.repetition != ILLEGAL and context.repetition_count > 2


def filter_words(context: Context) -> int:
    """The number of words of one filter."""
    return SET_WORDS // 2 if counts_twice(context) else SET_WORDS


def clear_set(target: Any) -> None:
    for index in range(SET_WORDS):
        target[index] = _NOTHING


def copy_set(target: Any, source: Any) -> None:
    for index in range(SET_WORDS):
        target[index] = source[index]


def add_set(target: Any, source: Any) -> None:
    for index in range(SET_WORDS):
        target[index] |= source[index]


def add_position(target: Any, position_key: Any, context: Context) -> None:
    """Add a position that occurs on a line."""
    add_bits(target, position_key, filter_words(context))


def add_twice(target: Any, position_key: Any, context: Context) -> None:
    """Add a position that occurs at least twice on a line, which was added once already."""
    words = filter_words(context)
    add_bits(offset(target, words), position_key, words)


def may_contain(target: Any, position_key: Any, context: Context) -> bool:
    return has_bits(target, position_key, filter_words(context))


def may_contain_twice(target: Any, position_key: Any, context: Context) -> bool:
    words = filter_words(context)
    return has_bits(offset(target, words), position_key, words)


def add_bits(words: Any, position_key: Any, count: int) -> None:
    mixed = mix(_SALT, position_key)
    mask = np.uint64(count * 64 - 1)
    first, second = mixed & mask, mixed >> _HALF & mask
    words[np.int64(first >> _SIX)] |= _ONE << (first & _LOW)
    words[np.int64(second >> _SIX)] |= _ONE << (second & _LOW)


def has_bits(words: Any, position_key: Any, count: int) -> bool:
    mixed = mix(_SALT, position_key)
    mask = np.uint64(count * 64 - 1)
    first, second = mixed & mask, mixed >> _HALF & mask
    if words[np.int64(first >> _SIX)] >> (first & _LOW) & _ONE == _NOTHING:
        return False
    return (words[np.int64(second >> _SIX)] >> (second & _LOW) & _ONE) != _NOTHING
