"""The memory of the transposition table; `kernels.table` reads and writes its entries."""

import ctypes
import os
from typing import Final

import numpy as np
from numpy.typing import NDArray

from plyforge.core.errors import PlyforgeError, clip

MIN_ENTRIES: Final = 1 << 8
DEFAULT_MIB: Final = 64
_ENTRY_BYTES: Final = 16
_STAMP_BYTES: Final = 8
_MIB: Final = 1 << 20
_MAX_ENTRIES: Final = 1 << 32
"""A bucket is found by multiplying 32 bits of the key by the number of buckets."""


class HashTable:
    """The table's memory; searches of one game may share it, also in several threads."""

    def __init__(self, entries: int, stamped: bool = False) -> None:
        self.entries = entries
        self.words: NDArray[np.uint64] = np.zeros(2 * entries, np.uint64)
        self.stamps: NDArray[np.int64] = np.zeros(entries if stamped else 1, np.int64)
        self.sets: NDArray[np.uint64] = np.zeros(0, np.uint64)
        self.generation = 0
        self.stamp = 1

    @classmethod
    def sized(
        cls,
        mib: float | None = None,
        entries: int | None = None,
        stamped: bool = False,
        set_words: int = 0,
    ) -> "HashTable":
        """Make a table of so many MiB or entries, or raise an error if that is not possible.

        `set_words` is the size of the sets that a searcher reserves for each entry.
        """
        if mib is not None and entries is not None:
            raise PlyforgeError("give the table's size in MiB or in entries, not both")
        each = _ENTRY_BYTES + (_STAMP_BYTES if stamped else 0) + 8 * set_words
        if entries is None:
            entries = _entries_in(DEFAULT_MIB if mib is None else mib, each)
        if isinstance(entries, bool) or not isinstance(entries, int):
            raise PlyforgeError(f"entries must be an integer, not {entries!r}")
        if entries < MIN_ENTRIES:
            raise PlyforgeError(f"entries must be at least {MIN_ENTRIES}, not {entries}")
        _require_memory(entries, each)
        try:
            return cls(entries, stamped)
        except MemoryError:
            raise PlyforgeError(
                f"not enough memory for a table of {entries * each / _MIB:.0f} MiB; reduce hash or"
                " entries"
            ) from None

    def reserve_sets(self, words: int) -> NDArray[np.uint64]:
        """Return memory for a set of so many words with each entry."""
        if len(self.sets) != words * self.entries:
            self.sets = np.zeros(words * self.entries, np.uint64)
        return self.sets

    def clear(self) -> None:
        """Forget everything."""
        for array in (self.words, self.stamps):
            # Twice as fast as `fill`: it does not read the memory first.
            ctypes.memset(array.ctypes.data, 0, array.nbytes)
        self.generation = 0
        self.stamp = 1

    def new_generation(self, generations: int) -> None:
        """Start a new search: entries of earlier ones are replaced more easily."""
        self.generation = (self.generation + 1) % generations

    def fill(self) -> float:
        """Return the share of entries in use, from a sample."""
        sample = self.words[1 : 2 * min(self.entries, 1 << 14) : 2]
        return float(np.count_nonzero(sample)) / len(sample)


def _entries_in(mib: float, each: int) -> int:
    if isinstance(mib, bool) or not isinstance(mib, (int, float)) or not mib > 0:
        raise PlyforgeError(f"hash must be a positive number of MiB, not {mib!r}")
    if mib * _MIB > _MAX_ENTRIES * each:
        raise PlyforgeError(
            f"hash must be at most {_MAX_ENTRIES * each // _MIB} MiB ({_MAX_ENTRIES} entries), not"
            f" {clip(str(mib))}"
        )
    entries = int(mib * _MIB) // each
    if entries < MIN_ENTRIES:
        minimum = MIN_ENTRIES * each / _MIB
        raise PlyforgeError(
            f"hash must be at least {minimum:g} MiB ({MIN_ENTRIES} entries), not {mib:g}"
        )
    return entries


def _require_memory(entries: int, each: int) -> None:
    if entries > _MAX_ENTRIES:
        raise PlyforgeError(f"entries must be at most {_MAX_ENTRIES}, not {entries}")
    size, memory = entries * each, physical_memory()
    if memory is not None and size > 0.9 * memory:
        raise PlyforgeError(
            f"a table of {size / _MIB:.0f} MiB is too large for this machine, which has"
            f" {memory / _MIB:.0f} MiB of memory; reduce hash or entries"
        )


def physical_memory() -> int | None:
    """Return the bytes of memory of this machine; None if that is not known."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not available on every system
        return None
