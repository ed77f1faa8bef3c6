"""Pictures of positions and histories, in a notebook and in a file."""

from pathlib import Path

import pytest

import plyforge
from plyforge import PlyforgeError


def test_a_picture_has_the_requested_marks() -> None:
    game = plyforge.load("tictactoe")
    picture = game.picture(game.initial(), last=["a1"], arrows=[("b2", "b2", 0)])
    assert picture.last == ("a1",)
    assert picture.arrows == (("b2", "b2", 0),)
    assert picture.svg.startswith("<svg")
    assert picture._repr_svg_() == picture.svg
    assert 'class="cell last" data-cell="a1"' in picture.svg


def test_a_picture_of_a_history_marks_the_last_move() -> None:
    game = plyforge.load("tictactoe")
    history = game.history()
    assert game.picture(history).last == ()
    history.play_text("b2 a1")
    assert game.picture(history).last == ("a1",)
    assert game.picture(history).position == history.position
    assert game.picture(history, last=["c3"]).last == ("c3",)


def test_a_picture_is_saved_as_svg(tmp_path: Path) -> None:
    game = plyforge.load("tictactoe")
    picture = game.picture(game.initial())
    picture.save(tmp_path / "board.svg")
    picture.save(str(tmp_path / "again.SVG"))
    assert (tmp_path / "board.svg").read_text(encoding="utf-8") == picture.svg
    assert (tmp_path / "again.SVG").exists()


def test_another_suffix_or_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    picture = plyforge.load("tictactoe").picture(plyforge.load("tictactoe").initial())
    with pytest.raises(PlyforgeError, match=r"the name of a picture must end in \.svg"):
        picture.save(tmp_path / "board.png")
    with pytest.raises(PlyforgeError, match="cannot be written: No such file"):
        picture.save(tmp_path / "nowhere" / "board.svg")
