"""The index of databases: positions by the number of seeds in play.

Stores are left out: a value is what the side to move still gains.  A place is the rank of the bars
between the pits in a line of seeds.
"""

import math
import re

from plyforge.games.kalah.rules import MAX_SEEDS, WIDTH, Position, total
from plyforge.rules import SLICE_SHIFT, choose, rank_bits, unrank_bits

MAX_LINE = 62
"""Seeds and bars together fit an int."""


def index(position: Position) -> int:
    seeds = total(position.mine) + total(position.theirs)
    line = seeds + 2 * position.pits - 1
    if line > MAX_LINE or choose(line, 2 * position.pits - 1) > 1 << SLICE_SHIFT:
        return -1
    return seeds << SLICE_SHIFT | rank_bits(bars(position))


def bars(position: Position) -> int:
    """The bars between the pits, as bits in a line of seeds."""
    line = place = 0
    for pit in range(2 * position.pits - 1):
        row = position.mine if pit < position.pits else position.theirs
        place += row >> WIDTH * (pit % position.pits) & MAX_SEEDS
        line |= 1 << place
        place += 1
    return line


def unindex(position: Position, number: int) -> Position:
    pits = position.pits
    seeds = number >> SLICE_SHIFT
    line = unrank_bits(number & ((1 << SLICE_SHIFT) - 1), 2 * pits - 1, seeds + 2 * pits - 1)
    mine = theirs = 0
    left = seeds
    for pit in range(2 * pits):
        count = 0
        while left > 0 and line & 1 == 0:
            count += 1
            left -= 1
            line >>= 1
        line >>= 1
        if pit < pits:
            mine |= count << WIDTH * pit
        else:
            theirs |= count << WIDTH * (pit - pits)
    if seeds > 0 and (mine == 0 or theirs == 0):
        # No position: the game is over when a side is empty.  This one has no seeds.
        return Position(0, 0, 0, 0, 0, pits)
    return Position(mine, theirs, 0, 0, 0, pits)


def secured_score(position: Position) -> int:
    return position.store - position.their_store


def slices(position: Position, text: str) -> dict[str, tuple[int, int]]:
    """The slices of a number of seeds in play, as `8` or `0-8`."""
    pits = position.pits
    sizes = [math.comb(seeds + 2 * pits - 1, 2 * pits - 1) for seeds in range(MAX_SEEDS)]
    most = max(n for n, size in enumerate(sizes)
               if n + 2 * pits - 1 <= MAX_LINE and size <= 1 << SLICE_SHIFT)  # fmt: skip
    if not text:
        first = last = total(position.mine) + total(position.theirs)
    else:
        match = re.fullmatch("([0-9]+)(?:-([0-9]+))?", text)
        if not match:
            raise ValueError("a slice is a number of seeds in play, as 8 or 0-8")
        first, last = int(match[1]), int(match[2] or match[1])
    if not 0 <= first <= last <= most:
        raise ValueError(f"with {pits} pits a side, databases have between 0 and {most} seeds")
    return {str(seeds): (seeds, sizes[seeds]) for seeds in range(first, last + 1)}
