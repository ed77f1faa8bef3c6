"""`Game.arrange`, which sets up a position from pieces."""

from pathlib import Path

import pytest

import plyforge
from plyforge.core.errors import GameFileError, PlyforgeError, PositionError
from plyforge.game.arranging import known_pieces

RULES = """from typing import NamedTuple
from plyforge.rules import squares
class Position(NamedTuple):
    heap: int
def initial():
    return Position(3)
def moves(position):
    if position.heap:
        yield 1
def play(position, move):
    return Position(position.heap - move)
def geometry(position):
    return squares(4, 1)
def pieces(position):
    return {"a1": "x", "b1": position.heap}
"""


def load(folder: Path, arrange: str = "") -> plyforge.Game:
    file = folder / "heap.py"
    file.write_text(RULES + arrange)
    return plyforge.load(str(file))


def test_a_game_without_the_hook_is_an_error(tmp_path: Path) -> None:
    game = load(tmp_path)
    with pytest.raises(PlyforgeError, match=r"heap\.py: heap has no 'arrange'.*or define"):
        game.arrange(game.initial(), {}, 0)


def test_the_known_pieces_are_those_declared_and_those_on_boards(tmp_path: Path) -> None:
    game = load(tmp_path, "PIECES = {'q': (0, 'queen'), 'x': (1, 'cross')}")
    assert known_pieces(game, game.parse("2")) == ["q", "x", 2, 3]


def test_any_number_is_a_piece_but_not_any_letter(tmp_path: Path) -> None:
    game = load(tmp_path, "def arrange(position, pieces, side): return Position(pieces['b1'])")
    assert game.arrange(game.initial(), {"a1": "x", "b1": 40}, 0).heap == 40
    with pytest.raises(PositionError, match="'y' on a1 is not a piece of heap; its pieces are x"):
        game.arrange(game.initial(), {"a1": "y"}, 0)


def test_the_reason_of_the_hook_is_in_the_error(tmp_path: Path) -> None:
    game = load(tmp_path, "def arrange(position, pieces, side): raise ValueError('not today')")
    with pytest.raises(PositionError, match="there is no such position: not today"):
        game.arrange(game.initial(), {}, 0)


def test_a_bug_in_the_hook_is_reported_with_its_file(tmp_path: Path) -> None:
    game = load(tmp_path, "def arrange(position, pieces, side): return pieces['z']")
    with pytest.raises(GameFileError, match="arrange: KeyError: 'z'"):
        game.arrange(game.initial(), {}, 0)
    game = load(tmp_path, "def arrange(position, pieces, side): return 'nothing'")
    with pytest.raises(PlyforgeError, match="'nothing' is not a position"):
        game.arrange(game.initial(), {}, 0)
