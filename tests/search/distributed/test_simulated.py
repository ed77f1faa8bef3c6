"""Processes that exchange messages find the value of one, whatever the delays.

All processes are simulated in one, with turns and delays drawn from a seed; nothing needs MPI.
"""

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import plyforge
from plyforge import Game
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.engine import DRIVERS
from plyforge.engine.drivers import parameters_for
from plyforge.search.distributed.account import account_of
from plyforge.search.distributed.member import Member
from plyforge.search.distributed.messages import (
    ENTRY,
    ENTRY_DATA,
    KIND,
    LENGTH,
    LOOKUP,
    MOVES,
    ORDER,
    SKIP,
    SOURCE,
    STEAL,
    STORE,
    TARGET,
    WORK,
)
from plyforge.search.distributed.ownership import owner_of
from plyforge.search.distributed.simulated import SimulatedSearcher
from plyforge.search.hashtable import HashTable
from plyforge.search.kernels.context import ONE_PLY
from plyforge.search.kernels.table import LOWER, UPPER, bound_of, depth_of, probe, value_at
from plyforge.search.options import Options
from plyforge.search.parallel.methods import DISTRIBUTED_METHODS, PARTITIONED_TABLE
from plyforge.search.request import SearchRequest, WindowResult, root_of
from tests.engine.test_bad_input import FAULTY
from tests.engine.test_exact import limit_depth, true_value
from tests.reference.path_minimax import minimax
from tests.reference.tree import Recipe
from tests.search.examples import examples
from tests.search.kernel.configurations import Configuration, configurations
from tests.search.kernel.games import cycle_game, load_tree, random_graph, recipes

PLAIN = Configuration("pvs", ("table", "pvs", "history", "killers"), {}, 1 << 12)

networks = st.fixed_dictionaries(
    {
        "processes": st.integers(1, 8),
        "seed": st.integers(0, 2**32),
        "max_delay": st.sampled_from([0, 3, 30, 300]),
        # With little memory, work is searched at once that would have waited.
        "max_jobs": st.sampled_from([1, 3, 64]),
        "max_places": st.sampled_from([1, 4, 32]),
        "max_children": st.sampled_from([1, 5, 64]),
        "remote_depth": st.integers(0, 3),
    }
)
split_depths = st.integers(0, 4)
both_methods = pytest.mark.parametrize("method", DISTRIBUTED_METHODS)


def make_searcher(
    configuration: Configuration,
    game: Game,
    split_depth: int = 0,
    remote_depth: int = 1,
    **network: Any,
) -> SimulatedSearcher:
    """Make simulated processes with these options, without a driver."""
    known = parameters_for(DRIVERS[configuration.driver])
    depths = {"split-depth": split_depth, "remote-depth": remote_depth}
    settings = {**configuration.settings, **depths}
    options = Options().declaring(known).changed(configuration.on, configuration.off, settings)
    table = HashTable.sized(entries=configuration.entries, stamped=True)
    small = {"max_jobs": 64, "max_places": 32, "max_children": 64}
    return SimulatedSearcher(game, options, table, backend="python", **{**small, **network})


def search(
    searcher: SimulatedSearcher, depth: int, low: float = -math.inf, high: float = math.inf
) -> WindowResult:
    game = searcher.game
    return searcher.search(SearchRequest.of(root_of(game.history(), game), low, high, depth))


def deepen(searcher: SimulatedSearcher, depth: int) -> None:
    for plies in range(1, depth + 1):
        search(searcher, plies)


@both_methods
@given(
    recipe=recipes,
    depth=st.integers(3, 8),
    network=networks,
    split_depth=split_depths,
    configuration=configurations(),
)
@examples(100)
def test_the_value_with_any_delays(
    method: str,
    recipe: Recipe,
    depth: int,
    network: dict[str, Any],
    split_depth: int,
    configuration: Configuration,
) -> None:
    game = load_tree(recipe)
    depth = limit_depth(game, game.initial(), 500, depth)
    searcher = make_searcher(configuration, game, split_depth, method=method, **network)
    for plies in (max(depth - 1, 1), depth):
        assert search(searcher, plies).value == true_value(game, game.initial(), plies)


