"""Arrays for the kernel, in either backend.

Compiled code reaches memory by addresses of NumPy arrays.  Uncompiled it uses Python lists, which
may hold ints and floats side by side, and the list stands for its own address.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from plyforge.compilation.kernel import Backend


class Memory:
    """Makes arrays that one kernel call can use, and keeps them alive."""

    def __init__(self, backend: Backend) -> None:
        self.compiled = backend == "compiled"

    def words(self, size: int) -> Any:
        """Words of 0."""
        return np.zeros(size, np.int64) if self.compiled else [0] * size

    def reals(self, size: int) -> Any:
        """Floats of 0."""
        return np.zeros(size, np.float64) if self.compiled else [0.0] * size

    def keys(self, values: Sequence[int], size: int) -> Any:
        """Unsigned words: the values, then 0."""
        array = np.zeros(size, np.uint64)
        array[: len(values)] = np.array(values, np.uint64)
        return array

    def address(self, array: Any) -> Any:
        return array.ctypes.data if self.compiled else array
