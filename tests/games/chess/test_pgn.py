"""PGN: our games are read by python-chess, its games by us, and mistakes name line and move."""

import io
import random

import chess
import chess.pgn
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge import PlyforgeError
from plyforge.rules import GameRecord
from tests.games.chess.perft import KIWIPETE, START

ours = plyforge.load("chess")
BUSY = r"""% an escaped line, 1. h4
[Event "The \"Immortal\" \\ game"]
[Site "London"]
[Result "1-0"]

{before the first move} 1. e4 $1 e5 2.f4!? exf4 ; the rest of the line 3. h4
3. Bc4 (3. Nf3 g5 (3... d5 {a ) in a comment} 4. exd5) 4. h4) 3... Qh4+
{two
lines} 4.Kf1 b5?! 5.Bxb5 Nf6 1-0

[Event "second"]

1. d4 d5 1/2-1/2
1. c4 *
[Event "unfinished"]
[Result "0-1"]

1. f3 e5
"""
MISTAKES = {
    "1. e4 e5\n2. Ke3 *": r"game 1, line 2, move 3, 'Ke3': no such move 'Ke3'",
    "1. e4 e4 *": r"game 1, line 1, move 2, 'e4': no such move 'e4'",
    "*\n1. d4 *\n1. d4\nd5 2. d5 *": r"game 3, line 4, move 3, 'd5': no such move",
    "1. e4 {never closed\n": "line 1: this comment is never closed",
    "1. e4 (1. d4\n\n*": "line 1: this variation is never closed",
    "1. e4\n) *": "line 2: '\\)' closes no variation",
    '[Event "x]\n1. e4 *': "line 1: a tag must have the form",
    '[Event "x"]\n[FEN "8/8 w - -"]\n': "game 1, line 2, start position '8/8 w - -': FEN field",
    "1. e4 & *": "line 1: unexpected '&'",
    "1. Nd2 *": "line 1, move 1, 'Nd2': no such move 'Nd2'",
    "1. f3 e5 2. g4 Qh4#\n3. a3 *": "line 2, move 5, 'a3': the game is over",
    "1. f3 e5 2. g4 Qh4#\n1-0": "line 2, the result 1-0 .* is wrong: .* to move, has a loss",
    '[Result "1-0"]\n1. f3 e5\n0-1': "line 3: the game ends with 0-1 after move 2, but its tag",
    '[Result "won"]\n1. f3 e5\n*': "line 1: unknown result 'won'",
    "PK\x03\x04\0\0": "the file is binary",
}


def random_board(seed: int, start: str, plies: int) -> chess.Board:
    source = random.Random(seed)
    board = chess.Board(start)
    while not board.is_game_over() and len(board.move_stack) < plies:
        board.push(source.choice(list(board.legal_moves)))
    return board


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), start=st.sampled_from([START, KIWIPETE]))
def test_python_chess_reads_what_we_write(seed: int, start: str) -> None:
    board = random_board(seed, start, 60)
    texts = tuple(move.uci() for move in board.move_stack)
    record = GameRecord(texts, "1/2-1/2", None if start == START else start, {"White": "Anna B."})
    written = ours.write_game(record)
    assert all(len(line) < 80 for line in written.splitlines())
    game = chess.pgn.read_game(io.StringIO(written))
    assert game is not None
    assert not game.errors
    assert game.headers["White"] == "Anna B."
    assert game.headers["Result"] == "1/2-1/2"
    assert tuple(move.uci() for move in game.mainline_moves()) == texts
    assert game.end().board().fen() == board.fen()


