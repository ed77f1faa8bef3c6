"""The memory of the kernel besides the position: words of memory, by name.

The context is an array of int64.  Its first word is the stop flag, which another thread may set at
any time; one thread reads and writes the rest.  It holds the addresses of all larger memory.
Uncompiled, the same words are in Python lists, and an address is the list itself.

Every ply of the path has a frame: the record of its node.  A frame's words are ints, except those
listed as reals, which are float64 in the same words.
"""

from itertools import count as _count
from typing import Any, Final

from plyforge.core.scores import ONGOING

_word = _count()

# Control.
STOP: Final = next(_word)
BUDGET: Final = next(_word)
"""Nodes left before the kernel stops by itself; huge where there is no limit."""
FAULT: Final = next(_word)
"""A fault of the game, one of those below; 0 if there is none."""
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
ROOT_MOVES: Final = next(_word)

# Sizes.
BUCKETS: Final = next(_word)
"""Places in the table: entries, or pairs of them under the rule `two-level`."""
CONTINUATION_BITS: Final = next(_word)
DISTINCT_BITS: Final = next(_word)
LOG_SIZE: Final = next(_word)
ROOT_MOVE_COUNT: Final = next(_word)
"""The number of root moves to search; 0 for all."""
MAX_PLY: Final = next(_word)

# The root.
PLIES_BEFORE_ROOT: Final = next(_word)
"""The number of positions before the root, whose keys the path starts with."""
ROOT_SIDE: Final = next(_word)
ROOT_REVERSIBLE_PLIES: Final = next(_word)
"""Plies from the last irreversible move to the root."""
ROOT_PATH_HASH: Final = next(_word)
"""The hash of the positions before the root that can still come back."""
ROOT_SLOT: Final = next(_word)
"""The slot of the move that led to the root; -1 if there is none."""

# Rules.
REPETITION: Final = next(_word)
REPETITION_COUNT: Final = next(_word)
"""The number of occurrences of a position that ends the game."""
NO_PROGRESS_LIMIT: Final = next(_word)
"""-1 where the game has none."""

# Switches and parameters: see `search.enhancements`.
PRUNE: Final = next(_word)
HORIZON_MOVES: Final = next(_word)
NEEDS_KEYS: Final = next(_word)
"""Whether interior nodes need the keys of their positions."""
USE_TABLE: Final = next(_word)
ACCEPTS_DEEPER: Final = next(_word)
"""Whether an entry from a deeper search is valid, too: the depth rule `at-least`."""
STORE_LEAVES: Final = next(_word)
REPLACEMENT: Final = next(_word)
SAME_POSITION: Final = next(_word)
"""Whether the replacement rule also applies to an entry of the same position."""
STAMP_PER_SAVE: Final = next(_word)
STAMP: Final = next(_word)
GENERATION: Final = next(_word)
ORDERED: Final = next(_word)
"""Whether moves are sorted at all."""
TABLE_MOVE: Final = next(_word)
TABLE_MOVE_DEPTH: Final = next(_word)
"""How much shallower than the node an entry may be for its move to be tried first; -1 for any
depth."""
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
LOOK_AHEAD_DEPTH: Final = next(_word)
"""The minimum remaining depth at which all children are looked at before the first is searched."""
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
MIN_EVALUATION: Final = 0
MAX_EVALUATION: Final = 1
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
"""The remaining depth, in sixteenths of a ply."""
SIDE: Final = next(_place)
MOVE_COUNT: Final = next(_place)
MOVES_START: Final = next(_place)
"""Where the node's moves start in the move buffer."""
TRIED: Final = next(_place)
"""The number of moves tried so far, the present one included."""
MOVE_INDEX: Final = next(_place)
"""The index of the present move, in the order of generation."""
MOVE: Final = next(_place)
BEST_INDEX: Final = next(_place)
HINT: Final = next(_place)
"""The index of the move that the table proposes, or -1."""
SLOT: Final = next(_place)
"""The slot of the move that led here, or -1."""
REVERSIBLE_PLIES: Final = next(_place)
"""Plies from the last irreversible move to this node."""
PATH_HASH: Final = next(_place)
PROVEN: Final = next(_place)
"""1 if the node's value depends on no leaf at the horizon."""
TABLE_PROVEN: Final = next(_place)
"""The same for the bound that narrowed the window."""
LINE_LENGTH: Final = next(_place)
"""The length of the node's principal variation."""
# Reals.
ALPHA: Final = next(_place)
"""The lower end of the window with which the node was entered."""
BETA: Final = next(_place)
LOW: Final = next(_place)
"""The lower end of the window as it is now."""
HIGH: Final = next(_place)
BEST: Final = next(_place)
FRAME_WORDS: Final = 20

ONE_PLY: Final = 16
"""Depths are counted in sixteenths of a ply."""

NO_VALUE: Final = 2.0 * ONGOING
"""Stands for a value that only a search can find."""

# Faults.
TOO_MANY_MOVES: Final = 1
BAD_EVALUATION: Final = 2
TOO_DEEP: Final = 3

# Replacement rules of the table.
NEWER: Final = 0
DEEPER: Final = 1
SHARPLY_DEEPER: Final = 2
DEEPER_TIMESTAMP: Final = 3
OLD: Final = 4
TWO_LEVEL: Final = 5

# How histories grow.
SQUARE: Final = 0
POWER: Final = 1

# How path-dependent values are stored in the table.
CYCLES_OFF: Final = 0
CYCLES_FAST: Final = 1
CYCLES_SAFE: Final = 2

LOG_WORDS: Final = 5


def option(context: Any, name: int) -> int:
    """Return a switch or a parameter, which is constant during a search."""
    return context[name]
