"""Transposition-table driven scheduling of alpha-beta (TDSAB).

Work goes to the process that owns a position, so the owner finds the position's entry in its own
memory, and work with the same position meets there.  See docs/search/distributed.md.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import key
from plyforge.search.distributed.ownership import owner_of
from plyforge.search.distributed.process import Process
from plyforge.search.kernels.context import Context


def target_of(position: Any, process: Process) -> int:
    """Return the process that owns a position."""
    return owner_of(np.uint64(key(position)), process)


def is_request(kind: int) -> bool:
    """Whether messages of a kind are handled on arrival: none is."""
    return False


def serve_request(message: Any, context: Context) -> None:
    """Do nothing: there are no such messages."""


def find_work(process: Process) -> None:
    """Do nothing: work arrives by itself."""
