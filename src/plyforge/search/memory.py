"""Arrays for the kernel in both backends.

Compiled code uses addresses of NumPy arrays.  Uncompiled code uses Python lists, which may hold
ints and floats side by side; a list is its own address.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from plyforge.compilation.kernel import Backend


class Memory:
    """Makes arrays that a kernel can use."""

    def __init__(self, backend: Backend) -> None:
        self.compiled = backend == "compiled"

    def words(self, size: int) -> Any:
        """Return an array of zero words."""
        return np.zeros(size, np.int64) if self.compiled else [0] * size

    def reals(self, size: int) -> Any:
        """Return an array of zero floats."""
        return np.zeros(size, np.float64) if self.compiled else [0.0] * size

    def keys(self, values: Sequence[int], size: int) -> Any:
        """Return an array of unsigned words: the values, then zeros."""
        array = np.zeros(size, np.uint64)
        array[: len(values)] = np.array(values, np.uint64)
        return array

    def address(self, array: Any) -> Any:
        """Return what stands for the array in the context."""
        return array.ctypes.data if self.compiled else array
