"""MTD-step(f) (Mańdziuk, Osman 2004): from the guess in steps that grow until one succeeds."""

import math

from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine.drivers.real_mtdf import search_between_bounds
from plyforge.engine.window_search import WindowSearch
from plyforge.search.parameters import Parameter
from plyforge.search.values import next_above, next_below, to_float32

SUMMARY = "null windows in growing steps from the guess, then one search between the bounds"
PAPER = "Mańdziuk, Osman 2004"
PARAMETERS = (
    Parameter(
        "mtd-step",
        1.0,
        "the first step, in units of the evaluation",
        maximum=float(SCORE_LIMIT),
        real=True,
    ),
    Parameter(
        "mtd-step-growth",
        2.0,
        "the factor by which the step grows",
        minimum=1.0,
        maximum=1024.0,
        real=True,
    ),
)


def find_value(
    windows: WindowSearch, guess: float, mtd_step: float, mtd_step_growth: float
) -> float:
    """Test the guess, then step in the direction of the value until it lies between two bounds.

    The first step leads `mtd-step` beyond the bound that the test returned; each further one is
    `mtd-step-growth` times as long.  Once the value is enclosed, one search between the bounds
    finds it.
    """
    step, bound = mtd_step, to_float32(guess)
    while True:
        value = windows.test(bound)
        if windows.settled:
            return value
        if math.isfinite(windows.lower) and math.isfinite(windows.upper):
            return search_between_bounds(windows)
        if value >= bound:
            bound = max(to_float32(value + step), next_above(value))
        else:
            bound = min(to_float32(value - step), value)
            bound = bound if bound > -math.inf else next_below(value)
        step *= mtd_step_growth
