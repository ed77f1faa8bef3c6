"""Searching on the opponent's time, and the ends of such searches."""

import threading

import pytest

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.core.scores import SCORE_LIMIT
from plyforge.engine import Engine
from plyforge.engine.clock import Clock
from plyforge.engine.levels import choose
from plyforge.engine.pondering import Pondering

GAME = plyforge.load("othello")
LOST = "4r1k1/5r2/2b3p1/8/2PQ4/B5qp/3R1p2/1R5K w - - 0 57"


def test_the_time_counts_only_after_the_hit():
    pondering, engine = Pondering(), Engine(GAME, hash=1)
    reports = []

    def report(info):
        reports.append(info)
        if len(reports) == 4:
            assert pondering.hit_at is None
            pondering.hit()

    result = engine.analyse(time=0.001, pondering=pondering, report=report)
    assert result.stopped
    assert len(reports) >= 4


def test_a_clock_ends_the_search_between_iterations_after_the_hit():
    pondering, engine = Pondering(), Engine(GAME, hash=1)
    pondering.hit()
    assert engine.analyse(clock=Clock(0.05), pondering=pondering).depth < 60


def test_a_search_that_ends_by_itself_waits_for_no_hit():
    assert Engine(GAME, hash=1).analyse(time=1000, depth=2, pondering=Pondering()).depth == 2


def test_a_second_hit_changes_nothing():
    pondering = Pondering()
    pondering.hit()
    first = pondering.hit_at
    pondering.hit()
    assert pondering.hit_at == first


def test_progress_names_a_legal_root_move():
    engine, seen = Engine(GAME, hash=1), []
    ended = threading.Event()
    for info in engine.live(interval=0.001, until=ended):
        if not hasattr(info, "bound") and info.move is not None:
            seen.append(info)
            break
        assert len(seen) < 1000
    assert seen[0].move in GAME.legal_moves(GAME.initial())
    assert 1 <= seen[0].move_number <= len(GAME.legal_moves(GAME.initial()))


@pytest.mark.long
@pytest.mark.parametrize("limits", [{"nodes": 3000}, {"clock": Clock(1000.0)}, {"depth": 40}])
def test_a_mate_that_is_not_proved_ends_the_search_soon(limits):
    """The line to the mate must not be searched to the depth that the iterations reach."""
    engine = Engine("chess", preset="play", hash=1)
    result = engine.analyse(LOST, **limits)
    assert result.score < -SCORE_LIMIT
    assert result.line_nodes < 100_000


def test_fewer_moves_to_go_give_a_move_more_time():
    times = [Clock(60, moves_to_go=moves).soft(20) for moves in (1, 2, 10, 30, 100)]
    assert times == sorted(times, reverse=True)
    assert Clock(60, moves_to_go=1).hard(20) < 60
    assert Clock(60, moves_to_go=100).soft(20) == Clock(60).soft(20)
    assert Clock(60, moves_to_go=1).after(5).moves_to_go == 1


@pytest.mark.parametrize("moves", [0, -1, 1.5, True])
def test_wrong_moves_to_go_are_rejected(moves):
    with pytest.raises(PlyforgeError, match="moves_to_go"):
        Clock(60, moves_to_go=moves)


def test_the_time_left_does_not_shrink_to_nothing_with_an_increment():
    clock = Clock(2.0, 0.05)
    for ply in range(0, 2000, 2):
        clock = clock.after(clock.hard(ply))
    assert clock.left >= 0.09


def test_a_level_keeps_to_its_time(monkeypatch):
    engine = Engine(GAME, hash=1)
    results, analyse = [], engine.analyse

    def record(*arguments, **limits):
        results.append(analyse(*arguments, **limits))
        return results[-1]

    monkeypatch.setattr(engine, "analyse", record)
    assert choose(engine, GAME.history(), 20, time=0.001) in GAME.legal_moves(GAME.initial())
    assert results
    assert all(result.nodes < 6_000_000 for result in results)


def test_the_fill_of_the_table_grows():
    engine = Engine(GAME, entries=1024)
    assert engine.table_fill() == 0
    engine.analyse(depth=5)
    assert 0 < engine.table_fill() <= 1
