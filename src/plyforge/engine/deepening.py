"""Iterative deepening: which depths are searched, and what the next guess is."""

from collections.abc import Iterator

from plyforge.search.enhancements import MOST_PLIES
from plyforge.search.options import Options


def depths(options: Options, depth: int | None) -> Iterator[int]:
    """The depths of the iterations, in plies; the last one is `depth`, if there is a limit.

    >>> list(depths(Options().changed(settings={"step": 2}), 7))
    [1, 3, 5, 7]
    """
    last = MOST_PLIES if depth is None else depth
    if not options.has("deepening"):
        yield last
        return
    step = int(options.get("step"))
    first = int(options.get("start")) or (last % step or step if depth is not None else step)
    yield from range(first, last, step)
    yield last


def guess(options: Options, values: list[float]) -> float:
    """The first guess of an iteration, from the values of those before it."""
    policy = options.get("guess")
    if policy == "zero" or not values:
        return 0.0
    return values[-2] if policy == "two-back" and len(values) > 1 else values[-1]
