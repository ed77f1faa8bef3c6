"""Searches in virtual time find the value of one process, and their times add up."""

import math
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plyforge import Game
from plyforge.search.distributed.machines import Machines
from plyforge.search.distributed.virtual_cluster import VirtualCluster
from plyforge.search.distributed.virtual_time import VirtualSearcher
from plyforge.search.hashtable import HashTable
from plyforge.search.options import Options
from plyforge.search.parallel.methods import DISTRIBUTED_METHODS, PARTITIONED_TABLE
from plyforge.search.request import SearchRequest, root_of
from plyforge.search.searcher import Searcher
from tests.engine.test_exact import limit_depth, true_value
from tests.reference.tree import Recipe
from tests.search.examples import examples
from tests.search.kernel.games import load_tree, recipes

both_methods = pytest.mark.parametrize("method", DISTRIBUTED_METHODS)
MACHINES = Machines(node=1e-6, job=2e-6, message=1e-6, latency=5e-6, start=1e-4, command=1e-6)
ENTRIES = 1 << 14
WIDE = Recipe("uniform", 4, 6, 5)


def make_searcher(
    game: Game,
    method: str,
    processes: int,
    machines: Machines = MACHINES,
    remote_depth: int = 1,
    off: Sequence[str] = (),
    **more: Any,
) -> VirtualSearcher:
    settings = {"split-depth": 2, "remote-depth": remote_depth}
    options = Options.preset("exact").changed(off=off, settings=settings)
    small = {"max_jobs": 64, "max_places": 32, "max_children": 64}
    return VirtualSearcher(
        game,
        options,
        HashTable.sized(entries=ENTRIES),
        processes=processes,
        machines=machines,
        method=method,
        backend="python",
        **{**small, **more},
    )


def search(searcher: Searcher, depth: int) -> float:
    game = searcher.game
    request = SearchRequest.of(root_of(game.history(), game), -math.inf, math.inf, depth)
    return searcher.search(request).value


@both_methods
@given(
    recipe=recipes,
    depth=st.integers(3, 7),
    processes=st.integers(1, 6),
    latency=st.sampled_from([0.0, 1e-6, 1e-3]),
    seed=st.integers(0, 2**32),
    room=st.sampled_from([1, 5, 64]),
)
@examples(25)
def test_the_value_is_that_of_one_process(
    method: str, recipe: Recipe, depth: int, processes: int, latency: float, seed: int, room: int
) -> None:
    game = load_tree(recipe)
    depth = limit_depth(game, game.initial(), 500, depth)
    machines = Machines(1e-6, latency=latency)
    sizes = {"max_jobs": room, "max_places": room, "max_children": room}
    searcher = make_searcher(game, method, processes, machines, seed=seed, **sizes)
    for plies in (max(depth - 1, 1), depth):
        assert search(searcher, plies) == true_value(game, game.initial(), plies)


@both_methods
@pytest.mark.parametrize("processes", [2, 5])
def test_the_times_of_all_processes_add_up(method: str, processes: int) -> None:
    searcher = make_searcher(load_tree(WIDE), method, processes)
    search(searcher, 5)
    times = searcher.times
    parts = (times.work, times.jobs, times.messages, times.lookups, times.ends, times.idle)
    assert min(parts[:3]) > 0.0
    assert times.idle >= 0.0
    assert (times.lookups > 0.0) == (method == PARTITIONED_TABLE)
    assert math.isclose(sum(parts), processes * times.elapsed)
    assert times.sent > 0
    assert times.words >= 5 * times.sent
    charged = times.work + times.spared
    assert charged == pytest.approx(searcher.counts.nodes * MACHINES.node, rel=0.05)


@both_methods
def test_one_process_takes_the_time_of_its_nodes_and_jobs(method: str) -> None:
    game = load_tree(WIDE)
    searcher = make_searcher(game, method, 1)
    search(searcher, 5)
    plain = Searcher(game, searcher.options, HashTable.sized(entries=ENTRIES), backend="python")
    search(plain, 5)
    assert searcher.counts.nodes == plain.counts.nodes
    assert searcher.times.work == pytest.approx(plain.counts.nodes * MACHINES.node)
    assert searcher.times.elapsed == pytest.approx(searcher.times.work + searcher.times.jobs)


@both_methods
def test_the_same_search_takes_the_same_time_and_slower_messages_take_longer(method: str) -> None:
    def elapsed(latency: float) -> float:
        machines = Machines(1e-6, latency=latency)
        searcher = make_searcher(load_tree(WIDE), method, 4, machines)
        search(searcher, 5)
        return searcher.times.elapsed

    assert elapsed(1e-6) == elapsed(1e-6)
    assert elapsed(1e-6) < elapsed(1e-3)


@both_methods
def test_a_second_process_helps_where_messages_cost_nothing(method: str) -> None:
    free = Machines(1e-6, job=0.0, message=0.0, latency=0.0)

    def elapsed(processes: int) -> float:
        searcher = make_searcher(load_tree(WIDE), method, processes, free, remote_depth=9)
        search(searcher, 5)
        return searcher.times.elapsed

    assert elapsed(2) < elapsed(1)


def test_a_process_finds_what_it_has_stored_at_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load_tree(Recipe("layered", 4, 8, 5))
    # The other process never gets an answer, and so no work.
    monkeypatch.setattr(VirtualCluster, "_take_request", lambda *arguments: None)
    searcher = make_searcher(game, PARTITIONED_TABLE, 2, off=["etc"])
    plain = Searcher(game, searcher.options, HashTable.sized(entries=ENTRIES), backend="python")
    for depth in range(1, 9):
        assert search(searcher, depth) == search(plain, depth)
    alone, other = searcher.accounts
    assert alone.remote_hits > 0
    assert alone.given == other.nodes == 0
    assert searcher.counts.nodes == plain.counts.nodes


@both_methods
def test_a_shallow_search_stays_in_one_process(method: str) -> None:
    searcher = make_searcher(load_tree(WIDE), method, 3)
    search(searcher, 2)
    assert searcher.times.sent == 0
    assert searcher.times.works[1:] == (0.0, 0.0)
