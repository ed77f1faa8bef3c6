"""Numbers for sets of bits, with which games write `index` and `unindex`.

The sets of k out of n bits have the numbers 0 to C(n, k) - 1.  Everything here compiles.
"""

import math
from typing import Any, Final

import numpy as np

from plyforge.core.bits import ctz, popcount

SLICE_SHIFT: Final = 36
"""A position's number in a database is `code << SLICE_SHIFT | place`."""
MAX_PLACES: Final = 1 << SLICE_SHIFT
MAX_CODE: Final = (1 << 63 - SLICE_SHIFT) - 1
_WIDTH: Final = 64

BINOMIALS: Final = np.array(
    [[min(math.comb(n, k), 2**63 - 1) for k in range(_WIDTH)] for n in range(_WIDTH)], np.int64
)
"""The binomial coefficients C(n, k) for n and k below 64."""


def choose(n: int, k: int) -> int:
    """Return how many sets of k out of n things there are.

    >>> int(choose(32, 2))
    496
    """
    count: int = BINOMIALS[n, k]
    return count


def rank_bits(bits: int) -> int:
    """Return the number of a set of bits among the sets with as many bits.

    >>> int(rank_bits(0b11)), int(rank_bits(0b101)), int(rank_bits(0b110))
    (0, 1, 2)
    """
    rank = 0
    count = 0
    while bits:
        count += 1
        rank += BINOMIALS[ctz(bits), count]
        bits &= bits - 1
    return rank


def unrank_bits(rank: int, count: int, size: int) -> int:
    """Return the set of `count` out of `size` bits that has this number.

    >>> [bin(unrank_bits(rank, 2, 3)) for rank in range(3)]
    ['0b11', '0b101', '0b110']
    """
    bits = 0
    bit = size - 1
    while count > 0:
        while BINOMIALS[bit, count] > rank:
            bit -= 1
        rank -= BINOMIALS[bit, count]
        bits |= 1 << bit
        count -= 1
        bit -= 1
    return bits


def gather_bits(bits: int, mask: int) -> int:
    """Number the bits of `mask` from 0, and return the set of the numbers of `bits`.

    >>> bin(gather_bits(0b1000_0010, 0b1010_0110))
    '0b1001'
    """
    result = 0
    while bits:
        low = bits & -bits
        result |= 1 << popcount(mask & (low - 1))
        bits ^= low
    return result


def spread_bits(numbers: int, mask: int) -> int:
    """Undo `gather_bits`.

    >>> bin(spread_bits(0b1001, 0b1010_0110))
    '0b10000010'
    """
    result = 0
    while numbers:
        low = mask & -mask
        if numbers & 1:
            result |= low
        mask ^= low
        numbers >>= 1
    return result


def unpack_number(number: Any) -> tuple[int, int]:
    """Return the code of a slice and the place in it."""
    return int(number) >> SLICE_SHIFT, int(number) & (MAX_PLACES - 1)
