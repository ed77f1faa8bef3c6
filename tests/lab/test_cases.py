"""Positions depend only on the seed; a larger count only adds positions."""

import pytest

from plyforge.core.errors import PlyforgeError
from plyforge.games import load
from plyforge.lab import Case, game_cases, random_cases

KINDS = [random_cases, game_cases]


@pytest.mark.parametrize("kind", KINDS)
def test_a_seed_gives_the_same_positions_every_time(kind):
    assert kind("connect4", 6, 7, 10) == kind("connect4", 6, 7, 10)
    assert kind("connect4", 6, 7, 10) != kind("connect4", 6, 8, 10)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("count", [1, 5, 6, 7, 13])
def test_a_larger_count_only_adds_positions(kind, count):
    assert kind("connect4", 6, 7, 20)[:count] == kind("connect4", 6, 7, count)


def test_positions_of_a_seed_are_fixed():
    # Stored measurements name positions by their numbers.
    found = random_cases("tictactoe", 3, 1, 3)
    assert [case.moves for case in found] == [(2, 1, 7), (6, 8, 3), (5, 2, 4)]
    games = game_cases("connect4", 3, 1, 6)
    assert [case.moves for case in games] == [(), (0,), (0, 42), (), (7,), (7, 35)]


@pytest.mark.parametrize("kind", KINDS)
def test_no_position_is_over(kind):
    game = load("tictactoe")
    for case in kind("tictactoe", 7, 3, 40):
        history = case.history(game)
        assert not history.verdict().over
        assert history.legal_moves()


def test_random_positions_have_the_requested_plies():
    assert {len(case.moves) for case in random_cases("connect4", 9, 0, 10)} == {9}


def test_game_cases_include_every_position_and_the_start():
    cases = game_cases("connect4", 5, 0, 10)
    assert [len(case.moves) for case in cases] == [0, 1, 2, 3, 4] * 2
    assert cases[1].moves == cases[4].moves[:1]
    assert cases[6].label == "game 2, ply 1"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("name", "plies"), [("tictactoe", 9), ("tictactoe", 50), ("tree:uniform,2,3,1", 3)]
)
def test_plies_that_no_game_reaches_are_refused(kind, name, plies):
    with pytest.raises(PlyforgeError, match=f"ended within {plies} plies; use fewer"):
        kind(name, plies, 0, 3)


def test_games_without_positions_are_refused():
    with pytest.raises(PlyforgeError, match="at least 1"):
        game_cases("tictactoe", 0, 0, 3)
    assert random_cases("tictactoe", 0, 0, 2)[1].moves == ()


def test_a_case_may_start_from_any_position():
    game = load("tree")
    history = Case("tree", (1,), start="[[1,2],[3,4]]").history(game)
    assert game.text(history.position).endswith(" 2")
