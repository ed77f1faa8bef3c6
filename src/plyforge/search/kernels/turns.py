"""All workers in one thread, one turn after the other: always the same search.

The order of turns is drawn from a seed, or follows a schedule that was recorded.  Uncompiled
searches run like this, and so do tests: a schedule that leads to a fault leads to it every time.
"""

from typing import Any

import numpy as np

from plyforge.compilation.hooks_api import atomic_load, atomic_store, context_at
from plyforge.search.kernels.context import Context
from plyforge.search.kernels.team import FINISHED, IDLE, TURNS
from plyforge.search.kernels.workers import start_worker, take_turn

_MAX_IDLE_TURNS = 1000
"""Turns in a row for each worker in which nobody finds work: then the search hangs."""
_MULTIPLIER = np.uint64(6364136223846793005)
_INCREMENT = np.uint64(1442695040888963407)
_SHIFT = np.uint64(33)


def run_in_turns(root: Any, context: Context) -> None:
    """Search with all workers; `context` is that of the first.  The finisher is -2 after a hang."""
    team = context.team[0]
    for number in range(team.size):
        start_worker(root, context_at(team.contexts[number]))
    state = np.uint64(team.seed)
    turn = 0
    idle_turns = 0
    while atomic_load(team.words, FINISHED) == 0:
        state = state * _MULTIPLIER + _INCREMENT
        number = np.int64((state >> _SHIFT) % np.uint64(team.size))
        if team.replays != 0 and turn < team.schedule_size:
            number = team.schedule[turn]
        elif turn < team.schedule_size:
            team.schedule[turn] = number
        turn += 1
        result = take_turn(root, np.int64(1), context_at(team.contexts[number]))
        idle_turns = idle_turns + 1 if result == IDLE else 0
        if idle_turns > _MAX_IDLE_TURNS * team.size:
            team.finisher = -2
            break
    atomic_store(team.words, TURNS, turn)
