"""The garbage collector, and returning memory to the operating system."""

import ctypes
import gc
import sys
from typing import Final

_YOUNG_OBJECTS: Final = 10_000
"""New objects after which Python looks for garbage; by default 700, which a turn exceeds."""


def collect_seldom() -> None:
    """Look for garbage less often: messages to pages have many objects, but no cycles."""
    exempt_loaded()
    gc.set_threshold(_YOUNG_OBJECTS)


def exempt_loaded() -> None:
    """Leave what is loaded now out of later searches for garbage, such as modules of a compiler."""
    gc.collect()
    gc.freeze()


def release_memory() -> None:
    """Return free memory to the operating system, as far as the C library can.

    glibc keeps what many threads have freed, in parts of its own for each of them.
    """
    gc.collect()
    if sys.platform != "linux":
        return
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
    if trim is not None:  # another C library has none
        trim(0)
