"""Alpha-beta: one search with the full window."""

import math

from plyforge.engine.window_search import WindowSearch

SUMMARY = "one search with the full window"
PAPER = "Knuth, Moore 1975"
OFF = ("pvs",)


def find_value(windows: WindowSearch, guess: float) -> float:
    return windows.search(-math.inf, math.inf)
