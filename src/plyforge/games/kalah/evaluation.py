"""Kalah's evaluation: a guess of the final score in seeds, from the stores and what may follow.

The side to move can use its chances at once, the other side only if they last; hence they are
weighted apart.
"""

from plyforge.games.kalah.rules import MAX_SEEDS, WIDTH, Position, total

UNIT = 64
"""Weights are in 1/64 of a seed; their sum is rounded to whole seeds."""
LIMIT = MAX_SEEDS
"""No final score is greater than all the seeds there can be."""

STORES = UNIT
SEEDS = 10
PITS = 80
MY_EXTRA = 88
THEIR_EXTRA = -30
MY_CAPTURE = 60
THEIR_CAPTURE = -32

Counts = tuple[int, int, int, int, int, int, int]
Chances = tuple[int, int, int]


def evaluate(position: Position) -> int:
    stores, seeds, pits, my_extra, their_extra, my_capture, their_capture = features(position)
    points = (
        STORES * stores
        + SEEDS * seeds
        + PITS * pits
        + MY_EXTRA * my_extra
        + THEIR_EXTRA * their_extra
        + MY_CAPTURE * my_capture
        + THEIR_CAPTURE * their_capture
    )
    return max(-LIMIT, min(LIMIT, (points + UNIT // 2) // UNIT))


def terms(position: Position) -> list[tuple[str, float, float]]:
    """Each feature with its weight in seeds, and what rounding and the limit add."""
    stores, seeds, pits, my_extra, their_extra, my_capture, their_capture = features(position)
    found = [
        ("stores", float(stores), STORES / UNIT),
        ("seeds", float(seeds), SEEDS / UNIT),
        ("filled pits", float(pits), PITS / UNIT),
        ("own extra moves", float(my_extra), MY_EXTRA / UNIT),
        ("other side's extra moves", float(their_extra), THEIR_EXTRA / UNIT),
        ("own capture", float(my_capture), MY_CAPTURE / UNIT),
        ("other side's capture", float(their_capture), THEIR_CAPTURE / UNIT),
    ]
    rest = evaluate(position) - sum(value * weight for _, value, weight in found)
    return [*found, ("rounding", rest, 1.0)]


def features(position: Position) -> Counts:
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
    """How many pits are filled, how many of these give another move, and the greatest capture.

    The capture is what it brings to the store.  A pit that sows just one lap ends where it began,
    in a pit that is empty by then; one that sows more ends in a pit that has got a seed already.
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
