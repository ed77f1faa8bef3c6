"""Repetition and lack of progress on the path of a search, positions before the root included.

A position can come back only while no irreversible move lies between, so earlier ones are not
compared.

A value that depends on a repetition belongs to a path, not to a position.  The policy `fast`
stores it anyway.  The policy `safe` adds to a node's key a hash of the positions on its path that
can still come back, and the plies without progress if their limit is within the node's reach: two
nodes then share an entry only if the same repetitions and the same limit lie ahead of them.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import has_cycles, irreversible, offset, pointer, unsigned
from plyforge.compilation.keys import mix
from plyforge.game.kernels.path_ends import (
    drop_repeating_moves,
    is_repetition_end,
    lacks_progress,
)
from plyforge.search.kernels.context import (
    CYCLES,
    CYCLES_OFF,
    CYCLES_SAFE,
    FRAME_WORDS,
    MOVES,
    MOVES_START,
    NO_PROGRESS_LIMIT,
    ONE_PLY,
    PATH,
    PATH_HASH,
    PLIES_BEFORE_ROOT,
    REPETITION,
    REPETITION_COUNT,
    REVERSIBLE_PLIES,
    option,
)

SALT = 0x6A09E667F3BCC909
"""The start of the hash of every position on the path."""
_SALT = np.uint64(SALT)


def watches_cycles(context: Any) -> bool:
    """Whether ends depend on the path."""
    return has_cycles() and option(context, CYCLES) != CYCLES_OFF


def first_reversible(ply: int, frame: Any, context: Any) -> int:
    """The index on the path of the first position that can still come back."""
    return max(context[PLIES_BEFORE_ROOT] + ply - frame[REVERSIBLE_PLIES], 0)


def is_repeated(position_key: Any, ply: int, frame: Any, context: Any) -> bool:
    """Whether a position ends the game because it has come back often enough."""
    first, path = first_reversible(ply, frame, context), unsigned(context[PATH])
    here = context[PLIES_BEFORE_ROOT] + ply
    rule, limit = option(context, REPETITION), option(context, REPETITION_COUNT)
    return is_repetition_end(rule, limit, position_key, path, first, here)


def keep_new_positions(position: Any, count: int, ply: int, frame: Any, context: Any) -> int:
    """Keep a node's moves that lead to positions not yet on the path; return their number."""
    buffer = offset(pointer(context[MOVES]), frame[MOVES_START])
    first, path = first_reversible(ply, frame, context), unsigned(context[PATH])
    return drop_repeating_moves(
        position, count, buffer, path, first, context[PLIES_BEFORE_ROOT] + ply
    )


def advance_path(position: Any, move: int, position_key: Any, frame: Any, context: Any) -> None:
    """Write to the child's frame how the move changes the path."""
    reversible, path_hash = frame[REVERSIBLE_PLIES] + 1, frame[PATH_HASH]
    if irreversible(position, move):
        reversible, path_hash = 0, 0
    elif option(context, CYCLES) == CYCLES_SAFE:
        total = np.int64(path_hash).view(np.uint64) + mix(_SALT, position_key)
        path_hash = np.uint64(total).view(np.int64)
    frame[FRAME_WORDS + REVERSIBLE_PLIES] = reversible
    frame[FRAME_WORDS + PATH_HASH] = path_hash


def table_key(position_key: Any, path_hash: int, reversible: int, depth: int, context: Any) -> Any:
    """The key under which the table stores a node."""
    if not has_cycles() or option(context, CYCLES) != CYCLES_SAFE:
        return position_key
    mixed = position_key ^ np.int64(path_hash).view(np.uint64)
    reach = reversible + (depth + ONE_PLY - 1) // ONE_PLY
    if lacks_progress(option(context, NO_PROGRESS_LIMIT), reach):
        mixed = mix(mixed, np.uint64(reversible))
    return mixed
