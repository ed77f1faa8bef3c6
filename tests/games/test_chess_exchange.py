"""Exchange evaluation, against a slow search of captures on one square with python-chess."""

import chess
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge.games.chess import exchange as rule

WORTH = {
    chess.PAWN: 1,
    chess.KNIGHT: 3,
    chess.BISHOP: 3,
    chess.ROOK: 5,
    chess.QUEEN: 10,
    chess.KING: 0,
}
game = plyforge.load("chess", "python")


def exchange(position, move):
    with np.errstate(over="ignore"):  # words wrap around, as in compiled code
        return rule(position, move)


def slow_gain(board: chess.Board, square: int, standing: int, side: bool) -> int:
    """What `side` wins by capturing on a square where a piece worth `standing` is."""
    order = sorted(board.attackers(side, square), key=lambda s: _rank(board.piece_type_at(s)))
    if not order:
        return 0
    kind = board.piece_type_at(order[0])
    after = board.copy(stack=False)
    piece = after.remove_piece_at(order[0])
    if kind == chess.KING and after.attackers(not side, square):
        return 0
    after.set_piece_at(square, piece)
    return max(0, standing - slow_gain(after, square, WORTH[kind], not side))


def _rank(kind: int) -> int:
    order = (chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN, chess.KING)
    return order.index(kind)


def slow_exchange(board: chess.Board, move: chess.Move) -> int:
    gain = 0
    if board.is_en_passant(move):
        gain = 1
    elif board.is_capture(move):
        gain = WORTH[board.piece_type_at(move.to_square)]
    kind = move.promotion or board.piece_type_at(move.from_square)
    gain += WORTH[kind] - 1 if move.promotion else 0
    after = board.copy(stack=False)
    side = board.piece_at(move.from_square).color
    after.remove_piece_at(move.from_square)
    after.set_piece_at(move.to_square, chess.Piece(kind, side))
    return gain - slow_gain(after, move.to_square, WORTH[kind], not side)


def compare(fen: str) -> None:
    board, position = chess.Board(fen), game.parse(fen)
    for move in game.moves(position):
        text = game.move_text(position, move)
        theirs = chess.Move.from_uci(text)
        if board.is_castling(theirs):
            continue
        found = exchange(position, move)
        assert found == 100 * slow_exchange(board, theirs), (fen, text)


@pytest.mark.parametrize(
    ("fen", "move", "pawns"),
    [
        ("4k3/8/3p4/4p3/8/5N2/8/4K3 w - - 0 1", "f3e5", -2),  # a knight for a pawn
        ("4k3/8/8/4p3/8/5N2/8/4K3 w - - 0 1", "f3e5", 1),
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 1),  # the second rook stands behind
        ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -4),
        ("8/P3k3/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", 9),
        ("1r2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7b8q", 14),
    ],
)
def test_known_exchanges(fen: str, move: str, pawns: int) -> None:
    position = game.parse(fen)
    assert exchange(position, game.parse_move(position, move)) == 100 * pawns


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6), st.integers(10, 60))
def test_positions_of_random_games(seed: int, plies: int) -> None:
    board, number = chess.Board(), seed
    for _ in range(plies):
        moves = list(board.legal_moves)
        if not moves:
            break
        number = (number * 1103515245 + 12345) % 2**31
        board.push(moves[number // 7 % len(moves)])
    if board.legal_moves:
        compare(board.fen(en_passant="legal"))
