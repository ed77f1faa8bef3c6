"""Limits of nodes, time and depth, stops, and the results of stopped analyses."""

import threading
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import plyforge
from plyforge import Engine, PlyforgeError
from plyforge.engine import DRIVERS, Info, SearchResult
from tests.search.examples import examples
from tests.search.kernel.configurations import Configuration, configurations
from tests.search.kernel.games import random_graph

BIG = "tree:uniform,4,12"


@given(nodes=st.integers(1, 300), configuration=configurations())
@examples(80)
def test_a_limit_of_nodes_is_exact(nodes: int, configuration: Configuration) -> None:
    engine = configuration.engine(plyforge.load(BIG))
    result = engine.analyse(depth=12, nodes=nodes)
    assert result.stopped
    assert result.counts.nodes == nodes
    assert result.move in range(4)
    assert result.pv[0] == result.move
    assert not result.proved


@given(seed=st.integers(0, 10**6), nodes=st.integers(1, 500), configuration=configurations())
@examples(60)
def test_a_stopped_analysis_returns_the_value_of_its_last_iteration(
    seed: int, nodes: int, configuration: Configuration
) -> None:
    game = random_graph(seed, 9)
    if game.verdict(game.initial()).over:
        return
    result = configuration.engine(game).analyse(depth=7, nodes=nodes)
    assert result.counts.nodes <= nodes
    assert result.move in game.moves(game.initial())
    if result.bound == "exact" and result.depth > 0:
        truth = Engine(game, driver="minimax", off=["cycles"], entries=256)
        assert result.score == truth.analyse(depth=result.depth).score


def _unfinished(driver: str, multipv: int) -> list[tuple[Info, SearchResult]]:
    """Return results of searches stopped within an iteration, with the last completed one."""
    results = []
    for nodes in range(200, 6000, 200):
        infos: list[Info] = []
        engine = Engine("tree:uniform,4,12", driver=driver, entries=4096)
        result = engine.analyse(nodes=nodes, multipv=multipv, report=infos.append)
        if result.depth > 0 and any(line.depth > result.depth for line in result.lines):
            before = [info for info in infos if all(n.depth == info.depth for n in info.lines)]
            results.append((before[-1], result))
    return results


@pytest.mark.parametrize("driver", ["alphabeta", "pvs", "aspiration", "mtdf"])
def test_a_stop_within_an_iteration_keeps_the_other_lines_of_the_last_one(driver: str) -> None:
    results = _unfinished(driver, multipv=3)
    assert results
    for before, result in results:
        assert len({line.pv[0] for line in result.lines}) == 3
        old = {line.pv[0]: line.score for line in before.lines}
        for line in result.lines:
            if line.depth == before.depth:
                assert (line.score, line.bound) == (old[line.pv[0]], "exact")


def test_no_line_stands_above_a_better_one() -> None:
    drivers = ("alphabeta", "aspiration", "mtdf")
    results = [one for driver in drivers for _, one in _unfinished(driver, multipv=3)]
    for result in results:
        scores = [line.score for line in result.lines]
        assert scores == sorted(scores, reverse=True)
        assert result.bound == result.lines[0].bound
    # The stops cover a fallen score that is no longer first, and one that still is.
    assert {result.lines[0].depth > result.depth for result in results} == {True, False}
    assert {line.bound for result in results for line in result.lines} == {"exact", "lower"}


def test_a_completed_first_line_is_not_put_below_a_move_that_it_refutes() -> None:
    for _, result in _unfinished("pvs", multipv=3):
        newest = [line for line in result.lines if line.depth > result.depth]
        if newest[0].bound == "exact":
            assert result.lines[0] == newest[0]
            truth = Engine("tree:uniform,4,12", entries=1 << 16).analyse(depth=newest[0].depth)
            assert result.score == truth.score


@pytest.mark.parametrize("multipv", [1, 3])
def test_each_line_has_the_depth_of_its_score(multipv: int) -> None:
    for before, result in _unfinished("pvs", multipv):
        assert (result.depth, len(result.lines)) == (before.depth, multipv)
        deeper = [line for line in result.lines if line.depth != before.depth]
        assert {line.depth for line in deeper} == {before.depth + 2}
        truth = Engine("tree:uniform,4,12", entries=1 << 16).analyse(depth=before.depth + 2)
        assert all(line.score <= truth.score for line in deeper)


