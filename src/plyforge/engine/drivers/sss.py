"""SSS* as null-window searches: the loop of MTD(f) from above all values."""

from plyforge.engine.drivers.mtdf import converge
from plyforge.engine.window_search import WindowSearch
from plyforge.search.values import BEYOND_ALL

SUMMARY = "SSS*: null windows, starting above all values"
PAPER = "Stockman 1979; Plaat and others 1996"


def find_value(windows: WindowSearch, guess: float) -> float:
    return converge(windows, BEYOND_ALL)
