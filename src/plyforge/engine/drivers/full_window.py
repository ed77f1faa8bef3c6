"""One search with the full window: alpha-beta, PVS, and minimax, which does not use the window."""

import math

from plyforge.engine.drivers.window_search import WindowSearch
from plyforge.search.options import Options


def full_window(window_search: WindowSearch, guess: float, options: Options) -> float:
    return window_search.search(-math.inf, math.inf)
