"""The `Game` object against callers that hand it the wrong things."""

import numpy as np
import pytest

import plyforge
from plyforge import PlyforgeError


def test_the_start_position_is_everyones_own() -> None:
    game = plyforge.load("hex:3")
    before = game.text(game.initial())
    game.initial().rows[:] = 3
    assert game.text(game.initial()) == before


def test_a_history_keeps_its_own_arrays() -> None:
    game = plyforge.load("hex:3")
    start = game.initial()
    history = game.history(start)
    start.rows[:] = 3
    assert game.text(history.position) == ".../.../... R"


def test_another_games_position_is_refused() -> None:
    stranger = plyforge.load("checkers").initial()
    with pytest.raises(PlyforgeError, match="is no position; it has the fields mine, stones"):
        plyforge.load("connect4").perft(stranger, 3)


@pytest.mark.parametrize("depth", [None, "3", 3.0, True, -1, 201])
def test_a_depth_that_is_none_is_refused(depth: object) -> None:
    game = plyforge.load("tictactoe")
    for count in (game.perft, game.divide):
        with pytest.raises(PlyforgeError, match="depth"):
            count(game.initial(), depth)  # type: ignore[operator]


@pytest.mark.parametrize("name", [None, 3, b"chess", ["chess"]])
def test_a_game_is_named_by_a_text(name: object) -> None:
    with pytest.raises(PlyforgeError, match="named by a text"):
        plyforge.load(name)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["a\0b.py", "\ud800.py"])
def test_a_name_that_no_file_can_have_is_refused(name: str) -> None:
    with pytest.raises(PlyforgeError):
        plyforge.load(name)


def test_what_finished_games_add_is_nought_or_one() -> None:
    game = plyforge.load("tictactoe")
    for wrong in (2, -1, True, "1", np.zeros(3)):
        with pytest.raises(PlyforgeError, match="must be 0 or 1"):
            game.perft(game.initial(), 2, finished=wrong)  # type: ignore[arg-type]


def test_messages_do_not_repeat_a_megabyte() -> None:
    game = plyforge.load("checkers")
    for attempt in (game.parse, game.history().play_text):
        with pytest.raises(PlyforgeError) as refusal:
            attempt("x" * 1_000_000)
        assert len(str(refusal.value)) < 2_000
