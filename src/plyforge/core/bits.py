"""Bit operations for rules, in plain Python.

When rules are compiled, each is replaced by one machine instruction (see
`compilation.intrinsics`); uncompiled, they are ordinary functions on ints or `u64` values.
"""

from typing import Any

WORD = (1 << 64) - 1


def popcount(bits: Any) -> int:
    """Return the number of ones among the 64 bits of `bits`.

    >>> popcount(0b1011)
    3
    """
    return (int(bits) & WORD).bit_count()


def ctz(bits: Any) -> int:
    """Return the index of the lowest one ("count trailing zeros"); `bits` must not be 0.

    >>> ctz(0b1000)
    3
    """
    word = int(bits)
    return (word & -word).bit_length() - 1


def clz(bits: Any) -> int:
    """Return the number of zeros above the highest one of 64 bits; `bits` must not be 0.

    >>> clz(1)
    63
    """
    return 64 - (int(bits) & WORD).bit_length()


def byteswap(bits: Any) -> Any:
    """Reverse the 8 bytes of a word, which mirrors an 8x8 board top to bottom.  Keep the type.

    >>> hex(byteswap(0xFF))
    '-0x100000000000000'
    """
    return _to_type_of(bits, int.from_bytes((int(bits) & WORD).to_bytes(8, "little"), "big"))


def logical_shift(bits: Any, count: Any) -> Any:
    """Shift right and fill with zeros, even if `bits` is a negative int.  Keep the type.

    >>> logical_shift(-1, 60)
    15
    """
    return _to_type_of(bits, (int(bits) & WORD) >> int(count))


def _to_type_of(example: Any, word: int) -> Any:
    """Convert a 64-bit word to the type of `example`: signed for ints, unsigned for `u64`."""
    signed = isinstance(example, int) or example.dtype.kind == "i"
    return type(example)(word - (1 << 64) if signed and word >> 63 else word)
