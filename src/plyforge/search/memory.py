"""Arrays and records for the kernel in both backends.

Compiled code uses addresses of NumPy arrays and of ctypes structures.  Uncompiled code uses Python
lists and objects, each of which is its own address.
"""

import ctypes
from collections.abc import Sequence
from typing import Any

import numpy as np

from plyforge.compilation.kernel import Backend
from plyforge.compilation.records import Record, plain_class, structure


class Memory:
    """Makes arrays and records that a kernel can use."""

    def __init__(self, backend: Backend) -> None:
        self.compiled = backend == "compiled"

    def words(self, size: int) -> Any:
        """Return an array of zero words."""
        return np.zeros(size, np.int64) if self.compiled else [0] * size

    def reals(self, size: int) -> Any:
        """Return an array of zero floats."""
        return np.zeros(size, np.float64) if self.compiled else [0.0] * size

    def reals_of(self, values: Sequence[float]) -> Any:
        """Return an array of these floats."""
        return np.array(values, np.float64) if self.compiled else list(values)

    def keys(self, values: Sequence[int], size: int) -> Any:
        """Return an array of unsigned words: the values, then zeros."""
        array = np.zeros(size, np.uint64)
        array[: len(values)] = np.array(values, np.uint64)
        return array

    def record(self, record: type[Record]) -> Any:
        """Return a record of zeros."""
        return structure(record)() if self.compiled else plain_class(record)()

    def records(self, record: type[Record], size: int) -> Any:
        """Return an array of records of zeros."""
        if self.compiled:
            return (structure(record) * size)()
        return [plain_class(record)() for _ in range(size)]

    def address(self, memory: Any) -> Any:
        """Return what stands for an array or a record in another record."""
        if not self.compiled:
            return memory
        if isinstance(memory, np.ndarray):
            return memory.ctypes.data
        return ctypes.addressof(memory)

    def clear_records(self, records: Any) -> None:
        """Set all fields of an array of records to 0."""
        if self.compiled:
            ctypes.memset(ctypes.addressof(records), 0, ctypes.sizeof(records))
        else:
            for record in records:
                record.__init__()
