"""Conflicts of threads in the transposition table, as far as they show.

Two threads that write an entry at the same time may leave a word of each.  The key that follows
from such words belongs to another place if the data differ in the bits that choose places: all but
the value and the low bits of the depth.  A thread that replaces the entry sees that; one that reads
it only finds that it is not what it looks for.
"""

from typing import Any

import numpy as np

from plyforge.search.kernels.context import Context
from plyforge.search.kernels.table import TWO_LEVEL, generation_of, place_of, salted

_NOTHING = np.uint64(0)


def count_conflict(mixed: Any, data: Any, place: int, context: Context) -> None:
    """Count an entry that is replaced, if its words are those of two threads.

    It takes the place of `table.note_replaced`.  Entries of older generations are left out: they
    may have been stored with another salt.
    """
    if data == _NOTHING or generation_of(data) != context.generation:
        return
    distance = place - place_of(salted(mixed ^ data, context), context)
    if distance != 0 and not (context.replace == TWO_LEVEL and distance == 2):
        context.team[0].workers[context.worker].table_conflicts += 1
