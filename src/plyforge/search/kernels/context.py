"""All that the kernel knows besides the position: words of memory, by name.

The context is an array of int64.  Its first word is the stop flag, which another thread may set at
any time; the rest is read and written by one thread.  Larger memory is reached through addresses in
it.  Uncompiled, the same words stand in Python lists, and an address is the list itself.

Every ply of the path has a frame: the record of its node.  A frame's words are ints, but for those
listed as reals, which are float64 in the same words.
"""

from itertools import count as _count
from typing import Any, Final

from plyforge.core.scores import ONGOING

_word = _count()

# Control.
STOP: Final = next(_word)
BUDGET: Final = next(_word)
"""Nodes that may still be counted before the kernel stops by itself; huge where there is no
limit."""
FAULT: Final = next(_word)
"""What is wrong with the game, if anything: one of the faults below."""
FAULT_PLY: Final = next(_word)
FAULT_COUNT: Final = next(_word)

# Addresses.
REALS: Final = next(_word)
FRAMES: Final = next(_word)
MOVES: Final = next(_word)
SCORES: Final = next(_word)
ORDER: Final = next(_word)
PATH: Final = next(_word)
VARIATION: Final = next(_word)
TABLE: Final = next(_word)
STAMPS: Final = next(_word)
KILLERS: Final = next(_word)
HISTORY: Final = next(_word)
CONTINUATION: Final = next(_word)
DISTINCT: Final = next(_word)
LOG: Final = next(_word)
CHOSEN: Final = next(_word)

# Sizes.
BUCKETS: Final = next(_word)
"""Places in the table: entries, or pairs of them under the rule `two-level`."""
CONTINUATION_BITS: Final = next(_word)
DISTINCT_BITS: Final = next(_word)
LOG_SIZE: Final = next(_word)
CHOSEN_COUNT: Final = next(_word)
"""How many root moves are allowed; 0 for all."""
MAX_PLY: Final = next(_word)

# The root.
BEFORE: Final = next(_word)
"""Positions before the root; their keys stand in the path already."""
ROOT_SIDE: Final = next(_word)
ROOT_SINCE: Final = next(_word)
"""Moves without progress before the root."""
ROOT_HASH: Final = next(_word)
"""The hash of the positions that can still come back."""
ROOT_SLOT: Final = next(_word)
"""The slot of the move that led to the root, -1 if there is none."""

# Rules that are data.
REPETITION: Final = next(_word)
REPEATS: Final = next(_word)
"""The occurrence of a position that ends the game."""
NO_PROGRESS: Final = next(_word)
"""The limit, or -1."""

# Switches and parameters: see `search.enhancements`.
PRUNE: Final = next(_word)
HORIZON_MOVES: Final = next(_word)
KEYED: Final = next(_word)
USE_TABLE: Final = next(_word)
AT_LEAST: Final = next(_word)
STORE_LEAVES: Final = next(_word)
REPLACEMENT: Final = next(_word)
SAME_TOO: Final = next(_word)
STAMP_PER_SAVE: Final = next(_word)
STAMP: Final = next(_word)
GENERATION: Final = next(_word)
ORDERED: Final = next(_word)
"""Whether moves are sorted at all."""
TABLE_MOVE: Final = next(_word)
TABLE_MOVE_DEPTH: Final = next(_word)
"""How much less deep than the node an entry may be whose move is tried first; -1 for any depth."""
ETC: Final = next(_word)
ETC_DEPTH: Final = next(_word)
EIB: Final = next(_word)
USE_KILLERS: Final = next(_word)
USE_HISTORY: Final = next(_word)
HISTORY_GROWTH: Final = next(_word)
HISTORY_PENALTY: Final = next(_word)
USE_CONTINUATION: Final = next(_word)
CHILD_EVAL: Final = next(_word)
CHILD_EVAL_DEPTH: Final = next(_word)
WINS: Final = next(_word)
WINS_DEPTH: Final = next(_word)
LOOKS_DEPTH: Final = next(_word)
"""The least remaining depth at which children are looked at before the first is searched."""
PVS: Final = next(_word)
PVS_SKIP_RESEARCH: Final = next(_word)
CYCLES: Final = next(_word)

