"""DUAL* as null-window searches: the loop of MTD(f) from below all values."""

from plyforge.core.scores import LOSS
from plyforge.engine.drivers.mtdf import converge
from plyforge.engine.window_search import WindowSearch

SUMMARY = "DUAL*: null windows, starting below all values"
PAPER = "Marsland, Reinefeld, Schaeffer 1987"


def find_value(windows: WindowSearch, guess: float) -> float:
    """Start at an immediate loss: no value is less than that."""
    return converge(windows, float(LOSS))