@both_methods
@given(
    recipe=recipes,
    depth=st.integers(3, 6),
    network=networks,
    window=st.tuples(st.integers(-60, 60), st.integers(1, 60)),
)
@examples(50)
def test_bounds_are_bounds_in_any_window(
    method: str, recipe: Recipe, depth: int, network: dict[str, Any], window: tuple[int, int]
) -> None:
    game = load_tree(recipe)
    depth = limit_depth(game, game.initial(), 500, depth)
    low, high = float(window[0]), float(window[0] + window[1])
    result = search(make_searcher(PLAIN, game, 2, method=method, **network), depth, low, high)
    true = true_value(game, game.initial(), depth)
    if result.value <= low:
        assert true <= result.value
    elif result.value >= high:
        assert true >= result.value
    else:
        assert true == result.value


@both_methods
@given(
    seed=st.integers(0, 10**6),
    rule=st.sampled_from(["draw", "loss", "illegal"]),
    depth=st.integers(2, 5),
    network=networks,
    configuration=configurations(cycles=True),
)
@examples(50)
def test_the_value_where_it_depends_on_the_path(
    method: str,
    seed: int,
    rule: str,
    depth: int,
    network: dict[str, Any],
    configuration: Configuration,
) -> None:
    game = cycle_game(seed, 2, REPETITION=rule, NO_PROGRESS_LIMIT=5)
    if not game.history().verdict().over:
        searcher = make_searcher(configuration, game, 2, method=method, **network)
        assert search(searcher, depth).value == minimax(game.history(), depth)


