"""FEN: what is written is read back, as python-chess does, and mistakes are named."""

import contextlib
import random

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plyforge.games import chess as ours
from tests.games.chess.awkward import AWKWARD
from tests.games.chess.perft import PERFT, START

MISTAKES = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1": "needs 8 rows",
    "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "rank 7 .* has 7 squares",
    "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "rank 7 .* has 9 squares",
    "rnbqkbnr/pppp5ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "has 12 squares",
    "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "'x' in rank 7 is not a piece",
    "8/8/8/8/8/8/8/4K3 w - - 0 1": "Black has 0 kings",
    "4k3/8/8/8/8/8/8/3KK3 w - - 0 1": "White has 2 kings",
    "P3k3/8/8/8/8/8/8/4K3 w - - 0 1": "pawn cannot stand on rank 8",
    "4k3/8/8/8/8/8/8/p3K3 w - - 0 1": "pawn cannot stand on rank 1",
    "4k3/8/P7/8/8/8/PPPPPPPP/4K3 w - - 0 1": "White has 9 pawns",
    "4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - - 0 1": "more pieces than 0 promotions",
    "4k3/8/8/8/8/8/8/4K3 x - - 0 1": "'side to move' is 'x': must be w or b",
    "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1": "the other side's king is in check",
    "4k3/8/8/8/8/8/8/4K3 w X - 0 1": "'castling' is 'X'",
    "4k3/8/8/8/8/8/8/4K2R w KK - 0 1": "each once",
    "4k3/8/8/8/8/8/8/4K3 w K - 0 1": "K needs a king on e1 and a rook on h1",
    "4k2r/8/8/8/8/8/8/4K3 w q - 0 1": "q needs a king on e8 and a rook on a8",
    "4k3/8/8/8/8/8/8/4K3 w - e9 0 1": "'en passant' is 'e9': .* rank 6",
    "4k3/8/8/8/8/8/8/4K3 b - e6 0 1": "a square of rank 3",
    "4k3/8/8/8/8/8/8/4K3 w - e6 0 1": "no pawn can have just moved from e7 to e5",
    "4k3/4p3/8/4p3/8/8/8/4K3 w - e6 0 1": "no pawn can have just moved",
    "4k3/8/8/8/8/8/8/4K3 w - - -1 1": "'halfmove clock' is '-1'",
    "4k3/8/8/8/8/8/8/4K3 w - - x 1": "'halfmove clock' is 'x'",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1.5": "'move number' is '1.5'",
    "4k3/8/8/8/8/8/8/4K3 w": "4 to 6 fields, not 2",
    "": "4 to 6 fields, not 0",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x": "4 to 6 fields, not 7",
}


@pytest.mark.parametrize("fen", [fen for fen, _ in PERFT])
def test_a_fen_is_written_as_it_was_read(fen: str) -> None:
    assert ours.to_text(ours.from_text(fen)) == fen


@pytest.mark.parametrize("fen", AWKWARD.values(), ids=AWKWARD)
def test_a_fen_is_written_as_python_chess_writes_it(fen: str) -> None:
    assert ours.to_text(ours.from_text(fen)) == chess.Board(fen).fen()


@settings(max_examples=20, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_fens_of_random_games_are_read_back(seed: int) -> None:
    source = random.Random(seed)
    board = chess.Board()
    for _ in range(80):
        if board.is_game_over():
            break
        board.push(source.choice(list(board.legal_moves)))
        assert ours.to_text(ours.from_text(board.fen(en_passant="fen"))) == board.fen()


def test_the_start_position_reads_as_the_initial_one() -> None:
    assert ours.from_text(START) == ours.initial()


def test_clocks_may_be_left_out() -> None:
    assert ours.from_text(START.rsplit(" ", 2)[0]) == ours.initial()
    assert ours.from_text(START.rsplit(" ", 1)[0]) == ours.initial()


@pytest.mark.parametrize(("fen", "reason"), MISTAKES.items())
def test_a_wrong_fen_is_refused_with_the_reason(fen: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        ours.from_text(fen)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="rnbqkpRNBQKP12345678/ wb-KQkqe36", max_size=60))
def test_any_text_is_read_or_refused_with_a_value_error(text: str) -> None:
    with contextlib.suppress(ValueError):
        ours.from_text(text)


def test_pieces_and_board_agree_on_the_names_of_squares() -> None:
    position = ours.from_text("4k2r/8/8/8/8/8/8/R3K3 b - - 0 1")
    assert ours.pieces(position) == {"e8": "k", "h8": "r", "a1": "R", "e1": "K"}
    board = ours.geometry(position)
    assert len(board.cells) == 64
    assert board.cells["a8"] == (0, 0)
    assert "a1" in board.shaded
    assert "h1" not in board.shaded