# Counts.
LEAVES: Final = next(_word)
INTERIOR: Final = next(_word)
PROBES: Final = next(_word)
HITS: Final = next(_word)
TRANSPOSITIONS: Final = next(_word)
TABLE_CUTS: Final = next(_word)
ETC_CUTS: Final = next(_word)
CUTS: Final = next(_word)
FIRST_CUTS: Final = next(_word)
CUTS_BY_TABLE_MOVE: Final = next(_word)
CUTS_BY_WIN: Final = next(_word)
CUTS_BY_KILLER: Final = next(_word)
RESEARCHES: Final = next(_word)
DISTINCT_INTERIOR: Final = next(_word)
LOGGED: Final = next(_word)

CONTEXT_WORDS: Final = next(_word)
COUNTS: Final = range(LEAVES, CONTEXT_WORDS)

# Options that are reals, at the address `REALS`.
EVALUATION_LEAST: Final = 0
EVALUATION_GREATEST: Final = 1
BONUS_TABLE: Final = 2
BONUS_WIN: Final = 3
BONUS_KILLER: Final = 4
WEIGHT_HISTORY: Final = 5
WEIGHT_EVALUATION: Final = 6
FAULT_VALUE: Final = 7
REAL_WORDS: Final = 8

# A frame.
_place = _count()
DEPTH: Final = next(_place)
"""What is left, in sixteenths of a ply."""
SIDE: Final = next(_place)
COUNT: Final = next(_place)
"""How many moves there are."""
BASE: Final = next(_place)
"""Where they stand in the move buffer."""
NEXT: Final = next(_place)
"""How many of them have been tried."""
INDEX: Final = next(_place)
"""The number of the present move, in the order of generation."""
MOVE: Final = next(_place)
BEST_INDEX: Final = next(_place)
HINT: Final = next(_place)
"""The number of the move that the table proposes, or -1."""
SLOT: Final = next(_place)
"""The slot of the move that led here, or -1."""
SINCE: Final = next(_place)
"""Moves without progress before this node."""
PATH_HASH: Final = next(_place)
PROVEN: Final = next(_place)
"""1 if the node's value rests on no leaf at the horizon."""
TABLE_PROVEN: Final = next(_place)
"""The same for the bound that narrowed the window."""
LINE: Final = next(_place)
"""The length of the node's principal variation, in the row of its ply."""
# Reals.
ALPHA: Final = next(_place)
"""The window the node was entered with."""
BETA: Final = next(_place)
LOW: Final = next(_place)
"""The window as it is now."""
HIGH: Final = next(_place)
BEST: Final = next(_place)
FRAME_WORDS: Final = 20

ONE_PLY: Final = 16
"""Depths are counted in sixteenths of a ply."""

OPEN: Final = 2.0 * ONGOING
"""No value: the node has to be searched."""

# Faults.
TOO_MANY_MOVES: Final = 1
BAD_EVALUATION: Final = 2
TOO_DEEP: Final = 3

# Rules of replacement in the table.
NEWER: Final = 0
DEEPER: Final = 1
SHARPLY_DEEPER: Final = 2
DEEPER_TIMESTAMP: Final = 3
OLD: Final = 4
TWO_LEVEL: Final = 5

# How histories grow.
SQUARE: Final = 0
POWER: Final = 1

# What a repeated position means (as in `kernels.playout`).
ALLOWED: Final = 0
DRAWS: Final = 1
LOSES: Final = 2
ILLEGAL: Final = 3

# How path-dependent values meet the table.
CYCLES_OFF: Final = 0
CYCLES_FAST: Final = 1
CYCLES_SAFE: Final = 2

LOG_WORDS: Final = 5


def option(context: Any, name: int) -> int:
    """A switch or a parameter: constant during a search."""
    return context[name]
