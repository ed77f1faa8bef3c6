"""Random numbers of nodes: the same on every machine, in both backends, in any order.

A number is a mixture of the seed, its purpose and the node's place.  Nothing is stored, and the
numbers do not depend on which nodes were visited before.  The mixing is the finaliser of splitmix64
(Steele, Lea and Flood 2014); all of it is arithmetic modulo 2^64.
"""

from typing import Any

import numpy as np

from plyforge.games.tree.layout import Position, Row
from plyforge.rules import u64

VALUE = u64(1)
"""Purposes of random words: the value of a node or an edge, ..."""
NOISE = u64(2)
ORDER = u64(3)
GAP = u64(4)
CHILD = u64(5)

FINE = 24
"""Bits of a real value that is drawn for a leaf: as many as float32 holds."""
COARSE = 17
"""Bits of a real value that is added up along a path: float32 still holds the sum."""

_GOLDEN = u64(0x9E3779B97F4A7C15)
_MULTIPLIER_1 = u64(0xBF58476D1CE4E5B9)
_MULTIPLIER_2 = u64(0x94D049BB133111EB)
_27, _30, _31, _32 = u64(27), u64(30), u64(31), u64(32)
_FOR_LEVEL, _FOR_SEED = u64(8), u64(16)


def mix(word: Any) -> Any:
    """Mix a word, or each word of an array: every bit affects every bit of the result."""
    word = (word ^ word >> _30) * _MULTIPLIER_1
    word = (word ^ word >> _27) * _MULTIPLIER_2
    return word ^ word >> _31


def word_at(seed: float, purpose: u64, level: int, place: int) -> u64:
    """64 random bits for a place of a level."""
    start = u64(int(seed)) << _FOR_SEED ^ u64(level) << _FOR_LEVEL ^ purpose
    word: u64 = mix(mix(start + _GOLDEN) ^ u64(place))
    return word


def below(word: u64, bound: int) -> int:
    """A number from 0 to `bound` - 1, for a bound below 2^32, from the upper bits of a word."""
    return int(np.int64((word >> _32) * u64(bound) >> _32))


def uniform(word: u64) -> float:
    """A number in [0, 1)."""
    return float(word >> u64(11)) * 2.0**-53


def draw_value(word: u64, values: int, bits: int) -> float:
    """One of `values` integers around 0 (odd ones only if `values` is even), all equally likely.

    With 0 values, a real number in [-1, 1) in steps of 2^(1 - bits).
    """
    if values == 0:
        return float(word >> u64(64 - bits)) * 2.0 ** (1 - bits) - 1.0
    doubled = 2.0 * below(word, values) - (values - 1)
    return doubled if values % 2 == 0 else doubled / 2


def digest_of(tree: Row) -> u64:
    """A 64-bit digest of the whole row."""
    places = np.arange(len(tree)).astype(np.uint64)
    word: u64 = mix(mix(mix(places + _GOLDEN) ^ tree.view(np.uint64)).sum() + _GOLDEN)
    return word


def key_of(digest: u64, position: Position) -> u64:
    """The key of a node, given its tree's digest: number and level determine all other fields."""
    word: u64 = mix(mix(mix(u64(position.node) + _GOLDEN) ^ u64(position.level)) ^ digest)
    return word
