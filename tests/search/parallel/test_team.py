"""Workers that search one tree together find the value of one, in any order of turns."""

import math
import threading
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge import Engine, Game
from plyforge.compilation.kernel import Backend
from plyforge.core.errors import GameFileError, PlyforgeError
from plyforge.engine import DRIVERS
from plyforge.engine.drivers import parameters_for
from plyforge.search.hashtable import HashTable
from plyforge.search.options import Options
from plyforge.search.parallel.methods import METHODS
from plyforge.search.parallel.searcher import Machine, ParallelSearcher, TeamSettings
from plyforge.search.request import SearchRequest, WindowResult, root_of
from tests.engine.test_exact import limit_depth, true_value
from tests.engine.test_line import assert_line_leads_to_score
from tests.reference.path_minimax import minimax
from tests.reference.tree import Recipe
from tests.search.examples import examples
from tests.search.kernel.configurations import Configuration, configurations
from tests.search.kernel.games import GAMES, cycle_game, load_tree, recipes

TEAM_METHODS = [method.name for method in METHODS.values() if method.is_team]
methods = st.sampled_from(TEAM_METHODS)
split_settings = st.fixed_dictionaries(
    {
        "split-depth": st.integers(0, 4),
        "split-choice": st.sampled_from(["most-work", "queue"]),
        "master-depth": st.integers(1, 4),
    }
)


def has_table(configuration: Configuration) -> bool:
    return "table" in configuration.on


def make_team(
    configuration: Configuration,
    game: Game,
    method: str,
    workers: int,
    *,
    backend: Backend | None = None,
    splits: dict[str, Any] | None = None,
    **settings: Any,
) -> ParallelSearcher:
    """Make a searcher with these options, without a driver."""
    known = parameters_for(DRIVERS[configuration.driver])
    options = (
        Options()
        .declaring(known)
        .changed(configuration.on, configuration.off, {**configuration.settings, **(splits or {})})
    )
    table = HashTable.sized(entries=configuration.entries, stamped=True)
    team = TeamSettings(METHODS[method], workers, **settings)
    return ParallelSearcher(game, options, table, settings=team, backend=backend)


def search(team: ParallelSearcher, depth: int) -> WindowResult:
    game = team.game
    return team.search(SearchRequest.of(root_of(game.history(), game), -math.inf, math.inf, depth))


PLAIN = Configuration("pvs", ("table", "pvs", "history", "killers"), {}, 1 << 12)


@given(
    recipe=recipes,
    depth=st.integers(3, 8),
    workers=st.integers(1, 8),
    seed=st.integers(0, 2**32),
    method=methods,
    splits=split_settings,
    configuration=configurations().filter(has_table),
)
@examples(150)
def test_the_value_in_any_order_of_turns(
    recipe: Recipe,
    depth: int,
    workers: int,
    seed: int,
    method: str,
    splits: dict[str, Any],
    configuration: Configuration,
) -> None:
    game = load_tree(recipe)
    depth = limit_depth(game, game.initial(), 5_000, depth)
    team = make_team(configuration, game, method, workers, splits=splits, seed=seed)
    for plies in (max(depth - 1, 1), depth):
        assert search(team, plies).value == true_value(game, game.initial(), plies)


@given(
    recipe=recipes,
    depth=st.integers(3, 8),
    threads=st.integers(2, 8),
    method=methods,
    splits=split_settings,
    configuration=configurations().filter(
        lambda c: has_table(c) and DRIVERS[c.driver].prunes  # type: ignore[index]
    ),
)
@examples(100)
def test_the_value_with_threads(
    recipe: Recipe,
    depth: int,
    threads: int,
    method: str,
    splits: dict[str, Any],
    configuration: Configuration,
) -> None:
    game = load_tree(recipe)
    depth = limit_depth(game, game.initial(), 5_000, depth)
    settings = {**configuration.settings, **splits}
    engine = Engine(
        game,
        driver=configuration.driver,
        on=configuration.on,
        off=configuration.off,
        settings=settings,
        entries=configuration.entries,
        threads=threads,
        parallel=method,
    )
    for _ in range(2):
        result = engine.analyse(depth=depth)
        assert result.score == true_value(game, game.initial(), depth)
        assert_line_leads_to_score(result, game.history())


