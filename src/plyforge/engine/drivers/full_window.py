"""One search with the full window: alpha-beta, PVS, and minimax, which does not use the window."""

import math

from plyforge.engine.drivers.inquiry import Inquiry
from plyforge.search.options import Options


def full_window(inquiry: Inquiry, guess: float, options: Options) -> float:
    return inquiry.search(-math.inf, math.inf)
