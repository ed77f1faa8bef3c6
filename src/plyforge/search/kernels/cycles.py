"""Repetition and lack of progress on the path, positions before the root included.

The keys of the path stand in one array.  A position can come back only while no irreversible move
lies between, so the search for it goes back no further.

Values that rest on a repetition belong to a path, not to a position.  The policy `fast` stores them
all the same.  The policy `safe` adds to a node's key a hash of the positions on its path that can
still come back, and the plies without progress if their limit is within the node's reach: two nodes
then share an entry only if the game goes on from them in the same way.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import has_cycles, irreversible, key, play, pointer, unsigned
from plyforge.compilation.keys import mix
from plyforge.core.scores import DRAW, LOSS, WIN
from plyforge.search.kernels.context import (
    ALLOWED,
    BASE,
    BEFORE,
    CYCLES,
    CYCLES_OFF,
    CYCLES_SAFE,
    DRAWS,
    FRAME_WORDS,
    ILLEGAL,
    MOVES,
    NO_PROGRESS,
    ONE_PLY,
    OPEN,
    PATH,
    PATH_HASH,
    REPEATS,
    REPETITION,
    SINCE,
    option,
)

SALT = 0x6A09E667F3BCC909
"""Begins the hash of every position on the path."""
_SALT = np.uint64(SALT)


def watched(context: Any) -> bool:
    """Whether the path matters at all."""
    return has_cycles() and option(context, CYCLES) != CYCLES_OFF


def occurrences(position_key: Any, ply: int, since: int, context: Any) -> int:
    """How often a position stands on the path that ends at `ply`, this time included."""
    path = unsigned(context[PATH])
    here = context[BEFORE] + ply
    last = max(here - since, 0)
    count = 1
    for index in range(last, here):
        if path[index] == position_key:
            count += 1
    return count


def repetition_value(position_key: Any, ply: int, flips: bool, frame: Any, context: Any) -> float:
    """The value for the side to move of a position that has come back, or `OPEN`."""
    rule = option(context, REPETITION)
    if rule in (ALLOWED, ILLEGAL) or frame[SINCE] < 1:
        return OPEN
    if occurrences(position_key, ply, frame[SINCE], context) < option(context, REPEATS):
        return OPEN
    if rule == DRAWS:
        return float(DRAW)
    # The side that made the last move has repeated; it may be to move again.
    return float(WIN) if flips else float(LOSS)


def without_progress(frame: Any, context: Any) -> bool:
    """Whether the limit of moves without progress is reached."""
    return 0 <= option(context, NO_PROGRESS) <= frame[SINCE]


def keep_new(position: Any, count: int, ply: int, frame: Any, context: Any) -> int:
    """Keep the moves that lead to positions not yet on the path; return how many these are."""
    list_ = pointer(context[MOVES])
    base = frame[BASE]
    kept = 0
    for index in range(count):
        move = list_[base + index]
        since = 0 if irreversible(position, move) else frame[SINCE] + 1
        if occurrences(np.uint64(key(play(position, move))), ply + 1, since, context) == 1:
            list_[base + kept] = move
            kept += 1
    return kept


def advance_path(position: Any, move: int, position_key: Any, frame: Any, context: Any) -> None:
    """Tell the child's frame what the move does to the path."""
    since, path_hash = frame[SINCE] + 1, frame[PATH_HASH]
    if irreversible(position, move):
        since, path_hash = 0, 0
    elif option(context, CYCLES) == CYCLES_SAFE:
        total = np.int64(path_hash).view(np.uint64) + mix(_SALT, position_key)
        path_hash = np.uint64(total).view(np.int64)
    frame[FRAME_WORDS + SINCE] = since
    frame[FRAME_WORDS + PATH_HASH] = path_hash


def key_on_path(position_key: Any, path_hash: int, since: int, depth: int, context: Any) -> Any:
    """The key under which the table keeps a node."""
    if not has_cycles() or option(context, CYCLES) != CYCLES_SAFE:
        return position_key
    mixed = position_key ^ np.int64(path_hash).view(np.uint64)
    if 0 <= option(context, NO_PROGRESS) <= since + (depth + ONE_PLY - 1) // ONE_PLY:
        mixed = mix(mixed, np.uint64(since))
    return mixed
