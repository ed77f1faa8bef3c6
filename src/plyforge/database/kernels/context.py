"""The memory of the building kernel: the slice that is built, and the finished ones it leads to."""

from typing import Final

from plyforge.compilation.records import Fixed, Record, Words

# Words of an entry in the table of finished slices, which is open addressed.
ENTRY_WORDS: Final = 4
ENTRY_CODE: Final = 0
"""The slice's code + 1; 0 for an empty entry."""
ENTRY_VALUES: Final = 1
"""The address of its values, an array of int16."""
ENTRY_SIZE: Final = 2
ENTRY_LEAVES_OUT: Final = 3
"""1 if positions with `in_check` have no values; their moves have to be tried."""

MAX_MISSING: Final = 64
"""The number of missing slices that are reported at once."""
MAX_DEPTH: Final = 32
"""The length of a sequence of positions without values."""

# Faults.
TOO_MANY_MOVES: Final = 1
BAD_SCORE: Final = 2
"""A final score that is not an integer within the limits."""
BAD_INDEX: Final = 3
"""A place beyond the size of its slice."""
ENDLESS: Final = 4
"""A sequence of positions that belong to no slice."""


class Build(Record):
    """Everything that the building kernel reads and writes."""

    stop: int
    fault: int
    fault_number: int
    """The number of the position with the fault."""

    code: Fixed[int]
    size: Fixed[int]
    values: Fixed[int]
    """The address of the values of this slice, int16."""
    outside: Fixed[int]
    """The address of the best values by moves to other slices, int16."""
    remaining: Fixed[int]
    """The address of the numbers of moves within the slice not yet known to lose, uint8."""
    starts: Fixed[int]
    """The address of the places in `edges` where the predecessors of a position start, uint32."""
    edges: Fixed[int]
    """The address of the predecessors within the slice, uint32."""
    queue: Fixed[int]
    """The address of the decided positions in the order of their distances, uint32."""

    slices: Words
    slice_mask: Fixed[int]
    """The number of entries in the table of slices, minus 1; a power of two minus 1."""
    moves: Words
    missing: Words
    """The numbers of positions in slices that are needed and not there."""
    missing_count: int

    first: int
    """The places to work on: from `first` up to, but not including, `last`."""
    last: int
    level: int
    """The distance at which positions are decided."""
    changed: int
    waiting: int
    """Positions with a win that is longer than the level."""
    positions: int
    inner_moves: int
    keeps: int
    """Moves after which the same side is to move."""
    scores: int
    """Values that are scores and not wins, draws or losses."""
    checks: int
    """Positions with `in_check`."""
    kept_checks: int
    """Those of them with a move within the slice."""
    max_outside: int
    """The greatest distance of a win or loss by a move to another slice."""
    queue_first: int
    queue_last: int
    wrong: int
    """In a verification: positions whose value does not follow from those of their children."""
    wrong_number: int
