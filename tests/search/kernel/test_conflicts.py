"""Entries that two threads wrote at the same time are counted when they are replaced."""

from typing import Any

import numpy as np
import pytest

from plyforge.compilation.interpreted import _Interpreter
from plyforge.compilation.records import plain_class
from plyforge.search.kernels import table
from plyforge.search.kernels.context import ONE_PLY, SOUND
from plyforge.search.kernels.table import EXACT, NEWER, TWO_LEVEL
from plyforge.search.kernels.team import Team, Worker
from plyforge.search.options import Options
from plyforge.search.steps.linking import team_kernel
from tests.search.kernel.test_table import Table, game

kernel = team_kernel(Options().kernel_steps)
_interpreter = _Interpreter(game.rules, game.position_type, kernel.replacements)
store = np.errstate(over="ignore")(_interpreter.link(table.store))


def table_of_team(rule: int, entries: int = 1 << 16) -> tuple[Table, Any]:
    """Return a table that one worker uses, and the worker."""
    found = Table(rule, entries)
    context = plain_class(kernel.context)()
    for name in ("entries", "stamps", "buckets", "replace", "same_position", "stamp", "now"):
        setattr(context, name, getattr(found.context, name))
    team, worker = plain_class(Team)(), plain_class(Worker)()
    team.workers = [worker]
    context.team, context.worker = [team], 0
    found.context = context
    return found, worker


def keep(found: Table, key: int, plies: int, move: int = 0) -> None:
    store(np.uint64(key), 0, plies * ONE_PLY, 0.5, EXACT, SOUND, move, found.context)


@np.errstate(over="ignore")
def same_place(count: int) -> list[int]:
    """Return keys of entries at the first place: their spread keys are small."""
    factor = int(table.spread_key(np.uint64(1)))
    return [number * pow(factor, -1, 1 << 64) % (1 << 64) for number in range(1, count + 1)]


@pytest.mark.parametrize("rule", [NEWER, TWO_LEVEL])
def test_whole_entries_are_no_conflict(rule: int) -> None:
    found, worker = table_of_team(rule)
    for number in range(500):
        keep(found, 7919 * number, 1 + number % 9)
    assert worker.table_conflicts == 0


def test_an_entry_with_words_of_two_writers_is_counted_once() -> None:
    found, worker = table_of_team(NEWER)
    first, second, third = same_place(3)
    keep(found, first, 3)
    torn = found.context.entries[0]
    keep(found, second, 60, move=5)
    found.context.entries[0] = torn  # its other word is that of the second entry
    keep(found, third, 5)
    assert worker.table_conflicts == 1
    keep(found, first, 5)
    assert worker.table_conflicts == 1


def test_entries_of_older_generations_are_not_looked_at() -> None:
    found, worker = table_of_team(NEWER)
    first, second = same_place(2)
    keep(found, first, 3)
    found.context.entries[0] ^= np.uint64(1 << 63)
    found.context.generation = 1
    keep(found, second, 3)
    assert worker.table_conflicts == 0
