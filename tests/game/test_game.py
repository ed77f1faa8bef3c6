"""`Game` with wrong arguments, and the independence of its positions."""

import numpy as np
import pytest

import plyforge
from plyforge import PlyforgeError
from plyforge.compilation.notices import Notices


def test_changing_a_start_position_does_not_change_the_next() -> None:
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


def test_a_position_of_another_game_is_an_error() -> None:
    position = plyforge.load("checkers").initial()
    with pytest.raises(PlyforgeError, match="is not a position; its fields are mine, stones"):
        plyforge.load("connect4").perft(position, 3)


@pytest.mark.parametrize("depth", [None, "3", 3.0, True, -1, 201])
def test_an_invalid_depth_is_an_error(depth: object) -> None:
    game = plyforge.load("tictactoe")
    for count in (game.perft, game.divide):
        with pytest.raises(PlyforgeError, match="depth"):
            count(game.initial(), depth)  # type: ignore[operator]


@pytest.mark.parametrize("name", [None, 3, b"chess", ["chess"]])
def test_a_game_name_must_be_a_string(name: object) -> None:
    with pytest.raises(PlyforgeError, match="a game is a name, a path, a module or a dict"):
        plyforge.load(name)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["a\0b.py", "\ud800.py"])
def test_an_impossible_file_name_is_an_error(name: str) -> None:
    with pytest.raises(PlyforgeError):
        plyforge.load(name)


def test_finished_must_be_0_or_1() -> None:
    game = plyforge.load("tictactoe")
    for wrong in (2, -1, True, "1", np.zeros(3)):
        with pytest.raises(PlyforgeError, match="must be 0 or 1"):
            game.perft(game.initial(), 2, finished=wrong)  # type: ignore[arg-type]


def test_messages_quote_only_the_beginning_of_long_input() -> None:
    game = plyforge.load("checkers")
    for attempt in (game.parse, game.history().play_text):
        with pytest.raises(PlyforgeError) as error:
            attempt("x" * 1_000_000)
        assert len(str(error.value)) < 2_000


@pytest.mark.parametrize("move", [2**63, -(2**63) - 1])
def test_a_move_beyond_64_bits_is_refused(tmp_path, move):
    path = tmp_path / "wide.py"
    path.write_text(
        "def initial():\n    return 3\n\ndef moves(position):\n"
        f"    yield {move}\n\ndef play(position, move):\n    return position\n",
        encoding="utf-8",
    )
    game = plyforge.load(str(path))
    with pytest.raises(PlyforgeError, match=f"'moves' gave {move}; a move must be an int between"):
        game.moves(game.initial())


def test_rules_that_run_uncompiled_say_so_once(tmp_path):
    path = tmp_path / "heap.py"
    path.write_text(
        "def initial():\n    return [3]\n\ndef moves(position):\n"
        "    yield from range(position[0])\n\ndef play(position, move):\n    return [move]\n",
        encoding="utf-8",
    )
    texts: list[str] = []
    game = plyforge.load(str(path), notices=Notices(texts.append))
    game.perft(game.initial(), 2)
    plyforge.load(str(path), notices=Notices(texts.append)).perft([3], 2)
    (text,) = texts
    assert "heap runs uncompiled" in text
    assert "to compile it, declare class Position(NamedTuple)" in text
