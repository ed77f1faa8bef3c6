"""Returning memory to the operating system."""

import ctypes
import gc
import sys


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
