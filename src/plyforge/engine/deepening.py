"""Iterative deepening: the depths of the iterations, and their first guesses."""

from collections.abc import Iterator
from typing import Final

from plyforge.search.options import Options
from plyforge.search.parameters import MAX_PLIES, Parameter

GUESS: Final = Parameter(
    "guess",
    "two-back",
    "the first guess of drivers that take one: 0, the value of the last iteration, or that of the"
    " one before it",
    choices={"zero": 0, "last": 1, "two-back": 2},
)


def depths(
    options: Options, depth: int | None, side: int = 0, start: int | None = None
) -> Iterator[int]:
    """Yield the depths of the iterations, in plies, for a side to move at the root.

    The last one is `depth`, if given, unless the side searches only depths of the other parity.
    The first one is `start`, if given: an earlier analysis has searched the depths before.

    >>> list(depths(Options().changed(settings={"depth-step": 2}), 7))
    [1, 3, 5, 7]
    >>> list(depths(Options().changed(settings={"parity-first": "odd"}), 8))
    [1, 3, 5, 7]
    >>> list(depths(Options().changed(settings={"depth-step": 2}), 8, start=5))
    [5, 7, 8]
    """
    last = last_depth(depth)
    parity = options.code("parity-second" if side else "parity-first")
    if parity and last >= parity:
        last -= (last - parity) % 2
    if not options.has("deepening") or last < parity:
        yield last
        return
    if parity:
        late = max(0, (start or 0) - parity + 1) // 2 * 2
        yield from range(min(parity + late, last), last + 1, 2)
        return
    step = int(options.get("depth-step"))
    if start is not None:
        yield from range(start, last, step)
        yield last
        return
    first = int(options.get("start")) or (last % step or step if depth is not None else step)
    yield from range(first, last, step)
    yield last


def depths_to_end(
    options: Options,
    depth: int | None,
    end: int | None,
    *,
    side: int = 0,
    start: int | None = None,
    limited: bool = False,
) -> Iterator[int]:
    """Yield the depths as `depths` does; after a good share of `end`, the next one is the last.

    `end` is the depth at which every game has ended; None if it is not known.  Depths just below it
    cost nearly as much and prove nothing.  `limited` is whether the search may be stopped early.

    >>> list(depths_to_end(Options().changed(settings={"depth-step": 1}), None, 20))
    [1, 2, 3, 4, 5, 6, 20]
    """
    share = float(options.get("end-share-limited" if limited else "end-share"))
    before = 0
    for plies in depths(options, depth, side, start):
        if end is None or end > last_depth(depth) or share == 0:
            yield plies
            continue
        if plies >= end or share * end <= before:
            yield max(end, 1)
            return
        yield plies
        before = plies


def last_depth(depth: int | None) -> int:
    """Return the depth that a search may reach."""
    return MAX_PLIES if depth is None else depth


def first_guess(options: Options, values: list[float], first: float = 0.0) -> float:
    """Return the guess at which an iteration starts, from the values of those before it."""
    policy = options.get("guess")
    if policy == "zero":
        return 0.0
    if not values:
        return first
    return values[-2] if policy == "two-back" and len(values) > 1 else values[-1]
