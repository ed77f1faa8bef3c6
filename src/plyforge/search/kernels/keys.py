"""The key of a position in the search: its own, or one that symmetric positions share."""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import canonical_key, has_cycles, key
from plyforge.search.kernels.context import Context


def search_key(position: Any, context: Context) -> Any:
    """The key of a position.

    Symmetric positions have different keys where the path matters: none of them is a repetition of
    another.
    """
    if not has_cycles() and context.symmetry != 0:
        return np.uint64(canonical_key(position))
    return np.uint64(key(position))
