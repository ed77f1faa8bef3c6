"""Searches in virtual time, with processors and networks that are not there.

The workers are those of a search with threads, and so is the code that decides what they do.  Only
the time is computed: from the nodes that a worker visits, and from what splits, joins and messages
take on the machine that is simulated.
"""

import gc
from dataclasses import dataclass
from typing import Any

from plyforge.engine import Engine, deepening
from plyforge.games import load
from plyforge.lab.cases import Case
from plyforge.lab.fixed_defaults import engine_options
from plyforge.lab.parallel import Sample
from plyforge.lab.variations import Variation
from plyforge.search.hashtable import MIN_ENTRIES, HashTable
from plyforge.search.parallel.methods import METHODS
from plyforge.search.parallel.searcher import Machine, ParallelSearcher, TeamSettings, VirtualTimes
from plyforge.search.request import SearchRequest, root_of

SPLIT_SECONDS = 0.5e-6
JOIN_SECONDS = 3e-6
"""What a split and a join take, from the accounts of searches with two threads."""
SHARED, CLUSTER, INTERNET = "shared memory", "cluster", "internet"
LATENCIES = {SHARED: 0.1e-6, CLUSTER: 5e-6, INTERNET: 20e-3}
"""What a message takes, in seconds: a cache line of another core, a fast network, a far machine."""


@dataclass(frozen=True)
class SimulatedGame:
    """The positions of a game, and what its searches take."""

    sample: Sample
    node_seconds: float
    """What a node takes in a search with one thread, on the machine of the reports."""
    sharing: float
    """What it takes with two threads that share the table, over that."""
    split_depths: dict[str, int]
    """By network, the minimum depth of nodes that are shared: a subtree should take longer than the
    messages about it."""
    master_depth: int
    """The plies that the master of `aphid` searches."""


GAMES = {
    "checkers": SimulatedGame(
        Sample("checkers", 6, 16, 3, 21, 13, 13, 200_000),
        0.22e-6,
        1.1,
        {SHARED: 4, CLUSTER: 6, INTERNET: 12},
        6,
    ),
    "chess": SimulatedGame(
        Sample("chess", 6, 24, 3, 8, 6, 6, 550_000),
        0.27e-6,
        1.08,
        {SHARED: 4, CLUSTER: 4, INTERNET: 6},
        3,
    ),
}


def simulate(
    case: Case, variation: Variation, depth: int, method: str, processors: int, network: str
) -> dict[str, float]:
    """Search a position in virtual time with iterative deepening, and return the figures.

    Processors that share memory take longer for a node than one alone; `sharing` is by how much.
    """
    # The workers of the last search refer to each other, and thousands of them take gigabytes.
    gc.collect()
    simulated = GAMES[case.game]
    slower = simulated.sharing if processors > 1 and network == SHARED else 1.0
    node = slower * simulated.node_seconds
    machine = Machine(node, SPLIT_SECONDS, JOIN_SECONDS, LATENCIES[network])
    game = load(case.game)
    options = {**engine_options(game, variation), "entries": MIN_ENTRIES}
    engine = Engine(game, **options)
    team = ParallelSearcher(
        engine.game,
        engine.options,
        HashTable.sized(entries=variation.entries),
        settings=TeamSettings(METHODS[method], processors, machine=machine),
    )
    history = case.history(engine.game)
    root = root_of(history, engine.game)
    times: VirtualTimes | None = None
    value = 0.0
    for plies in deepening.depths(team.options, depth, root.side):
        value = team.search(SearchRequest.of(root, float("-inf"), float("inf"), plies)).value
        times = team.virtual_times if times is None else times.plus(team.virtual_times)
    assert times is not None
    return {"value": value, "nodes": team.counts.nodes, **_figures(times, slower), **_counts(team)}


def _figures(times: VirtualTimes, slower: float) -> dict[str, float]:
    work = times.work / slower
    return {
        "elapsed": times.elapsed,
        "work": work,
        "sharing": times.work - work,
        "idle": times.idle,
        "splitting": times.splitting,
        "joining": times.joining,
        "messages": times.messages,
        "balance": times.balance,
    }


def _counts(team: ParallelSearcher) -> dict[str, Any]:
    account = team.account
    assert account is not None
    return {"splits": account.splits, "joins": account.joins, "aborts": account.aborts}
