"""A driver of one's own: close in on the value by halving the distance to a known bound.

    python examples/drivers/halving.py

`engine.search(position, low, high, depth)` is all that a driver needs: at most `low`, what it
returns is an upper bound, at least `high` a lower one, and between them it is the value.
"""

import plyforge


def halving(engine: plyforge.Engine, position: object, depth: int, width: float = 1.0) -> float:
    """The value of a position: windows of one width, always in the middle of what is possible."""
    lower, upper = engine.game.rules.constant("EVALUATION_RANGE")  # wins and losses lie outside
    while lower < upper:
        low = (lower + upper - width) / 2
        answer = engine.search(position, low, low + width, depth)
        if answer.bound == "exact":
            return answer.value
        if answer.bound == "lower":
            lower = answer.value
        else:
            upper = answer.value
    return lower


if __name__ == "__main__":
    engine = plyforge.Engine("checkers")
    start = engine.game.initial()
    print("halving", halving(engine, start, 9))
    print("PVS    ", engine.analyse(start, depth=9).score)