@given(seed=st.integers(0, 10**6), nodes=st.integers(1, 200), configuration=configurations())
@examples(60)
def test_a_stopped_search_leaves_no_wrong_entry_in_the_table(
    seed: int, nodes: int, configuration: Configuration
) -> None:
    game = random_graph(seed, 9)
    if game.verdict(game.initial()).over:
        return
    engine = configuration.engine(game)
    for more in range(4):
        engine.analyse(depth=6, nodes=nodes + 7 * more)
    truth = Engine(game, driver="minimax", off=["cycles"], entries=256)
    assert engine.analyse(depth=6).score == truth.analyse(depth=6).score


@pytest.mark.parametrize("driver", DRIVERS)
def test_time_ends_an_analysis(driver: str) -> None:
    engine = Engine("tree:uniform,12,17", driver=driver, entries=4096)
    result = engine.analyse(time=0.05)
    assert result.stopped
    assert result.move is not None


def test_another_thread_may_stop_an_analysis_and_a_second_search_is_refused() -> None:
    engine = Engine("tree:uniform,12,17", off=["deepening"], entries=4096)
    results = []
    thread = threading.Thread(target=lambda: results.append(engine.analyse(depth=17)))
    thread.start()
    try:
        while not engine._busy.locked():
            time.sleep(0.001)
        with pytest.raises(PlyforgeError, match="searching already"):
            engine.analyse(depth=1)
        with pytest.raises(PlyforgeError, match="searching already"):
            engine.search(None, depth=1)
        with pytest.raises(PlyforgeError, match="searching already"):
            engine.clear()
    finally:
        while thread.is_alive():
            engine.stop()
            thread.join(0.01)
    assert results[0].stopped
    assert engine.analyse(depth=1).score == Engine("tree:uniform,12,17").analyse(depth=1).score


def test_an_error_frees_the_engine() -> None:
    engine = Engine("tictactoe", entries=256)
    with pytest.raises(PlyforgeError):
        engine.analyse("XXX/OO./... O", depth=1)
    assert engine.analyse(depth=1).move is not None


def test_iterations_are_reported_one_by_one() -> None:
    infos: list[Info] = []
    engine = Engine("tree:uniform,3,8", settings={"depth-step": 2}, entries=4096)
    result = engine.analyse(depth=7, report=infos.append)
    assert [info.depth for info in infos] == [1, 3, 5, 7]
    assert (infos[-1].score, infos[-1].counts) == (result.score, result.counts)
    assert [info.nodes for info in infos] == sorted(info.nodes for info in infos)
    assert sum(step.nodes for step in result.steps) == result.counts.nodes


def test_a_proved_result_ends_the_analysis_early() -> None:
    result = Engine("tictactoe", entries=1 << 14).analyse()
    assert (result.score, result.proved) == (0, True)
    assert result.depth in (9, 10)
    assert not result.stopped


@pytest.mark.parametrize("driver", DRIVERS)
def test_only_the_given_root_moves_are_searched(driver: str) -> None:
    for seed in range(6):
        game = random_graph(seed, 9)
        start = game.initial()
        if game.verdict(start).over:
            continue
        moves = game.moves(start)
        for chosen in ([moves[-1]], moves[1:], moves):
            if not chosen:
                continue
            engine = Engine(game, driver=driver, off=["cycles"], entries=4096)
            assert engine.analyse(depth=4, nodes=1, moves=chosen).move in chosen
            result = engine.analyse(depth=4, moves=chosen)
            truth = Engine(game, driver="minimax", off=["cycles"], entries=256)
            expected = truth.analyse(depth=4, moves=chosen)
            assert (result.score, result.move in chosen) == (expected.score, True)
            path = game.history()
            for move in result.pv:
                path.play(move)
            assert len(result.pv) == 4 or path.verdict().over
        whole = Engine(game, driver=driver, off=["cycles"], entries=4096)
        whole.analyse(depth=4, moves=moves[-1:])
        truth = Engine(game, driver="minimax", off=["cycles"], entries=256)
        assert whole.analyse(depth=4).score == truth.analyse(depth=4).score