@given(
    seed=st.integers(0, 10**6),
    rule=st.sampled_from(["draw", "loss", "illegal"]),
    depth=st.integers(2, 5),
    workers=st.integers(2, 5),
    method=methods,
    splits=split_settings,
    configuration=configurations(cycles=True).filter(has_table),
)
@examples(60)
def test_the_value_where_it_depends_on_the_path(
    seed: int,
    rule: str,
    depth: int,
    workers: int,
    method: str,
    splits: dict[str, Any],
    configuration: Configuration,
) -> None:
    game = cycle_game(seed, 2, REPETITION=rule, NO_PROGRESS_LIMIT=5)
    if not game.history().verdict().over:
        team = make_team(
            configuration, game, method, workers, splits=splits, seed=seed, backend="python"
        )
        assert search(team, depth).value == minimax(game.history(), depth)


@pytest.mark.long
@pytest.mark.parametrize("method", TEAM_METHODS)
@pytest.mark.parametrize("name", GAMES)
def test_the_value_in_real_games(name: str, method: str) -> None:
    game = plyforge.load(name)
    depth = {"chess": 5, "andantino": 4, "hex": 3, "tictactoe": 9}.get(name, 8)
    expected = Engine(game).analyse(depth=depth)
    for threads in (2, 5):
        engine = Engine(game, threads=threads, parallel=method, settings={"split-depth": 2})
        result = engine.analyse(depth=depth)
        assert result.score == expected.score
        assert result.account is not None
        assert sum(result.account.nodes) == result.counts.nodes


@pytest.mark.parametrize("method", TEAM_METHODS)
def test_a_seed_decides_everything_and_a_schedule_repeats_it(method: str) -> None:
    game = plyforge.load("tree:incremental,4,8,seed=5")

    def run(**settings: Any) -> tuple[Any, ...]:
        team = make_team(PLAIN, game, method, 4, splits={"split-depth": 2}, **settings)
        result = search(team, 7)
        return result.value, result.line, team.counts, team.schedule

    first, again, other = run(seed=3), run(seed=3), run(seed=4)
    assert first == again
    assert first[3] != other[3]
    assert run(schedule=first[3])[:3] == first[:3]


@given(
    seed=st.integers(0, 50),
    method=methods,
    splits=split_settings,
    pauses=st.lists(st.tuples(st.integers(0, 3), st.integers(1, 300)), min_size=1, max_size=12),
)
@examples(40)
def test_the_value_when_the_system_pauses_workers(
    seed: int, method: str, splits: dict[str, Any], pauses: list[tuple[int, int]]
) -> None:
    game = plyforge.load(f"tree:incremental,4,8,seed={seed}")
    schedule: list[int] = []
    for paused, turns in pauses:
        others = [worker for worker in range(4) if worker != paused]
        schedule += [others[turn % 3] for turn in range(turns)]
    team = make_team(PLAIN, game, method, 4, splits=splits, schedule=tuple(schedule))
    for depth in (4, 6):
        assert search(team, depth).value == true_value(game, game.initial(), depth)


@pytest.mark.parametrize("method", TEAM_METHODS)
def test_one_worker_visits_the_nodes_of_a_serial_search(method: str) -> None:
    game = plyforge.load("tree:incremental,4,8,seed=5")
    team = make_team(PLAIN, game, method, 1, seed=0)
    serial = Configuration.searcher(PLAIN, game)
    root = root_of(game.history(), game)
    for depth in (3, 5, 7):
        one = search(team, depth)
        other = serial.search(SearchRequest.of(root, -math.inf, math.inf, depth))
        assert (one.value, one.line, one.move) == (other.value, other.line, other.move)
    assert team.counts.nodes == serial.counts.nodes


@pytest.mark.parametrize("method", TEAM_METHODS)
@pytest.mark.parametrize("workers", [1, 2, 16])
def test_the_simulation_searches_the_same_tree_every_time(method: str, workers: int) -> None:
    game = plyforge.load("tree:incremental,4,8,seed=5")

    def run() -> tuple[Any, ...]:
        machine = Machine(node=1e-6, latency=1e-6)
        team = make_team(PLAIN, game, method, workers, machine=machine)
        return search(team, 8).value, team.counts, team.virtual_times

    value, counts, times = run()
    assert (value, counts, times) == run()
    assert value == true_value(game, game.initial(), 8)
    assert 0 < times.balance <= 1
    double = times.plus(times)
    assert (double.elapsed, double.work) == (2 * times.elapsed, pytest.approx(2 * times.work))
    assert double.overhead == pytest.approx(2 * times.overhead)
    # Every processor works, waits or is busy with messages until the end.
    total = times.work + times.idle + times.overhead
    assert total >= workers * times.elapsed * 0.999
    last_turns = workers * 1e-6 * 5_000
    assert total <= workers * times.elapsed + last_turns
    if workers == 1:
        assert times.work == pytest.approx(counts.nodes * 1e-6)


