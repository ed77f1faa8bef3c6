"""Positions from pieces: what each game makes of them, and the reasons it gives against them."""

from collections.abc import Mapping

import pytest

import plyforge
from plyforge.core.errors import PositionError

KINGS = {"e1": "K", "e8": "k"}

MADE = {
    "bare kings": ("chess", KINGS, 1, "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
    "castling": (
        "chess",
        {**KINGS, "a1": "R", "h1": "R", "h8": "r", "a8": "q"},
        0,
        "q3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",
    ),
    "no en passant": (
        "chess",
        {**KINGS, "e4": "P", "d4": "p"},
        1,
        "4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1",
    ),
    "kings of draughts": ("checkers", {"1": "B", "22": "w", "5": "b"}, 1, "W:W22:BK1,5"),
    "nothing to give away": ("giveaway", {"1": "B"}, 1, "W:W:BK1"),
    "small Othello": ("othello:4", {"a1": "X", "d4": "O"}, 1, "X--------------O O"),
    "winner takes": ("othello:4,empties", {"a1": "X"}, 0, "X--------------- X empties"),
    "connect four": ("connect4:4x4", {"1.1": "X"}, 1, "..../..../..../X... O"),
    "swap to come": ("hex:3,swap", {"b2": "R"}, 1, ".../.R./... B swap"),
    "no swap later": ("hex:3,swap", {"b2": "R", "a1": "B"}, 0, "B../.R./... R"),
    "no swap agreed": ("hex:3", {"b2": "R"}, 1, ".../.R./... B"),
    "Andantino": ("andantino:5", {"j10": "B", "i9": "W"}, 1, "B/j10/i9/5"),
    "seeds": ("kalah:3,2", {"a1": 5, "b3": 3, "A": 4}, 1, "0,0,3/0 5,0,0/4 N"),
    "tic-tac-toe": ("tictactoe", {"a1": "X"}, 1, ".../.../X.. O"),
}


@pytest.mark.parametrize("case", MADE)
def test_pieces_make_a_position(case: str) -> None:
    name, pieces, side, text = MADE[case]
    game = plyforge.load(name)
    assert game.text(game.arrange(game.initial(), pieces, side)) == text


REFUSED: dict[str, tuple[str, Mapping[str, object], int, str]] = {
    "no kings": ("chess", {"e4": "Q"}, 0, "White has 0 kings instead of 1"),
    "a king to be taken": ("chess", {**KINGS, "e5": "Q"}, 0, "the other side's king is in check"),
    "a pawn at the end": ("chess", {**KINGS, "a8": "P"}, 0, "a pawn cannot stand on rank 8"),
    "an uncrowned man": ("checkers", {"30": "b"}, 0, "it would be a king"),
    "thirteen men": ("checkers", {str(n): "w" for n in range(10, 23)}, 0, "at most 12"),
    "a hanging stone": ("connect4", {"1.2": "X"}, 1, "hangs in the air"),
    "the wrong side": ("tictactoe", {"a1": "X"}, 0, "it is O's turn"),
    "too many stones": ("hex:3", {"a1": "R", "a2": "R"}, 1, "Blue cannot be to move"),
    "no stone to begin with": ("andantino:5", {}, 1, "on j10, is missing"),
    "a number of seeds": ("kalah:3,2", {"a1": 5}, 0, "multiple of 6"),
    "half a seed": ("kalah:3,2", {"a1": 1.5}, 0, "a1: 1.5 is not a number of seeds"),
    "seeds below nothing": ("kalah:3,2", {"a1": -1}, 0, "a1: -1 is not a number of seeds"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_impossible_positions_are_refused_with_the_games_reason(case: str) -> None:
    name, pieces, side, reason = REFUSED[case]
    game = plyforge.load(name)
    with pytest.raises(PositionError, match="there is no such position") as refusal:
        game.arrange(game.initial(), pieces, side)
    assert reason in str(refusal.value)


def test_only_artificial_trees_and_games_of_chance_cannot_be_arranged() -> None:
    lacking = [n for n in plyforge.names() if "arrange" not in plyforge.load(n).rules.hooks]
    assert lacking == ["backgammon", "pig", "tree"]
