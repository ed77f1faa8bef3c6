"""The transposition table.

Layout.  An entry is two uint64 words: the position's spread key XOR the data, and the data.  From
the lowest bit up, the data are the value (32 bits, a float32 with wins counted from the node), the
depth (12, in sixteenths of a ply), the bound (2), whether the value is proven (1), the index of the
best move in the order of generation, plus one (12), and the generation (5).  No entry has data 0.

Races.  Threads read and write without locks.  Each word is read and written whole.  If a reader
sees words of two different writers, their XOR is not the key it looks for, and it treats the entry
as that of another position: an entry can be lost, but never be wrong.  Keys are spread over all
bits first, because a game's own keys may be small numbers that differ just as two entries' data do.

Weights.  Searches with other weights find other values for the same positions.  Each vector of
weights has a salt, which is part of the key of its entries, so that they are not found with another
one; they are replaced like entries of other positions.

Time stamps, which one replacement rule needs, are in a separate array.
"""

from typing import Any, Final

import numpy as np

from plyforge.search.kernels.context import ONE_PLY, PROVEN, SOUND, Context
from plyforge.search.kernels.phases import has_inexact_steps
from plyforge.search.kernels.values import (
    from_node,
    from_root,
    is_decided,
    is_open,
    value_of,
    word_of,
)

EXACT: Final = 3
LOWER: Final = 1
UPPER: Final = 2

# Replacement rules.
NEWER: Final = 0
DEEPER: Final = 1
SHARPLY_DEEPER: Final = 2
DEEPER_TIMESTAMP: Final = 3
OLD: Final = 4
TWO_LEVEL: Final = 5

# Depth rules: the depths at which an entry is valid.
EQUAL: Final = 0
AT_LEAST: Final = 1

MAX_DEPTH: Final = 0xFFF
MAX_MOVE: Final = 0xFFE
GENERATIONS: Final = 32

_NOTHING = np.uint64(0)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)
_DEPTH_SHIFT, _DEPTH_MASK = np.uint64(32), np.uint64(MAX_DEPTH)
_BOUND_SHIFT, _BOUND_MASK = np.uint64(44), np.uint64(3)
_PROVEN_SHIFT, _PROVEN_MASK = np.uint64(46), np.uint64(1)
_MOVE_SHIFT, _MOVE_MASK = np.uint64(47), np.uint64(0xFFF)
_GENERATION_SHIFT, _GENERATION_MASK = np.uint64(59), np.uint64(31)


def depth_of(data: Any) -> int:
    return np.int64(data >> _DEPTH_SHIFT & _DEPTH_MASK)


def bound_of(data: Any) -> int:
    return np.int64(data >> _BOUND_SHIFT & _BOUND_MASK)


def is_proven(data: Any) -> bool:
    return (data >> _PROVEN_SHIFT & _PROVEN_MASK) != _NOTHING


def proven_of(data: Any) -> int:
    """The bits of `Node.proven` that follow from an entry.

    A win or loss that no inexact step has touched is proven, so one that is not proven is not sound
    either; nor is a win that a database knows, but to which the search has not seen the way.
    """
    if is_proven(data):
        return PROVEN
    value = value_of(data)
    if is_decided(value) and (has_inexact_steps() or is_open(value)):
        return 0
    return SOUND


def move_of(data: Any) -> int:
    """The index of the best move, or -1."""
    return np.int64(data >> _MOVE_SHIFT & _MOVE_MASK) - 1


def generation_of(data: Any) -> int:
    return np.int64(data >> _GENERATION_SHIFT & _GENERATION_MASK)


def value_at(data: Any, ply: int) -> float:
    """The stored value, with wins counted from the root."""
    return from_root(value_of(data), ply)


def spread_key(key: Any) -> Any:
    """Spread a key over all 64 bits; different keys stay different."""
    return key * _SPREAD


def place_of(key: Any, context: Context) -> int:
    """The index of the first word of a spread key's bucket."""
    share = (key >> _HALF) * np.uint64(context.buckets) >> _HALF
    if context.replace == TWO_LEVEL:
        return np.int64(share) * 4
    return np.int64(share) * 2


def salted(key: Any, context: Context) -> Any:
    """The key that an entry is compared with; its place does not depend on the salt."""
    return key ^ np.int64(context.salt).view(np.uint64)


