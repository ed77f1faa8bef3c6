"""Keys that are the same on every machine and in every process.

`mix` works on 64-bit words; in compiled kernels its place is taken by the same arithmetic on
uint64.  The constants and shifts are those of the splitmix64 finaliser.
"""

import hashlib
from typing import Any

import numpy as np

from plyforge.core.errors import PlyforgeError

_WORD = (1 << 64) - 1
MULTIPLIER_1 = 0xBF58476D1CE4E5B9
MULTIPLIER_2 = 0x94D049BB133111EB
GOLDEN = 0x9E3779B97F4A7C15


def mix(state: int, word: int) -> int:
    """A new state from the old one and a word; every bit of both matters for every bit of it."""
    z = ((state ^ (word & _WORD)) + GOLDEN) & _WORD
    z = ((z ^ (z >> 30)) * MULTIPLIER_1) & _WORD
    z = ((z ^ (z >> 27)) * MULTIPLIER_2) & _WORD
    return z ^ (z >> 31)


def array_words(array: Any) -> list[int]:
    """An array as the 64-bit words that its key is made of, one per element."""
    if array.dtype.kind == "f":
        array = array.astype(np.float64).view(np.int64)
    return [int(value) for value in array.ravel()]


def object_key(position: Any) -> int:
    """The key of any Python object made of numbers, texts, tuples and the like."""
    digest = hashlib.blake2b(_canonical(position), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _canonical(value: Any) -> bytes:
    """Bytes that are equal for equal values, whatever the process (never Python's salted hash)."""
    if isinstance(value, bool) or (isinstance(value, float) and value.is_integer()):
        value = int(value)  # True == 1 == 1.0
    if value is None or isinstance(value, (int, float, str, bytes)):
        return f"{type(value).__name__}:{value!r};".encode()
    if isinstance(value, (tuple, list)):
        return b"(" + b"".join(map(_canonical, value)) + b")"
    if isinstance(value, (set, frozenset)):
        return b"{" + b"".join(sorted(map(_canonical, value))) + b"}"
    if isinstance(value, dict):
        return (
            b"<" + b"".join(sorted(_canonical(k) + _canonical(v) for k, v in value.items())) + b">"
        )
    if isinstance(value, np.ndarray):
        return f"array:{value.dtype}:{value.shape}:".encode() + value.tobytes()
    if isinstance(value, np.generic):
        return _canonical(value.item())
    fields = getattr(value, "__dict__", None)
    if fields is None and hasattr(type(value), "__slots__"):
        fields = {name: getattr(value, name) for name in type(value).__slots__}
    if fields is not None:
        return type(value).__name__.encode() + _canonical(fields)
    raise PlyforgeError(
        f"no stable key for a {type(value).__name__} in a position; define key(position)"
    )
