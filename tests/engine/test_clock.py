"""The share of a game's clock that a move gets."""

import math
from types import SimpleNamespace

import pytest

import plyforge
from plyforge import Clock, Engine, PlyforgeError


def test_a_move_gets_less_in_the_opening_and_never_more_than_its_limit():
    clock = Clock(300, max_per_move=10)
    assert clock.soft(0) < clock.soft(20) <= 10
    assert clock.hard(20) == 10
    assert Clock(600).hard(20) <= 150


def test_increments_are_spent():
    assert Clock(1, increment=5).soft(20) > Clock(1).soft(20)
    assert Clock(10, increment=2).after(3) == Clock(9, increment=2)


def test_a_move_never_uses_all_the_time_left():
    assert 0 < Clock(0.05).hard(30) < 0.05


@pytest.mark.parametrize("plies", [0, 30])
def test_an_iteration_starts_if_half_of_it_fits(plies):
    clock = Clock(60, 1)
    soft = clock.soft(plies)
    assert clock.allows(plies, spent=0.2 * soft, predicted=1.5 * soft, stable=False)
    assert not clock.allows(plies, spent=0.2 * soft, predicted=1.7 * soft, stable=False)
    assert not clock.allows(plies, spent=1.01 * soft, predicted=0.0, stable=False)


def test_a_stable_move_gets_less_time():
    clock = Clock(60, 1)
    soft = clock.soft(30)
    assert clock.allows(30, spent=0.8 * soft, predicted=0.1 * soft, stable=False)
    assert not clock.allows(30, spent=0.8 * soft, predicted=0.1 * soft, stable=True)


@pytest.mark.parametrize("increment", [0.0, 0.05])
def test_a_game_of_sixty_moves_uses_most_of_the_time(increment):
    """Iterations take three times as long as the ones before; every other move is stable."""
    clock = Clock(2.0, increment)
    for ply in range(0, 120, 2):
        iteration, spent = 0.001, 0.001
        while clock.allows(ply, spent, 3 * iteration, stable=ply % 4 == 0):
            iteration *= 3
            spent += iteration
        clock = clock.after(min(spent, clock.hard(ply)))
    total = 2.0 + 60 * increment
    assert 0.08 < clock.left < 0.25 * total


@pytest.mark.parametrize(
    "times",
    [(0,), (-1,), (math.nan,), (math.inf,), (1, -1), (1, 0, 0), ("5",), (None,), (10**400,)],
)
def test_impossible_times_are_refused(times):
    with pytest.raises(PlyforgeError, match="positive"):
        Clock(*times)


def test_a_clock_must_be_a_clock():
    with pytest.raises(PlyforgeError, match="clock must be a Clock"):
        Engine("tictactoe").analyse(clock=5)


def test_time_and_clock_exclude_each_other():
    with pytest.raises(PlyforgeError, match="not both"):
        Engine("tictactoe").analyse(time=1.0, clock=Clock(10))


def test_a_forced_move_takes_one_iteration():
    game = plyforge.load("tree")
    root = game.history(game.parse("[[[1,2],[3,4]]]"))
    result = Engine(game).analyse(root, clock=Clock(600))
    assert len(result.steps) == 1


def test_an_engine_with_a_clock_ends_by_itself():
    engine = Engine("connect4", hash=4)
    result = engine.analyse(clock=Clock(3.0))
    assert result.bound == "exact"
    assert result.seconds < 3.0


def test_a_pause_of_the_machine_in_a_short_iteration_does_not_end_the_search(monkeypatch):
    """The second iteration seems to take 50 ms, a hundred times as long as the first."""
    now = iter([0.0, 0.0, 0.0, 0.0005, 0.001, 0.0505])
    clock = SimpleNamespace(perf_counter=lambda: next(now, 0.1))
    monkeypatch.setattr("plyforge.engine.analysis.time", clock)
    result = Engine("connect4", hash=4).analyse(clock=Clock(60.0), depth=4)
    assert result.depth == 4