@both_methods
@given(
    seed=st.integers(0, 10**6),
    spread=st.sampled_from([1, 3, 21]),
    depth=st.integers(2, 6),
    network=networks,
)
@examples(50)
def test_the_value_where_sides_move_twice_and_games_end_early(
    method: str, seed: int, spread: int, depth: int, network: dict[str, Any]
) -> None:
    reach = float(spread // 2)
    game = random_graph(seed, spread, EVALUATION_RANGE=(-reach, reach))
    if not game.verdict(game.initial()).over:
        depth = limit_depth(game, game.initial(), 500, depth)
        searcher = make_searcher(PLAIN, game, 2, method=method, **network)
        assert search(searcher, depth).value == true_value(game, game.initial(), depth)


@both_methods
@given(
    seed=st.integers(0, 10**6),
    processes=st.integers(2, 4),
    max_delay=st.sampled_from([0, 3, 30]),
    pvs=st.booleans(),
)
@examples(40)
def test_every_bound_in_every_table_is_right(
    method: str, seed: int, processes: int, max_delay: int, pvs: bool
) -> None:
    """Windows that shrink while moves are searched must not make a bound look exact."""
    depth = 4
    game = plyforge.load(f"tree:incremental,4,{depth},seed={seed},values=21", "python")
    on = ("table", "pvs") if pvs else ("table",)
    configuration = Configuration("pvs", on, {}, 1 << 14)
    searcher = make_searcher(
        configuration, game, 2, method=method, processes=processes, seed=seed, max_delay=max_delay
    )
    search(searcher, depth)
    found = check_entries(game, game.initial(), 0, depth, searcher)
    assert found[1] > 0


def check_entries(
    game: Game, position: Any, ply: int, depth: int, searcher: SimulatedSearcher
) -> tuple[float, int]:
    """Compare what all tables know of a tree with its minimax values; return value and entries."""
    if depth == 0:
        return game.evaluation(position), 0
    below = [
        check_entries(game, game.play(position, move), ply + 1, depth - 1, searcher)
        for move in game.moves(position)
    ]
    value = max(-child for child, _ in below)
    entries = sum(count for _, count in below)
    for member in searcher._members:
        with np.errstate(over="ignore"):  # keys wrap around
            data = probe(np.uint64(game.key(position)), member.context)
        if data and depth_of(data) == depth * ONE_PLY:
            entries += 1
            assert not bound_of(data) & LOWER or value_at(data, ply) <= value
            assert not bound_of(data) & UPPER or value_at(data, ply) >= value
    return value, entries


@both_methods
def test_one_process_visits_the_nodes_of_a_serial_search(method: str) -> None:
    game = plyforge.load("tree:incremental,4,8,seed=5", "python")
    alone = make_searcher(PLAIN, game, 2, method=method, processes=1, max_delay=0, polls=False)
    serial = Configuration.searcher(PLAIN, game, backend="python")
    root = root_of(game.history(), game)
    for depth in (3, 4, 5):
        one = search(alone, depth)
        other = serial.search(SearchRequest.of(root, -math.inf, math.inf, depth))
        assert (one.value, one.line, one.move) == (other.value, other.line, other.move)
    assert alone.counts.nodes == serial.counts.nodes


@both_methods
def test_a_seed_decides_everything(method: str) -> None:
    game = plyforge.load("tree:incremental,3,6,seed=5", "python")

    def run(seed: int) -> tuple[Any, ...]:
        searcher = make_searcher(PLAIN, game, 2, method=method, processes=3, seed=seed)
        result = search(searcher, 5)
        return result.value, result.line, searcher.counts, searcher.turns

    assert run(3) == run(3)
    assert run(3)[2:] != run(4)[2:]


@both_methods
def test_a_limit_of_nodes_counts_all_processes(method: str) -> None:
    game = plyforge.load("tree:uniform,4,12", "python")
    searcher = make_searcher(PLAIN, game, 2, method=method, processes=3, max_delay=0)
    searcher.reset_stop(300)
    result = search(searcher, 12)
    assert result.stopped
    assert 250 <= searcher.counts.nodes < 300 + 3 * 60
    searcher.reset_stop()
    assert search(searcher, 3).value == true_value(game, game.initial(), 3)


@both_methods
def test_after_a_stop_the_best_move_so_far_is_known_and_the_next_search_is_right(
    method: str,
) -> None:
    game = plyforge.load("tree:incremental,4,8,seed=5", "python")
    for limit, known in ((30, False), (400, True), (600, True)):
        searcher = make_searcher(PLAIN, game, 2, method=method, processes=4, seed=limit)
        searcher.reset_stop(limit)
        result = search(searcher, 6)
        assert result.stopped
        assert (result.move is not None) == known
        searcher.reset_stop()
        assert search(searcher, 4).value == true_value(game, game.initial(), 4)


@both_methods
def test_a_fault_of_the_game_is_an_error_in_any_process(method: str) -> None:
    for seed in range(3):
        game = plyforge.load(f"{FAULTY}:2", "python")
        searcher = make_searcher(PLAIN, game, 2, method=method, processes=3, seed=seed)
        with pytest.raises(GameFileError, match="EVALUATION_RANGE"):
            deepen(searcher, 8)


def test_a_full_inbox_grows_and_keeps_its_messages() -> None:
    game = plyforge.load("tictactoe", "python")
    searcher = make_searcher(PLAIN, game, 2, processes=1)
    search(searcher, 3)
    process = searcher.process
    start = int(process.in_size) - 40
    process.in_tail = process.in_head = start
    sent = [[20, number, *range(18)] for number in range(300)]
    for words in sent:
        searcher.deliver(words)
    place, found = start, []
    assert len(searcher.inbox) == process.in_size
    place = int(process.in_tail)
    while place != process.in_head:
        place = 0 if searcher.inbox[place] == SKIP else place
        found.append(searcher.inbox[place : place + 20])
        place += 20
    assert found == sent


def test_steps_that_are_not_exact_are_refused() -> None:
    game = plyforge.load("tictactoe", "python")
    options = Options().changed(on=["lmr"])
    with pytest.raises(PlyforgeError, match="'lmr', which is not exact; switch it off"):
        SimulatedSearcher(game, options, processes=2, backend="python")


# The partitioned table


def record_messages(monkeypatch: pytest.MonkeyPatch) -> list[list[int]]:
    """Return a list that gets the messages between processes as they are sent."""
    sent: list[list[int]] = []
    take = Member.take_sent

    def take_and_record(member: Member) -> list[list[int]]:
        messages = take(member)
        sent.extend(words for words in messages if words[SOURCE] != words[TARGET])
        return messages

    monkeypatch.setattr(Member, "take_sent", take_and_record)
    return sent


def partitioned(game: Game, remote_depth: int = 1, **network: Any) -> SimulatedSearcher:
    return make_searcher(PLAIN, game, 2, remote_depth, method=PARTITIONED_TABLE, **network)


def test_only_the_owner_of_a_key_has_its_entry() -> None:
    game = plyforge.load("tree:incremental,4,5,seed=5", "python")
    searcher = partitioned(game, processes=3, seed=1, max_delay=3)
    search(searcher, 5)
    owners = dict.fromkeys(range(3), 0)
    for position in interior_positions(game, game.initial(), 5):
        with np.errstate(over="ignore"):  # keys wrap around
            key = np.uint64(game.key(position))
            found = [member.number for member in searcher._members if probe(key, member.context)]
            if found:
                assert found == [owner_of(key, searcher.process)]
                owners[found[0]] += 1
    assert all(owners.values())


def interior_positions(game: Game, position: Any, depth: int) -> Iterator[Any]:
    if depth > 0:
        yield position
        for move in game.moves(position):
            yield from interior_positions(game, game.play(position, move), depth - 1)


def test_first_moves_are_never_handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    sent = record_messages(monkeypatch)
    game = plyforge.load("tree:incremental,4,8,seed=5", "python")
    searcher = partitioned(game, processes=4, seed=1, max_delay=3)
    search(searcher, 7)
    works = [words for words in sent if words[KIND] == WORK]
    assert len(works) >= 5
    for words in works:
        # The last place in the order is that of the move among those of its node.
        level = words[LENGTH] - MOVES
        assert words[ORDER] >> 60 - 5 * level & 31 >= 2


def test_the_account_counts_look_ups_and_moves_that_were_handed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    sent = record_messages(monkeypatch)
    game = plyforge.load("tree:incremental,4,8,seed=5", "python")
    searcher = partitioned(game, processes=4, seed=1, max_delay=3)
    for depth in (5, 6):
        search(searcher, depth)
    account = account_of(PARTITIONED_TABLE, searcher.accounts, 1.0)
    count = Counter(words[KIND] for words in sent)
    assert account.lookups == count[LOOKUP]
    # At the end of a search, questions may be open.
    assert 0 <= account.lookups - count[ENTRY] < 4
    # Some answers come too late, because the subtree was cancelled.
    hits = sum(words[KIND] == ENTRY and words[ENTRY_DATA] != 0 for words in sent)
    assert 0 < account.lookup_hits <= hits
    assert account.stores == count[STORE]
    assert account.steal_requests == count[STEAL]
    assert 0 < account.steals <= count[WORK]
    text = str(account)
    assert f"{account.lookups:,} remote look-ups, {account.lookup_hits:,} found" in text
    fields = account.fields()
    assert fields["lookups_per_node"] == account.lookups / searcher.counts.nodes
    assert fields["messages_per_node"] == account.messages / searcher.counts.nodes


def test_nodes_with_little_depth_ask_nobody() -> None:
    game = plyforge.load("tree:incremental,4,8,seed=5", "python")
    few, many = (partitioned(game, depth, processes=3, seed=1) for depth in (3, 1))
    for searcher in (few, many):
        search(searcher, 5)
    counts = [
        sum(account.remote_lookups for account in searcher.accounts) for searcher in (few, many)
    ]
    assert 0 < counts[0] < counts[1] / 3


@given(
    recipe=recipes,
    depth=st.integers(3, 6),
    network=networks,
    spare_words=st.sampled_from([6, 25, 100]),
)
@examples(50)
def test_the_value_where_there_is_no_room_for_some_answers(
    recipe: Recipe, depth: int, network: dict[str, Any], spare_words: int
) -> None:
    game = load_tree(recipe)
    depth = limit_depth(game, game.initial(), 300, depth)
    searcher = partitioned(game, **network, spare_words=spare_words)
    assert search(searcher, depth).value == true_value(game, game.initial(), depth)


@pytest.mark.long
@given(
    recipe=recipes,
    depth=st.integers(3, 7),
    network=networks,
    split_depth=split_depths,
    configuration=configurations(),
)
@settings(max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_value_of_a_partitioned_search_in_thousands_of_trees(
    recipe: Recipe,
    depth: int,
    network: dict[str, Any],
    split_depth: int,
    configuration: Configuration,
) -> None:
    game = load_tree(recipe)
    depth = limit_depth(game, game.initial(), 300, depth)
    network["processes"] = max(network["processes"], 2)
    searcher = make_searcher(configuration, game, split_depth, method=PARTITIONED_TABLE, **network)
    assert search(searcher, depth).value == true_value(game, game.initial(), depth)
