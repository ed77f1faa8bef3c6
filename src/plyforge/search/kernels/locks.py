"""The lock of what the workers of a search share."""

from plyforge.compilation.hooks_api import (
    atomic_store,
    cycles,
    pause,
    replace_if,
    yield_processor,
)
from plyforge.search.kernels.team import LOCK, Team, Worker

_SPINS = 64
"""How often a worker tries to get the lock before it lets another thread run."""


def lock(worker: Worker, team: Team) -> None:
    """Wait until no other worker reads or writes what they share."""
    if replace_if(team.words, LOCK, 0, 1):
        return
    start = cycles()
    spins = 0
    while not replace_if(team.words, LOCK, 0, 1):
        spins += 1
        if spins % _SPINS == 0:
            yield_processor()
        else:
            pause()
    worker.locking_cycles += cycles() - start


def unlock(team: Team) -> None:
    atomic_store(team.words, LOCK, 0)
