"""`core.hashing.mix` on machine words, for compiled kernels."""

from typing import Any

import numpy as np

from plyforge.core import hashing

_GOLDEN = np.uint64(hashing.GOLDEN)
_MULTIPLIER_1 = np.uint64(hashing.MULTIPLIER_1)
_MULTIPLIER_2 = np.uint64(hashing.MULTIPLIER_2)
_S27, _S30, _S31 = np.uint64(27), np.uint64(30), np.uint64(31)


def mix(state: Any, word: Any) -> Any:
    """Return a new uint64 state from the old one and a uint64 word."""
    z = (state ^ word) + _GOLDEN
    z = (z ^ (z >> _S30)) * _MULTIPLIER_1
    z = (z ^ (z >> _S27)) * _MULTIPLIER_2
    return z ^ (z >> _S31)
