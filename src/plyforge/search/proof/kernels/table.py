"""The table of df-pn.

Layout.  An entry is four uint64 words: the key; the proof number in the lower half and the disproof
number in the upper half of the second; the fields below in the third; the work of the search below
the node in the fourth.  From the lowest bit up, the fields are the index of the best move plus one
(12 bits), `run` (10), `longest` (10), whether a proof (1) or a disproof (1) was found on another
path, how many plies back the position is on which a result depends (12), and 16 bits of that
position's key.  An entry whose work is 0 is empty.

An entry is in one of the `WINDOW` places from where its key points to.  If all are taken, the one
with the least work is replaced.

Results that depend on the path have an entry of their own, whose key is mixed with the hash of the
path: the twins of the position's entry (Kishimoto and Müller 2004).

Garbage collection.  Once most entries are in use, those with little work below them are removed
(Nagai's SmallTreeGC).
"""

from typing import Any, Final

import numpy as np

from plyforge.compilation.keys import mix
from plyforge.search.proof.kernels.context import NO_CYCLE, Frame, ProofContext

ENTRY_WORDS: Final = 4
WINDOW: Final = 8
PROOF_ELSEWHERE: Final = 1
DISPROOF_ELSEWHERE: Final = 2

_NOTHING = np.uint64(0)
_HALF = np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_MOVE_MASK = np.uint64(0xFFF)
_RUN_SHIFT, _RUN_MASK = np.uint64(12), np.uint64(1023)
_LONGEST_SHIFT = np.uint64(22)
_ELSEWHERE_SHIFT, _ELSEWHERE_MASK = np.uint64(32), np.uint64(3)
_BACK_SHIFT, _BACK_MASK = np.uint64(34), np.uint64(0xFFF)
_CHECK_SHIFT = np.uint64(46)
_CHECK_MASK = np.uint64(0xFFFF)
_MAX_BACK: Final = 0xFFF
_FULL: Final = 0.85
"""The share of entries in use at which garbage is collected."""
_KEPT: Final = 0.5
"""The share that is kept then, at most."""
SIZES: Final = 48
"""The number of classes of work: powers of 2."""


def twin_key(frame: Frame) -> Any:
    """The key of a node's results that depend on its path."""
    path = np.int64(frame.path_hash).view(np.uint64)
    return mix(np.int64(frame.key).view(np.uint64), path ^ _SPREAD)


def base_key(frame: Frame) -> Any:
    """The key of a node's results that do not."""
    return np.int64(frame.key).view(np.uint64)


def first_place(key: Any, context: ProofContext) -> int:
    """The number of the first place that an entry may have."""
    places = np.uint64(context.capacity - WINDOW + 1)
    return np.int64((key * _SPREAD >> _HALF) * places >> _HALF)


def find(key: Any, context: ProofContext) -> int:
    """The index of the first word of a key's entry, or -1."""
    words = context.entries
    place = first_place(key, context) * ENTRY_WORDS
    for _ in range(WINDOW):
        if words[place] == key and words[place + 3] != _NOTHING:
            return place
        place += ENTRY_WORDS
    return -1


def proof_at(place: int, context: ProofContext) -> int:
    return np.int64(context.entries[place + 1] & _LOW)


def disproof_at(place: int, context: ProofContext) -> int:
    return np.int64(context.entries[place + 1] >> _HALF)


def work_at(place: int, context: ProofContext) -> int:
    return np.int64(context.entries[place + 3])


def move_at(place: int, context: ProofContext) -> int:
    """The index of the best move, or -1."""
    return np.int64(context.entries[place + 2] & _MOVE_MASK) - 1


def run_at(place: int, context: ProofContext) -> int:
    return np.int64(context.entries[place + 2] >> _RUN_SHIFT & _RUN_MASK)


def longest_at(place: int, context: ProofContext) -> int:
    return np.int64(context.entries[place + 2] >> _LONGEST_SHIFT & _RUN_MASK)


def elsewhere_at(place: int, context: ProofContext) -> int:
    """Which results were found on another path: the bits above."""
    return np.int64(context.entries[place + 2] >> _ELSEWHERE_SHIFT & _ELSEWHERE_MASK)


def cycle_at(place: int, first: int, index: int, context: ProofContext) -> int:
    """The index on the path of the position on which a twin's result depends.

    The node is at `index`.  The path has the same positions as when the result was stored, but
    perhaps in another order; if so, the first of them is returned, which is never too high.
    """
    data = context.entries[place + 2]
    back = np.int64(data >> _BACK_SHIFT & _BACK_MASK)
    found = index - back
    if back < _MAX_BACK and found >= first:
        check = context.path[found] >> np.uint64(48)
        if check == data >> _CHECK_SHIFT & _CHECK_MASK:
            return found
    return first


def store(
    key: Any, index: int, cycle: int, elsewhere: int, frame: Frame, context: ProofContext
) -> None:
    """Store the numbers of a frame; `elsewhere` is added to the bits that the entry has."""
    words = context.entries
    place = find(key, context)
    work = max(frame.work, 1)
    if place >= 0:
        elsewhere |= elsewhere_at(place, context)
        work = max(work, work_at(place, context))
    else:
        place = free_place(key, context)
    data = (
        np.uint64(min(frame.best + 1, 0xFFF))
        | np.uint64(frame.run) << _RUN_SHIFT
        | np.uint64(frame.longest) << _LONGEST_SHIFT
        | np.uint64(elsewhere) << _ELSEWHERE_SHIFT
    )
    if cycle < NO_CYCLE:
        back = min(index - cycle, _MAX_BACK)
        check = context.path[cycle] >> np.uint64(48)
        data |= np.uint64(back) << _BACK_SHIFT | np.uint64(check) << _CHECK_SHIFT
    words[place] = key
    words[place + 1] = np.uint64(frame.proof) | np.uint64(frame.disproof) << _HALF
    words[place + 2] = data
    words[place + 3] = np.uint64(work)


def free_place(key: Any, context: ProofContext) -> int:
    """The place of a new entry: an empty one, or that of the entry with the least work."""
    words = context.entries
    place = first_place(key, context) * ENTRY_WORDS
    chosen, least = place, words[place + 3]
    for _ in range(WINDOW):
        work = words[place + 3]
        if work < least:
            chosen, least = place, work
        place += ENTRY_WORDS
    if least == _NOTHING:
        context.used += 1
    return chosen


def needs_collection(context: ProofContext) -> bool:
    """Whether so many entries are in use that garbage should be collected."""
    return context.used > _FULL * context.capacity


def collect_garbage(context: ProofContext) -> None:
    """Remove the entries with the least work, until at most `_KEPT` are in use."""
    words, sizes = context.entries, context.sizes
    for size in range(SIZES):
        sizes[size] = 0
    for number in range(context.capacity):
        work = words[number * ENTRY_WORDS + 3]
        if work != _NOTHING:
            sizes[size_class(work)] += 1
    removed, limit = 0, 0
    while removed < context.used - _KEPT * context.capacity and limit < SIZES:
        removed += sizes[limit]
        limit += 1
    for number in range(context.capacity):
        place = number * ENTRY_WORDS + 3
        if words[place] != _NOTHING and size_class(words[place]) < limit:
            words[place] = _NOTHING
    context.used -= removed
    context.collections += 1


def size_class(work: Any) -> int:
    """The class of an amount of work: how often it can be halved."""
    size = 0
    while work > np.uint64(1) and size < SIZES - 1:
        work >>= np.uint64(1)
        size += 1
    return size
