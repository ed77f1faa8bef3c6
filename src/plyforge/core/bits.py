"""Bit tricks for rules, in plain Python.

When rules are compiled, each of these is replaced by one machine instruction (see
`core.compilation.intrinsics`); uncompiled, they are ordinary functions on ints or `u64` values.
"""

from typing import Any

WORD = (1 << 64) - 1


def popcount(bits: Any) -> int:
    """The number of ones among the 64 bits of `bits`.

    >>> popcount(0b1011)
    3
    """
    return (int(bits) & WORD).bit_count()


def ctz(bits: Any) -> int:
    """The index of the lowest one ("count trailing zeros"); `bits` must not be 0.

    >>> ctz(0b1000)
    3
    """
    word = int(bits)
    return (word & -word).bit_length() - 1


def clz(bits: Any) -> int:
    """The number of zeros above the highest one of a 64-bit word; `bits` must not be 0.

    >>> clz(1)
    63
    """
    return 64 - (int(bits) & WORD).bit_length()


def byteswap(bits: Any) -> Any:
    """The 8 bytes of a word in reverse order: an 8x8 board turned upside down. Keeps the type.

    >>> hex(byteswap(0xFF))
    '-0x100000000000000'
    """
    return _alike(int.from_bytes((int(bits) & WORD).to_bytes(8, "little"), "big"), bits)


def logical_shift(bits: Any, count: Any) -> Any:
    """`bits >> count` that fills with zeros even when `bits` is a negative int. Keeps the type.

    >>> logical_shift(-1, 60)
    15
    """
    return _alike((int(bits) & WORD) >> int(count), bits)


def _alike(word: int, example: Any) -> Any:
    """A 64-bit word in the type of `example`: with a sign for ints, without for `u64`."""
    signed = isinstance(example, int) or example.dtype.kind == "i"
    return type(example)(word - (1 << 64) if signed and word >> 63 else word)
