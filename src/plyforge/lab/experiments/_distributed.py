"""Searches on several processes, by MPI on this machine and in virtual time on others."""

import gc
from dataclasses import dataclass, replace
from typing import Final

from plyforge.engine import Engine, deepening
from plyforge.engine.engine import usable_cores
from plyforge.games import load
from plyforge.lab.cases import Case
from plyforge.lab.fixed_defaults import engine_options
from plyforge.lab.measuring import open_engine
from plyforge.lab.parallel import Sample, search_to
from plyforge.lab.variations import Variation
from plyforge.search.distributed.machines import ClusterTimes, Machines
from plyforge.search.distributed.virtual_time import VirtualSearcher
from plyforge.search.hashtable import MIN_ENTRIES, HashTable
from plyforge.search.parallel.account import Account
from plyforge.search.request import SearchRequest, root_of

ENTRIES: Final = 1 << 22
"""Entries of the table: of all processes together."""
MESSAGE_SECONDS: Final = 0.5e-6
"""What sending or receiving a message takes: `python -m benchmarks --only mpi`."""
START_SECONDS: Final = 400e-6
"""What starting and ending a search takes: three rests of a process that waits for a message."""
COMMAND_SECONDS: Final = 8e-6
"""What each process adds to it: a command and a report by mpi4py, 4.2 µs each."""
CLUSTER, ETHERNET = "cluster", "Ethernet"
LATENCIES: Final = {CLUSTER: 5e-6, ETHERNET: 50e-6}
"""What a message takes on its way, in seconds."""
WORD_BYTES: Final = 8
_FIRST_DEPTH: Final = 4
"""The depth of the search that brings the tables of new processes into memory."""
_MIN_CHILDREN, _MAX_CHILDREN, _ALL_CHILDREN = 256, 8192, 1 << 18
"""Room for the children of a process, and of all: each process has a table of everybody's."""


@dataclass(frozen=True)
class DistributedGame:
    """The positions of a game, and what its searches take."""

    sample: Sample
    node_seconds: float
    """What a node takes in a search with one process, on the machine of the reports."""
    job_seconds: float
    """What a job takes: the time that one process needs for a search by `tdsab` beyond that of its
    nodes, divided by its jobs."""


GAMES: Final = {
    "checkers": DistributedGame(
        Sample("checkers", 6, 16, 3, 18, 11, 13, 200_000),
        node_seconds=0.34e-6,
        job_seconds=5.7e-6,
    ),
}


def machines_of(game: DistributedGame, network: str) -> Machines:
    return Machines(
        game.node_seconds,
        game.job_seconds,
        MESSAGE_SECONDS,
        LATENCIES[network],
        START_SECONDS,
        COMMAND_SECONDS,
    )


def search_alone(case: Case, variation: Variation, depth: int) -> dict[str, float]:
    """Search with one process, without MPI."""
    engine, history = open_engine(case, variation)
    result, seconds = search_to(engine, history, depth)
    return {"value": result.score, "nodes": result.nodes, "seconds": seconds}


def search_by_mpi(
    case: Case, variation: Variation, depth: int, method: str, processes: int
) -> dict[str, float]:
    """Search with several processes of this machine; starting them is not part of the time."""
    game = load(case.game)
    engine = Engine(game, **engine_options(game, variation), parallel=method, processes=processes)
    try:
        history = case.history(engine.game)
        # The first search brings the tables into memory.
        engine.analyse(history, depth=_FIRST_DEPTH)
        engine.clear()
        result, seconds = search_to(engine, history, depth)
    finally:
        engine.close()
    assert result.account is not None
    figures = {"value": result.score, "nodes": result.nodes, "seconds": seconds}
    return figures | account_figures(result.account, processes * seconds)


def account_figures(account: Account, total: float) -> dict[str, float]:
    """Return the account of processes; times are in seconds of all processes."""
    return {
        "cores": usable_cores(),
        "process_seconds": total,
        "waiting": account.waiting * total,
        "messaging": account.messaging * total,
        "looking_up": account.looking_up * total,
        "aborted": account.aborted * total,
        "balance": account.balance,
        "messages": account.messages,
        "bytes": account.message_bytes,
        "lookups": account.lookups,
        "steals": account.steals,
        "splits": account.splits,
        "joins": account.joins,
        "aborts": account.aborts,
    }


def simulate(
    case: Case, variation: Variation, depth: int, method: str, processes: int, network: str
) -> dict[str, float]:
    """Search a position in virtual time with iterative deepening, and return the figures.

    One process alone makes no jobs, so they take no time.
    """
    # The processes of the last search refer to each other, and a thousand of them take gigabytes.
    gc.collect()
    game = load(case.game)
    options = {**engine_options(game, variation), "entries": MIN_ENTRIES}
    engine = Engine(game, **options)
    machines = machines_of(GAMES[case.game], network)
    if processes == 1:
        machines = replace(machines, job=0.0)
    children = min(max(_ALL_CHILDREN // processes, _MIN_CHILDREN), _MAX_CHILDREN)
    searcher = VirtualSearcher(
        engine.game,
        engine.options,
        HashTable.sized(entries=variation.entries // processes),
        processes=processes,
        machines=machines,
        method=method,
        max_jobs=children,
        max_places=children // 2,
        max_children=children,
    )
    root = root_of(case.history(engine.game), engine.game)
    value = 0.0
    for plies in deepening.depths(searcher.options, depth, root.side):
        value = searcher.search(SearchRequest.of(root, float("-inf"), float("inf"), plies)).value
    return {"value": value, **virtual_figures(searcher.times, GAMES[case.game])}


def virtual_figures(times: ClusterTimes, game: DistributedGame) -> dict[str, float]:
    """Return the figures of a search in virtual time."""
    return {
        "nodes": times.work / game.node_seconds,
        "seconds": times.elapsed,
        "process_seconds": len(times.works) * times.elapsed,
        "work": times.work,
        "idle": times.idle,
        "jobs": times.jobs,
        "messaging": times.messages,
        "looking_up": times.lookups,
        "ends": times.ends,
        "balance": times.balance,
        "messages": times.sent,
        "bytes": WORD_BYTES * times.words,
        "requests": times.steal_requests,
    }
