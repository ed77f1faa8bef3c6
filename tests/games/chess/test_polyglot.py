"""Polyglot books: keys, moves and files, compared with python-chess."""

import struct
from pathlib import Path

import chess
import chess.polyglot
import pytest

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.engine.book import OpeningBook, open_book
from plyforge.engine.book.export import book_entries
from plyforge.engine.book.games import add_games
from plyforge.games.chess.polyglot import polyglot_key, read_book, write_book
from plyforge.records.record import GameRecord

GAME = plyforge.load("chess", "python")
CASTLING = "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R"
PROMOTION = "8/P6k/8/8/8/8/p6K/1N6 w - - 0 1"


def test_keys_are_those_of_python_chess_in_random_games() -> None:
    for seed in range(12):
        stream, history, board = Stream(seed), GAME.history(), chess.Board()
        for _ in range(60):
            moves = history.legal_moves()
            if not moves:
                break
            move = stream.choice(moves)
            board.push_uci(GAME.move_text(history.position, move))
            history.play(move)
            # Polyglot counts captures en passant by pinned pawns, too.
            if board.ep_square is None or board.has_legal_en_passant():
                assert polyglot_key(history.position) == chess.polyglot.zobrist_hash(board)


@pytest.mark.parametrize("fen", [f"{CASTLING} w KQkq - 0 1", f"{CASTLING} b KQkq - 0 1", PROMOTION])
def test_all_moves_of_a_written_book_are_read_by_python_chess(fen: str, tmp_path: Path) -> None:
    position = GAME.parse(fen)
    weights = [(move, n + 1) for n, move in enumerate(GAME.legal_moves(position))]
    path = tmp_path / "all.bin"
    path.write_bytes(write_book([(position, weights)]))
    board = chess.Board(fen)
    with chess.polyglot.open_reader(path) as reader:
        theirs = {entry.move.uci(): entry.weight for entry in reader.find_all(board)}
    assert theirs == {GAME.move_text(position, move): weight for move, weight in weights}
    assert sorted(read_book(path.read_bytes())(position)) == sorted(weights)


def test_a_book_from_games_is_exported(tmp_path: Path) -> None:
    book = OpeningBook.open(GAME, tmp_path / "c.book", writing=True)
    games = [("e2e4 e7e5 g1f3", "1-0"), ("e2e4 c7c5", "1/2-1/2"), ("d2d4 d7d5", "0-1")]
    add_games(book, [GameRecord(tuple(text.split()), result) for text, result in games], 10)
    path = tmp_path / "c.bin"
    path.write_bytes(write_book(book_entries(book)))
    book.close()
    with chess.polyglot.open_reader(path) as reader:
        assert [entry.move.uci() for entry in reader.find_all(chess.Board())] == ["e2e4"]
    polyglot = open_book(GAME, path)
    (move,) = polyglot.moves(GAME.history())
    assert GAME.move_text(GAME.initial(), move.move) == "e2e4"
    assert move.score is None


def test_damaged_files_are_refused_by_name(tmp_path: Path) -> None:
    path = tmp_path / "bad.bin"
    path.write_bytes(b"123")
    with pytest.raises(PlyforgeError, match=r"bad\.bin: 3 bytes are no Polyglot book"):
        open_book(GAME, path)
    path.write_bytes(struct.pack(">QHHI", 9, 1, 1, 0) + struct.pack(">QHHI", 3, 1, 1, 0))
    with pytest.raises(PlyforgeError, match="not sorted by key"):
        open_book(GAME, path)
    path.write_bytes(struct.pack(">QHHI", polyglot_key(GAME.initial()), 1, 1, 0))
    with pytest.raises(PlyforgeError, match=r"bad\.bin: entry 0 has an illegal move \(1\)"):
        open_book(GAME, path).moves(GAME.history())
