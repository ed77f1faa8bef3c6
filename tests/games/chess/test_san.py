"""Move notation: written as python-chess writes it, read in all its forms, mistakes named."""

import random

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyforge.games import chess as ours
from plyforge.games.chess.san import legal_moves
from tests.games.chess.awkward import AWKWARD
from tests.games.chess.perft import KIWIPETE, PERFT, START

ROOKS = "4k3/8/8/8/R6R/8/8/R3K3 w - - 0 1"
QUEENS = "6k1/8/8/8/Q2Q4/8/8/Q3K3 w - - 0 1"
PROMOTION = "3r3k/4P3/8/8/8/8/8/4K3 w - - 0 1"
CASTLING = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
PASSING = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"

SPELLINGS = [
    (START, "Nf3", "g1f3"),
    (START, "g1f3", "g1f3"),
    (START, "g1-f3", "g1f3"),
    (START, "Ng1f3", "g1f3"),
    (START, "Ng1-f3", "g1f3"),
    (START, " e4 ", "e2e4"),
    (START, "e4!?", "e2e4"),
    (START, "e2e4+", "e2e4"),
    (CASTLING, "O-O", "e1g1"),
    (CASTLING, "0-0", "e1g1"),
    (CASTLING, "O-O-O", "e1c1"),
    (CASTLING, "0-0-0!", "e1c1"),
    (CASTLING, "e1g1", "e1g1"),
    (CASTLING, "Kg1", "e1g1"),
    (PROMOTION, "e8=Q", "e7e8q"),
    (PROMOTION, "e8Q", "e7e8q"),
    (PROMOTION, "e8(N)", "e7e8n"),
    (PROMOTION, "exd8=R+", "e7d8r"),
    (PROMOTION, "e7e8Q", "e7e8q"),
    (PASSING, "exd6", "e5d6"),
    (PASSING, "exd6 e.p.", "e5d6"),
    (PASSING, "ed6", "e5d6"),
    (PASSING, "e5:d6", "e5d6"),
    (ROOKS, "R1a3", "a1a3"),
    (ROOKS, "Rhd4", "h4d4"),
    (QUEENS, "Qa4b4", "a4b4"),
]
MISTAKES = [
    (START, "", "is not a move in algebraic notation"),
    (START, "hello", "is not a move in algebraic notation"),
    (START, "e9", "is not a move in algebraic notation"),
    (START, "e5", "no pawn on e can legally go to e5"),
    (START, "Nd4", "no knight can legally go to d4"),
    (START, "Ngd2", "no knight on g can legally go to d2"),
    (START, "e2e5", "no legal move goes from e2 to e5"),
    (START, "0000", "is not a move"),
    (START, "O-O", "castling is not possible"),
    (START, "e4=Q", "a pawn that reaches the last rank, and no other"),
    (PROMOTION, "e8", "becomes Q, R, B or N"),
    (PROMOTION, "e7e8", "becomes Q, R, B or N"),
    (PASSING, "d6", "no pawn on d"),
    (ROOKS, "Rd4", "ambiguous: Rad4 or Rhd4"),
    (QUEENS, "Qb4", "ambiguous: Qab4 or Qdb4"),
]


@pytest.mark.parametrize(("fen", "text", "expected"), SPELLINGS)
def test_every_usual_spelling_is_understood(fen: str, text: str, expected: str) -> None:
    position = ours.from_text(fen)
    assert ours.move_text(position, ours.parse_move(position, text)) == expected


@pytest.mark.parametrize(("fen", "text", "reason"), MISTAKES)
def test_a_wrong_move_is_refused_with_the_reason(fen: str, text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        ours.parse_move(ours.from_text(fen), text)


@pytest.mark.parametrize("fen", [*AWKWARD.values(), *(fen for fen, _ in PERFT), ROOKS, QUEENS])
def test_san_is_python_chess_s_and_reads_back(fen: str) -> None:
    assert_same_notation(ours.from_text(fen), chess.Board(fen))


def assert_same_notation(position: ours.Position, board: chess.Board) -> None:
    for move in legal_moves(position)[:80]:
        uci = ours.move_text(position, move)
        san = ours.san(position, move)
        assert san == board.san(chess.Move.from_uci(uci))
        assert ours.parse_move(position, san) == move
        assert ours.parse_move(position, uci) == move


@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_san_of_random_games_is_python_chess_s(seed: int) -> None:
    source = random.Random(seed)
    board = chess.Board(KIWIPETE)
    position = ours.from_text(KIWIPETE)
    for _ in range(30):
        if board.is_game_over():
            break
        move = source.choice(list(board.legal_moves))
        ours_move = ours.parse_move(position, board.san(move))
        assert ours.san(position, ours_move) == board.san(move)
        assert ours.parse_move(position, move.uci()) == ours_move
        with np.errstate(over="ignore"):
            position = ours.play(position, ours_move)
        board.push(move)


@settings(max_examples=300, deadline=None)
@given(st.text(alphabet="KQRBNabcdefgh12345678xO0-=+#!? ", max_size=8))
def test_any_text_is_a_legal_move_or_a_value_error(text: str) -> None:
    position = ours.from_text(KIWIPETE)
    try:
        move = ours.parse_move(position, text)
    except ValueError:
        return
    assert move in legal_moves(position)


def test_move_cells_are_named_for_both_sides() -> None:
    position = ours.initial()
    assert ours.move_cells(position, ours.parse_move(position, "e2e4")) == ["e2", "e4"]
    position = ours.play(position, ours.parse_move(position, "e2e4"))
    assert ours.move_cells(position, ours.parse_move(position, "e7e5")) == ["e7", "e5"]