@settings(max_examples=10, deadline=None)
@given(seed=st.integers(0, 2**32), start=st.sampled_from([START, KIWIPETE]))
def test_we_read_what_python_chess_writes(seed: int, start: str) -> None:
    board = random_board(seed, start, 60)
    game = chess.pgn.Game.from_board(board)
    game.headers["Black"] = "Anna B."
    for count, node in enumerate(game.mainline()):
        if count % 7 == 3:
            node.comment = f"comment {count}"
            node.nags.add(2)
            node.parent.add_variation(next(iter(node.parent.board().legal_moves)))
    (record,) = ours.read_games(str(game) + "\n")
    assert record.moves == tuple(move.uci() for move in board.move_stack)
    assert record.start == (None if start == START else start)
    assert record.tags["Black"] == "Anna B."
    expected = {n + 1: f"comment {n}" for n in range(len(record.moves)) if n % 7 == 3}
    assert record.comments == expected


def test_tags_comments_glyphs_variations_and_several_games_are_read() -> None:
    first, second, third, fourth = ours.read_games(BUSY)
    assert first.tags == {"Event": 'The "Immortal" \\ game', "Site": "London"}
    assert first.result == "1-0"
    assert " ".join(first.moves) == "e2e4 e7e5 f2f4 e5f4 f1c4 d8h4 e1f1 b7b5 c4b5 g8f6"
    assert first.comments == {
        0: "before the first move",
        4: "the rest of the line 3. h4",
        6: "two lines",
    }
    assert first.marks == {1: "!", 3: "!?", 8: "?!"}
    assert (second.moves, second.result) == (("d2d4", "d7d5"), "1/2-1/2")
    assert (third.moves, third.result, third.tags) == (("c2c4",), "*", {})
    assert (fourth.moves, fourth.result) == (("f2f3", "e7e5"), "0-1")


def test_a_game_read_is_written_as_it_was() -> None:
    record = ours.read_games(BUSY)[0]
    again = ours.read_games(ours.write_game(record))
    assert len(again) == 1
    assert again[0].moves == record.moves
    assert again[0].tags["Event"] == record.tags["Event"]
    assert again[0].comments == record.comments
    assert again == [record]


def test_a_game_may_continue_after_a_draw_that_nobody_claimed() -> None:
    shuffle = "Nf3 Nf6 Ng1 Ng8 " * 3
    (record,) = ours.read_games(f"{shuffle} e4 e5 1-0")
    assert len(record.moves) == 14
    assert record.result == "1-0"
    assert ours.read_games(f"{shuffle} 0-1")[0].result == "0-1"


def test_the_seven_tags_come_first_and_the_others_in_alphabetical_order() -> None:
    record = GameRecord((), "*", KIWIPETE, {"Zone": "z", "Annotator": "a", "Round": "3"})
    names = [line[1:].split()[0] for line in ours.write_game(record).splitlines() if "[" in line]
    assert " ".join(names) == ("Event Site Date Round White Black Result Annotator FEN SetUp Zone")


def test_black_s_move_is_numbered_after_a_comment_and_at_the_start() -> None:
    record = GameRecord(("e2e4", "e7e5"), comments={1: "why not"})
    assert "1. e4 {why not} 1... e5 *" in ours.write_game(record)
    after = ours.text(ours.play(ours.initial(), ours.parse_move(ours.initial(), "e4")))
    assert "\n1... e5 2. Nf3 *" in ours.write_game(GameRecord(("e5", "Nf3"), start=after))


def test_long_comments_are_wrapped_and_braces_in_them_replaced() -> None:
    record = GameRecord(("e2e4",), comments={1: "word " * 60 + "}"})
    written = ours.write_game(record)
    assert all(len(line) < 80 for line in written.splitlines())
    assert ours.read_games(written)[0].comments[1] == "word " * 60 + ")"


def test_a_text_without_games_has_none() -> None:
    assert ours.read_games("") == []
    assert ours.read_games("\ufeff\n% nothing\n") == []


def test_an_illegal_move_in_a_record_is_named() -> None:
    with pytest.raises(PlyforgeError, match="move 2 of the record: no such move 'e2e4'"):
        ours.write_game(GameRecord(("e2e4", "e2e4")))


@pytest.mark.parametrize(("text", "reason"), MISTAKES.items())
def test_a_malformed_text_is_refused_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(PlyforgeError, match=reason):
        ours.read_games(text)
