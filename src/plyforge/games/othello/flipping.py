"""Which discs a move flips, by the rays from its cell.

On a ray the first cell without a disc of the other side decides: if it has an own disc, all discs
before it are flipped.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from plyforge.rules import clz, u64

NONE = u64(0)
ONE = u64(1)
LAST = u64(1 << 63)
_UP: Final = ((1, 0), (-1, 1), (0, 1), (1, 1))
"""Steps (column, row) towards higher bits."""


def rays() -> NDArray[np.uint64]:
    """Return the cells of eight rays from each cell: four towards high bits, four towards low."""
    steps = [*_UP, *((-column, -row) for column, row in _UP)]
    cells = []
    for start in range(64):
        for step in steps:
            ray, column, row = 0, start % 8 + step[0], start // 8 + step[1]
            while 0 <= column < 8 and 0 <= row < 8:
                ray |= 1 << 8 * row + column
                column, row = column + step[0], row + step[1]
            cells.append(ray)
    return np.array(cells, np.uint64)


def neighbours() -> NDArray[np.uint64]:
    """Return the cells next to each cell."""
    near = [
        sum(
            1 << 8 * y + x
            for x in range(max(cell % 8 - 1, 0), min(cell % 8 + 2, 8))
            for y in range(max(cell // 8 - 1, 0), min(cell // 8 + 2, 8))
            if 8 * y + x != cell
        )
        for cell in range(64)
    ]
    return np.array(near, np.uint64)


RAYS = rays()
NEIGHBOURS = neighbours()


def flips_at(mine: u64, theirs: u64, cell: int) -> u64:
    """The discs that a new one on a cell flips."""
    start = 8 * cell
    turned = NONE
    for place in range(start, start + 4):
        turned |= flips_above(mine, theirs, RAYS[place])
    for place in range(start + 4, start + 8):
        turned |= flips_below(mine, theirs, RAYS[place])
    return turned


def flips_above(mine: u64, theirs: u64, ray: u64) -> u64:
    """The discs flipped on a ray towards high bits, on which the lowest cell comes first."""
    # The last cell stands in where no other is left; it need not be on the ray.
    others = (ray & ~theirs) | LAST
    below = (others - ONE) & ~others
    return ray & below if (below + ONE) & mine & ray != NONE else NONE


def flips_below(mine: u64, theirs: u64, ray: u64) -> u64:
    """The discs flipped on a ray towards low bits, on which the highest cell comes first."""
    first = LAST >> clz((ray & ~theirs) | ONE)
    return ray & ~(first | (first - ONE)) if first & mine & ray != NONE else NONE
