"""A custom driver: find the value by halving the range in which it lies.

    python examples/drivers/halving.py

`engine.search(position, low, high, depth)` is all that a driver needs: a result of at most `low` is
an upper bound, one of at least `high` a lower bound, and between them it is the value.
"""

import plyforge


def halving(engine: plyforge.Engine, position: object, depth: int, width: float = 1.0) -> float:
    """Return the value of a position by searches in the middle of its possible values."""
    lower, upper = engine.game.rules.constant("EVALUATION_RANGE")  # wins and losses lie outside
    while lower < upper:
        low = (lower + upper - width) / 2
        result = engine.search(position, low, low + width, depth)
        if result.bound == "exact":
            return result.value
        if result.bound == "lower":
            lower = result.value
        else:
            upper = result.value
    return lower


if __name__ == "__main__":
    engine = plyforge.Engine("checkers")
    start = engine.game.initial()
    print("halving", halving(engine, start, 9))
    print("PVS    ", engine.analyse(start, depth=9).score)
