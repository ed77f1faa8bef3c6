"""Which process owns an entry of the table."""

from typing import Any

import numpy as np

from plyforge.search.distributed.process import Process
from plyforge.search.kernels.table import spread_key

_OWNER_SHIFT = np.uint64(8)
_OWNER_MASK = np.uint64(0xFFFFFFFF)


def owner_of(key: Any, process: Process) -> int:
    """The process that owns a key's entry in the table."""
    spread = spread_key(key) >> _OWNER_SHIFT & _OWNER_MASK
    return np.int64(spread % np.uint64(process.size))
