"""Keys that are the same on every machine and in every process.

`mix` works on 64-bit words; compiled kernels use the same arithmetic on uint64.  The constants and
shifts are those of the splitmix64 finaliser.
"""

import dataclasses
import enum
import hashlib
from typing import Any

import numpy as np

from plyforge.core.errors import PlyforgeError

WORD = (1 << 64) - 1
MULTIPLIER_1 = 0xBF58476D1CE4E5B9
MULTIPLIER_2 = 0x94D049BB133111EB
GOLDEN = 0x9E3779B97F4A7C15


def mix(state: int, word: int) -> int:
    """Return a new state from a state and a word; each of its bits depends on every bit of both."""
    z = ((state ^ (word & WORD)) + GOLDEN) & WORD
    z = ((z ^ (z >> 30)) * MULTIPLIER_1) & WORD
    z = ((z ^ (z >> 27)) * MULTIPLIER_2) & WORD
    return z ^ (z >> 31)


def array_words(array: Any) -> list[int]:
    """Return an array as 64-bit words for its key, one per element."""
    if array.dtype.kind == "f":
        array = (array.astype(np.float64) + 0.0).view(np.int64)  # -0.0 equals 0.0
    return [int(value) for value in array.ravel()]


def object_key(position: Any) -> int:
    """Return the key of a Python object made of numbers, texts, tuples and the like."""
    digest = hashlib.blake2b(_canonical(position), digest_size=8).digest()
    return int.from_bytes(digest, "little")


def _canonical(value: Any) -> bytes:
    """Return bytes that are equal for equal values in every process, unlike Python's `hash`."""
    if isinstance(value, int) or (isinstance(value, float) and value.is_integer()):
        value = int(value)  # True == 1 == 1.0
    if isinstance(value, str):
        value = str.__str__(value)
    if value is None or isinstance(value, (int, float, str, bytes)):
        return f"{type(value).__name__}:{value!r};".encode()
    if isinstance(value, enum.Enum):
        return f"{type(value).__name__}.{value.name};".encode()
    if isinstance(value, (tuple, list)):
        return b"(" + b"".join(map(_canonical, value)) + b")"
    if isinstance(value, (set, frozenset)):
        return b"{" + b"".join(sorted(map(_canonical, value))) + b"}"
    if isinstance(value, dict):
        return (
            b"<" + b"".join(sorted(_canonical(k) + _canonical(v) for k, v in value.items())) + b">"
        )
    if isinstance(value, np.ndarray) and value.dtype.hasobject:
        return b"array:" + _canonical((value.shape, value.ravel().tolist()))
    if isinstance(value, np.ndarray):
        return f"array:{value.dtype}:{value.shape}:".encode() + value.tobytes()
    if isinstance(value, np.generic):
        return _canonical(value.item())
    fields = _fields(value)
    if fields is not None:
        return type(value).__name__.encode() + _canonical(fields)
    raise PlyforgeError(
        f"no stable key for a {type(value).__name__} in a position; define key(position)"
    )


def _fields(value: Any) -> dict[str, Any] | None:
    """Return the fields that a dataclass compares, or all attributes of another object."""
    if dataclasses.is_dataclass(value):
        return {f.name: getattr(value, f.name) for f in dataclasses.fields(value) if f.compare}
    attributes = dict(getattr(value, "__dict__", {}))
    slotted = [kind for kind in type(value).__mro__ if "__slots__" in vars(kind)]
    for kind in slotted:
        slots = vars(kind)["__slots__"]
        for name in (slots,) if isinstance(slots, str) else slots:
            private = name.startswith("__") and not name.endswith("__")
            attribute = f"_{kind.__name__.lstrip('_')}{name}" if private else name
            if hasattr(value, attribute) and name != "__weakref__":
                attributes[attribute] = getattr(value, attribute)
    return attributes if slotted or hasattr(value, "__dict__") else None
