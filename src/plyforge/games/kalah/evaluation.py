"""Kalah's evaluation: an estimate of the final score in seeds, from stores and possible moves.

The side to move can use its chances at once, the other side only if they last, so they have
separate weights.
"""

from plyforge.games.kalah.rules import MAX_SEEDS, WIDTH, Position, total
from plyforge.rules import linear

UNIT = 64
"""Weights are in 1/64 of a seed; their sum is rounded to whole seeds."""
LIMIT = MAX_SEEDS
"""No final score exceeds the maximum number of seeds."""

WEIGHTS = {
    "stores": UNIT,
    "seeds": 10,
    "filled pits": 80,
    "own extra moves": 88,
    "other side's extra moves": -30,
    "own capture": 60,
    "other side's capture": -32,
}
"""The weight of each feature, in the order of `features`."""

Chances = tuple[int, int, int]


def features(position: Position) -> tuple[int, ...]:
    mine, theirs = position.mine, position.theirs
    my_pits, my_extra, my_capture = chances(mine, theirs, position.pits)
    their_pits, their_extra, their_capture = chances(theirs, mine, position.pits)
    return (
        position.store - position.their_store,
        total(mine) - total(theirs),
        my_pits - their_pits,
        my_extra,
        their_extra,
        my_capture,
        their_capture,
    )


def chances(mine: int, theirs: int, pits: int) -> Chances:
    """How many pits are filled, how many of these give another move, and the largest capture.

    A capture is the seeds that it adds to the store.  A pit that sows exactly one lap ends where it
    began, in a pit that is empty by then; one that sows more ends in a pit that has a seed already.
    """
    ring = 2 * pits + 1
    filled, extra, capture = 0, 0, 0
    row = mine
    for pit in range(pits):
        seeds = row & MAX_SEEDS
        row >>= WIDTH
        if seeds == 0:
            continue
        filled += 1
        last = pit + seeds
        while last >= ring:
            last -= ring
        if last == pits:
            extra += 1
        elif last < pits and (
            seeds == ring or (seeds < ring and mine >> WIDTH * last & MAX_SEEDS == 0)
        ):
            prey = theirs >> WIDTH * (pits - 1 - last) & MAX_SEEDS
            if last <= pit:
                prey += 1  # the sowing went through the other row before it came back
            if prey > 0 and prey + 1 > capture:
                capture = prey + 1
    return filled, extra, capture


EVALUATION = linear(features, WEIGHTS, unit=UNIT, rounding="nearest", limit=LIMIT)