@pytest.mark.parametrize("method", TEAM_METHODS)
def test_cuts_spare_no_more_than_was_charged(method: str) -> None:
    game = plyforge.load("tree:incremental,4,8,seed=5")
    team = make_team(PLAIN, game, method, 16, machine=Machine(node=1e-6, latency=2e-3))
    search(team, 8)
    times = team.virtual_times
    assert min(times.works) >= 0.0
    assert times.joining >= 0.0
    assert times.messages >= 0.0
    total = times.work + times.idle + times.overhead
    assert total >= 16 * times.elapsed * 0.999


def test_more_processors_take_less_virtual_time() -> None:
    game = plyforge.load("tree:incremental,6,10,seed=5")
    times = []
    for workers in (1, 4, 16):
        team = make_team(PLAIN, game, "ybwc", workers, machine=Machine(node=1e-6))
        search(team, 9)
        times.append(team.virtual_times.elapsed)
    assert times[0] > 2 * times[1] > 4 * times[2]


def test_a_limit_of_nodes_counts_all_threads() -> None:
    engine = Engine("tree:uniform,4,12", entries=4096, threads=3, parallel="ybwc")
    result = engine.analyse(depth=12, nodes=3000)
    assert result.stopped
    assert 3000 <= result.counts.nodes < 3000 + 3 * 500
    assert result.move in result.root.legal_moves()  # type: ignore[union-attr]


@pytest.mark.parametrize("seed", range(4))
def test_bounds_of_two_searches_are_proven_only_if_both_are(seed: int) -> None:
    # A leaf whose lower bound is proven, and whose upper bound is not, was taken as proven: then
    # deeper searches used its value.
    game = plyforge.load("tree:skipping,2,7,seed=52182089,values=4")
    engine = Engine(game, driver="aspiration", settings={"master-depth": 2})
    settings = TeamSettings(METHODS["aphid"], 3, seed=seed)
    table = HashTable.sized(entries=4096)
    vars(engine)["searcher"] = ParallelSearcher(
        game, engine.options, table, settings=settings, backend="python"
    )
    assert engine.analyse(depth=7).score == true_value(game, game.initial(), 7)


@pytest.mark.parametrize("nodes", [200, 1000, 3000, 9000])
def test_a_stopped_search_with_guesses_returns_none_of_them(nodes: int) -> None:
    game = plyforge.load("tree:incremental,5,10,seed=3")
    engine = Engine(game, entries=4096, threads=3, parallel="aphid")
    result = engine.analyse(depth=10, nodes=nodes)
    assert result.stopped
    assert result.bound == "exact"
    assert result.score == true_value(game, game.initial(), result.depth)


@pytest.mark.parametrize("method", ["ybwc", "abdada", "aphid"])
def test_a_fault_of_the_game_is_an_error_in_any_thread(method: str) -> None:
    rules = plyforge.load("tree").rules
    # The kernel of other trees; most values of this one are outside of the range.
    constants = {**rules.constants, "EVALUATION_RANGE": (-0.001, 0.001)}
    game = Game(replace(rules, constants=constants), "uniform,4,12")
    engine = Engine(game, entries=256, threads=3, parallel=method)
    with pytest.raises(GameFileError, match="EVALUATION_RANGE"):
        engine.analyse(depth=8)
    engine.clear()


@pytest.fixture
def running() -> Iterator[tuple[Engine, threading.Thread, list[Any]]]:
    """An engine with four threads that would search for hours."""
    engine = Engine("tree:uniform,6,23", entries=4096, threads=4, parallel="ybwc")
    engine.analyse(depth=3)
    results: list[Any] = []
    started = threading.Event()

    def work() -> None:
        results.append(engine.analyse(depth=23, report=lambda info: started.set()))

    thread = threading.Thread(target=work)
    thread.start()
    started.wait()
    yield engine, thread, results
    engine.stop()
    thread.join()


def test_a_stop_reaches_all_threads(running: Any) -> None:
    engine, thread, results = running
    engine.stop()
    thread.join()
    (result,) = results
    assert result.stopped
    assert result.move in result.root.legal_moves()
    assert engine.analyse(depth=5).depth == 5


def test_wrong_methods_are_refused() -> None:
    with pytest.raises(PlyforgeError, match="did you mean 'ybwc'"):
        Engine("tictactoe", threads=2, parallel="ybcw")
    with pytest.raises(PlyforgeError, match="goes with alphabeta"):
        Engine("tictactoe", threads=2, parallel="ybwc", driver="minimax")
    with pytest.raises(PlyforgeError, match="without the switch 'table'"):
        Engine("tictactoe", threads=2, parallel="abdada", off=["table"])
    with pytest.raises(PlyforgeError, match="split-depth"):
        Engine("tictactoe", threads=2, parallel="ybwc", settings={"split-depth": -1})