def look_up(key: Any, depth: int, context: Context) -> Any:
    """The data of a node's entry, or 0; other kernels may look elsewhere, too."""
    return probe(key, context)


def probe(key: Any, context: Context) -> Any:
    """The data of a key's entry, or 0; it is counted."""
    context.probes += 1
    data = find_entry(key, context)
    if data != _NOTHING:
        context.hits += 1
    return data


def find_entry(key: Any, context: Context) -> Any:
    """The data of a key's entry, or 0."""
    words = context.entries
    key = spread_key(key)
    place = place_of(key, context)
    key = salted(key, context)
    data = words[place + 1]
    if words[place] ^ data == key and data != _NOTHING:
        return data
    if context.replace == TWO_LEVEL:
        data = words[place + 3]
        if words[place + 2] ^ data == key and data != _NOTHING:
            return data
    return _NOTHING


def is_valid(data: Any, depth: int, context: Context) -> bool:
    """Whether an entry's value can replace a search to `depth`.

    A proven value from a shallower search can: every line it depends on ends with the game.
    """
    stored = depth_of(data)
    if stored == depth:
        return True
    if stored > depth:
        return context.depth_rule == AT_LEAST
    return is_proven(data)


def keep(
    key: Any,
    ply: int,
    depth: int,
    value: float,
    bound: int,
    proven: int,
    move: int,
    context: Context,
) -> None:
    """Store a node's result; other kernels may store it elsewhere."""
    store(key, ply, depth, value, bound, proven, move, context)


def store(
    key: Any,
    ply: int,
    depth: int,
    value: float,
    bound: int,
    proven: int,
    move: int,
    context: Context,
) -> None:
    """Store a result, if the replacement rule allows it."""
    if depth < 0 or depth > MAX_DEPTH:
        return
    words = context.entries
    key = spread_key(key)
    place = place_of(key, context)
    key = salted(key, context)
    if context.replace == TWO_LEVEL:
        place = two_level_place(words, place, key, depth, context)
    elif not may_replace(words, place, key, depth, context):
        return
    old = words[place + 1]
    note_replaced(words[place], old, place, context)
    if move < 0 and words[place] ^ old == key:
        move = move_of(old)
    if move > MAX_MOVE:
        move = -1
    data = (
        word_of(from_node(value, ply))
        | np.uint64(depth) << _DEPTH_SHIFT
        | np.uint64(bound) << _BOUND_SHIFT
        | np.uint64(proven == PROVEN) << _PROVEN_SHIFT
        | np.uint64(move + 1) << _MOVE_SHIFT
        | np.uint64(context.generation) << _GENERATION_SHIFT
    )
    words[place] = key ^ data
    words[place + 1] = data
    if context.replace == DEEPER_TIMESTAMP:
        context.stamps[place >> 1] = context.now
        context.now += context.stamp


def note_replaced(mixed: Any, data: Any, place: int, context: Context) -> None:
    """Do nothing with an entry that is replaced; other kernels may look at it."""


def may_replace(words: Any, place: int, key: Any, depth: int, context: Context) -> bool:
    """Whether a new result may replace the old one."""
    old = words[place + 1]
    rule = context.replace
    if rule == NEWER or old == _NOTHING:
        return True
    if context.same_position == 0 and words[place] ^ old == key:
        return True
    if rule == DEEPER:
        return depth >= depth_of(old)
    if rule == SHARPLY_DEEPER:
        return depth > depth_of(old)
    if rule == DEEPER_TIMESTAMP:
        stamp = context.stamps[place >> 1]
        return depth + ONE_PLY * context.now >= depth_of(old) + ONE_PLY * stamp
    return False


def two_level_place(words: Any, place: int, key: Any, depth: int, context: Context) -> int:
    """The place of a new result in a bucket of two.

    The first place is for the deepest search of this generation, the second for the latest result.
    An entry that loses the first place moves to the second.
    """
    first, second = words[place + 1], words[place + 3]
    if words[place] ^ first == key or first == _NOTHING:
        return place
    stays = depth < depth_of(first) and generation_of(first) == context.generation
    if stays or words[place + 2] ^ second == key:
        return place + 2
    words[place + 2] = words[place]
    words[place + 3] = first
    return place
