"""Names of openings: lines of moves that a game lists, recognised by position."""

from pathlib import Path

import chess
import pytest

import plyforge
from plyforge.core.errors import GameFileError
from plyforge.games.chess.openings import OPENINGS

NAMED = ("chess", "checkers")
RULES = """
from typing import NamedTuple
class Position(NamedTuple):
    heap: int
def initial(size: int = 9): return Position(size)
def moves(position):
    for take in (1, 2):
        if take <= position.heap: yield take
def play(position, move): return Position(position.heap - move)
"""


def name(game: str, moves: str) -> str | None:
    history = plyforge.load(game).history()
    for text in moves.split():
        history.play_text(text)
    return history.opening


@pytest.mark.parametrize("game", NAMED)
def test_all_lines_can_be_played_and_end_in_their_name(game: str) -> None:
    loaded = plyforge.load(game)
    assert loaded.openings.wrong == []
    for line, expected in loaded.rules.constant("OPENINGS").items():
        history = loaded.history()
        for text in line.split():
            history.play_text(text)
        assert history.opening == expected, line


def test_lines_of_chess_are_legal_for_another_program_and_end_in_different_positions() -> None:
    ends = {}
    for line, name in OPENINGS.items():
        board = chess.Board()
        for text in line.split():
            board.push_san(text)
        ends.setdefault(board.epd(), set()).add(name)
    assert all(len(names) == 1 for names in ends.values())


def test_other_moves_to_the_same_position_have_the_same_name() -> None:
    assert name("chess", "d4 e6 e4 d5 Nc3 Bb4") == "French Defence, Winawer Variation"
    assert name("checkers", "9-14 23-19 11-15 22-17 5-9") == "Fife"


def test_the_last_name_stays_when_the_list_ends() -> None:
    assert name("chess", "e4 c5 a3 a6 h3 h6") == "Sicilian Defence"
    assert name("chess", "") is None
    assert name("tictactoe", "b2 a1") is None


def test_a_game_lists_its_openings(tmp_path: Path) -> None:
    file = tmp_path / "heap.py"
    file.write_text(RULES + "OPENINGS = {'1 1': 'Shy', '2 2 2': 'Greedy'}")
    assert name(str(file), "2") == "Shy"  # seven are left, as after two single ones
    assert name(str(file), "2 2 1 1") == "Greedy"
    assert name(f"{file}:5", "1 1") == "Shy"
    assert plyforge.load(f"{file}:5").openings.wrong[0][0] == "2 2 2"


@pytest.mark.parametrize("openings", ["['1']", "{'1': 2}", "{1: 'x'}", "{'': 'x'}"])
def test_a_wrong_list_is_refused(tmp_path: Path, openings: str) -> None:
    file = tmp_path / "heap.py"
    file.write_text(f"{RULES}OPENINGS = {openings}")
    with pytest.raises(GameFileError, match=r"OPENINGS .* a dict of names by lines of moves"):
        plyforge.load(file)
