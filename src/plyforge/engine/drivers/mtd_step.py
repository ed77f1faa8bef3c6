"""MTD-step(f) (Mańdziuk, Osman 2004): from the guess in steps that grow until one succeeds."""

import math

from plyforge.engine.drivers.real_mtdf import search_between_bounds
from plyforge.engine.drivers.window_search import WindowSearch
from plyforge.search.options import Options
from plyforge.search.values import next_above, next_below, to_float32


def mtd_step(window_search: WindowSearch, guess: float, options: Options) -> float:
    """Test the guess, then step in the direction of the value until it lies between two bounds.

    The first step leads `mtd-step` beyond the bound that the test returned; each further one is
    `mtd-step-growth` times as long.  Once the value is enclosed, one search between the bounds
    finds it.
    """
    step, growth = float(options.get("mtd-step")), float(options.get("mtd-step-growth"))
    bound = to_float32(guess)
    while True:
        value = window_search.test(bound)
        if window_search.settled:
            return value
        if math.isfinite(window_search.lower) and math.isfinite(window_search.upper):
            return search_between_bounds(window_search)
        if value >= bound:
            bound = max(to_float32(value + step), next_above(value))
        else:
            bound = min(to_float32(value - step), value)
            bound = bound if bound > -math.inf else next_below(value)
        step *= growth
