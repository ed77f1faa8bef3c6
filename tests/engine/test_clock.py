"""A budget for the whole game: how much of it a move gets."""

import math
import time

import pytest

import plyforge
from plyforge import Clock, Engine, PlyforgeError


def test_a_move_gets_less_in_the_opening_and_never_more_than_its_limit():
    clock = Clock(300, most=10)
    assert clock.soft(0) < clock.soft(20) <= 10
    assert clock.hard(20) == 10
    assert Clock(600).hard(20) <= 150


def test_increments_are_spent():
    assert Clock(1, increment=5).soft(20) > Clock(1).soft(20)
    assert Clock(10, increment=2).after(3) == Clock(9, increment=2)


def test_however_little_is_left_some_of_it_stays():
    assert 0 < Clock(0.05).hard(30) < 0.05


@pytest.mark.parametrize(
    "times",
    [(0,), (-1,), (math.nan,), (math.inf,), (1, -1), (1, 0, 0), ("5",), (None,), (10**400,)],
)
def test_a_time_that_is_none_is_refused(times):
    with pytest.raises(PlyforgeError, match="positive"):
        Clock(*times)


def test_a_clock_is_a_clock():
    with pytest.raises(PlyforgeError, match="clock 5: give a Clock"):
        Engine("tictactoe").analyse(clock=5)


def test_time_and_clock_exclude_each_other():
    with pytest.raises(PlyforgeError, match="not both"):
        Engine("tictactoe").analyse(time=1.0, clock=Clock(10))


def test_a_forced_move_is_answered_after_one_iteration():
    game = plyforge.load("tree")
    root = game.history(game.parse("[[[1,2],[3,4]]]"))
    result = Engine(game).analyse(root, clock=Clock(600))
    assert len(result.steps) == 1


def test_an_engine_with_a_clock_ends_by_itself():
    engine = Engine("connect4", hash=4)
    started = time.monotonic()
    result = engine.analyse(clock=Clock(3.0))
    assert time.monotonic() - started < 3.0
    assert result.depth > 2
