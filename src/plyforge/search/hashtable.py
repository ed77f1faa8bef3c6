"""The transposition table's memory: how much of it, and who may write to it.

What stands in it is the business of `kernels.table`.
"""

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
"""Places are found by multiplying 32 bits of a key by their number."""


class HashTable:
    """Room for entries; searches of one game may share it, also from several threads."""

    def __init__(self, entries: int, stamped: bool = False) -> None:
        self.entries = entries
        self.words: NDArray[np.uint64] = np.zeros(2 * entries, np.uint64)
        self.stamps: NDArray[np.int64] = np.zeros(entries if stamped else 1, np.int64)
        self.generation = 0
        self.stamp = 1

    @classmethod
    def sized(
        cls, mib: float | None = None, entries: int | None = None, stamped: bool = False
    ) -> "HashTable":
        """A table of so many MiB or entries; an error if the machine has no room for it."""
        if mib is not None and entries is not None:
            raise PlyforgeError("give the table's size in MiB or in entries, not both")
        each = _ENTRY_BYTES + (_STAMP_BYTES if stamped else 0)
        if entries is None:
            entries = _entries_in(DEFAULT_MIB if mib is None else mib, each)
        if isinstance(entries, bool) or not isinstance(entries, int):
            raise PlyforgeError(f"a table of {entries!r} entries: give a whole number")
        if entries < MIN_ENTRIES:
            raise PlyforgeError(
                f"a table of {entries} entries is too small; it has at least {MIN_ENTRIES}"
            )
        _require_room(entries, each)
        try:
            return cls(entries, stamped)
        except MemoryError:
            raise PlyforgeError(
                f"no memory for a table of {entries * each / _MIB:.0f} MiB; give it less"
            ) from None

    @property
    def mib(self) -> float:
        return (self.words.nbytes + self.stamps.nbytes) / _MIB

    def clear(self) -> None:
        """Forget everything."""
        self.words.fill(0)
        self.stamps.fill(0)
        self.generation = 0
        self.stamp = 1

    def new_generation(self, generations: int) -> None:
        """Tell that a new search begins: older entries give way more easily."""
        self.generation = (self.generation + 1) % generations

    def fill(self) -> float:
        """The share of entries in use, from a sample."""
        sample = self.words[1 : 2 * min(self.entries, 1 << 14) : 2]
        return float(np.count_nonzero(sample)) / len(sample)


def _entries_in(mib: float, each: int) -> int:
    if isinstance(mib, bool) or not isinstance(mib, (int, float)) or not mib > 0:
        raise PlyforgeError(f"a table of {mib!r} MiB: give a positive number")
    if mib * _MIB > _MAX_ENTRIES * each:
        raise PlyforgeError(
            f"a table of {clip(str(mib))} MiB is too large; it has at most"
            f" {_MAX_ENTRIES} entries ({_MAX_ENTRIES * each // _MIB} MiB)"
        )
    entries = int(mib * _MIB) // each
    if entries < MIN_ENTRIES:
        raise PlyforgeError(
            f"a table of {mib:g} MiB is too small; it has at least {MIN_ENTRIES} entries"
        )
    return entries


def _require_room(entries: int, each: int) -> None:
    if entries > _MAX_ENTRIES:
        raise PlyforgeError(
            f"a table of {entries} entries is too large; it has at most {_MAX_ENTRIES}"
        )
    wanted, there = entries * each, _physical_memory()
    if there is not None and wanted > 0.9 * there:
        raise PlyforgeError(
            f"a table of {wanted / _MIB:.0f} MiB is too large for this machine, which has"
            f" {there / _MIB:.0f} MiB of memory; give it less"
        )


def _physical_memory() -> int | None:
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):  # not every system tells
        return None
