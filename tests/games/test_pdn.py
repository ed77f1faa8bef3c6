"""PDN: pydraughts reads what we write, we read what it writes; mistakes name line and move."""

import random
from itertools import pairwise
from pathlib import Path

import draughts
import pytest
from draughts.PDN import PDNReader, PDNWriter

import plyforge
from plyforge import PlyforgeError
from plyforge.game.replay import record_of
from plyforge.rules import GameRecord

CHECKERS = plyforge.load("checkers")
GIVEAWAY = plyforge.load("giveaway")
BUSY = """[Event "Summer \\"cup\\""]
[Black "Anna"]
[White "Ben"]
[Result "1-0"]
[GameType "21,B,8,8,N1,0"]

{before} 1. 11-15 $1 23-19? ; a remark
2. 8-11 (2. 9-14 22-17 (2... 27-23)) 22-17 {two
lines} 3. 9-13 17-14 4. 10x17 21x14 1-0

[Event "second"]
1. 9-14 22-18 *
[FEN "W:W6,14:BK1"]
[SetUp "1"]
1... 6-2 1/2-1/2
"""
MISTAKES = {
    "1. 11-15 23-19\n2. 15-11 *": "game 1, line 2, move 3, '15-11': '15-11' is not a legal move",
    "*\n*\n1. 11-15\n22-18 2. 9-13 *": r"game 3, line 4, move 3, '9-13': .*a capture must be made",
    "1. 11-15 {never closed\n*": "line 1: this comment is never closed",
    "1. 11-15 (1. 9-13\n*": "line 1: this variation is never closed",
    '[Event "x"]\n[FEN "B:W40:B1"]\n*': "game 1, line 2, start position 'B:W40:B1'",
    '[Event "x"]\n[Black x]\n*': "line 2: a tag must have the form",
    '[GameType "20"]\n*': "line 1: GameType 20 is another kind of draughts",
    '[Variant "Give-away"]\n*': "line 1: a game of give-away checkers; read it as 'giveaway'",
    "1. 11-15 hello *": "line 1, move 2, 'hello': 'hello' is not a move",
    '[FEN "B:W6:B1"]\n1. 1x10 1-0': "line 2, the result 0-1 .* is wrong",
    '[FEN "W:WK3:B7,8,15,16,23,24"]\n\n1... 3x26 *': "line 3, move 1, '3x26': .* is ambiguous: it",
    '[FEN "B:W6,14:B1"]\n1. 1x10\n10x18 *': "line 2, move 1, '1x10x18': .* is not a legal move",
    '[FEN "B:W6,14,30:B1"]\n1. 1x10 30-26 *': r"line 2, move 1, '1x10': .*completed: 1x10x17\)",
}


def random_board(seed: int, plies: int) -> draughts.Board:
    source, board = random.Random(seed), draughts.Board("english")
    while len(board.move_stack) < plies and not board.is_over():
        board.push(source.choice(board.legal_moves()))
    return board


@pytest.mark.parametrize("seed", range(4))
def test_we_read_what_pydraughts_writes(seed: int, tmp_path: Path) -> None:
    board = random_board(seed, 50)
    file = tmp_path / "game.pdn"
    PDNWriter(str(file), board, tags={"Black": "Anna"})
    (record,) = CHECKERS.read_games(file.read_text(encoding="utf-8"))
    assert record.tags == {"Black": "Anna"}
    assert len(record.moves) == len(board.move_stack)
    theirs = CHECKERS.parse(board.fen)
    assert CHECKERS.text(CHECKERS.replay(record).position) == CHECKERS.text(theirs)


@pytest.mark.parametrize("seed", range(4))
def test_pydraughts_reads_what_we_write(seed: int) -> None:
    source, history = random.Random(seed), CHECKERS.history()
    while len(history.moves) < 50 and (legal := history.legal_moves()):
        history.play(source.choice(legal))
    record = record_of(history, {"White": "Ben"})
    (game,) = PDNReader(CHECKERS.write_game(record)).games
    assert game.tags["White"] == "Ben"
    assert game.variant == "english"
    assert tuple(game.moves) == record.moves


def test_tags_comments_glyphs_variations_and_several_games_are_read() -> None:
    first, second, third = CHECKERS.read_games(BUSY)
    assert first.tags == {"Event": 'Summer "cup"', "Black": "Anna", "White": "Ben"}
    assert " ".join(first.moves) == "11-15 23-19 8-11 22-17 9-13 17-14 10x17 21x14"
    assert first.comments == {0: "before", 2: "a remark", 4: "two lines"}
    assert first.marks == {1: "!", 2: "?"}
    assert (second.moves, second.result) == (("9-14", "22-18"), "*")
    assert (third.start, third.moves) == ("W:W6,14:BK1", ("6-2",))
    assert CHECKERS.read_games(CHECKERS.write_games([first, second, third])) == [
        first,
        second,
        third,
    ]


def test_one_nil_is_a_win_for_white_and_so_a_loss_for_the_first_player() -> None:
    assert CHECKERS.read_games("1. 11-15 1-0")[0].result == "0-1"
    assert CHECKERS.read_games('[Result "1-0"] 1. 11-15 *')[0].result == "0-1"
    assert CHECKERS.write_game(GameRecord(("11-15",), "0-1")).endswith("1. 11-15 1-0\n")


@pytest.mark.parametrize("game", [CHECKERS, GIVEAWAY], ids=["checkers", "giveaway"])
@pytest.mark.parametrize(
    "capture",
    ["1x10x17", "1x17", "1:10:17", "1 x 10 x 17", "1x10 10x17", "1X10\n10X17", "1 x 10 10 x 17"],
)
def test_a_capture_may_be_written_in_full_in_short_or_jump_by_jump(
    game: plyforge.Game, capture: str
) -> None:
    (record,) = game.read_games(f'[FEN "B:W6,14,30:B1"]\n1. {capture} 30-26 *')
    assert record.moves == ("1x10x17", "30-26")


AMBIGUOUS = '[FEN "W:WK3:B7,8,15,16,23,24"]\n1... '
"""The king takes three pieces on either side on its way from 3 to 26."""


def test_one_square_between_its_ends_may_identify_a_capture() -> None:
    texts = (f"{AMBIGUOUS}3x{between}x26 *" for between in (10, 12))
    ways = {CHECKERS.read_games(text)[0].moves for text in texts}
    assert len(ways) == 2


def test_comments_and_marks_between_jumps_belong_to_the_capture() -> None:
    text = '[FEN "B:W6,14,30:B1"]\n1. 1x10 {first}\n10x17! {second} 30-26? {third} *'
    (record,) = CHECKERS.read_games(text)
    assert record.comments == {1: "first second", 2: "third"}
    assert record.marks == {1: "!", 2: "?"}


def test_every_capture_of_random_games_is_read_jump_by_jump() -> None:
    source = random.Random(5)
    for _ in range(5):
        history = CHECKERS.history()
        while legal := history.legal_moves():
            history.play(source.choice(legal))
        record = record_of(history)
        jumps = " ".join(map(_jump_by_jump, record.moves))
        assert CHECKERS.read_games(f"{jumps} *")[0].moves == record.moves


def _jump_by_jump(move: str) -> str:
    squares = move.split("x")
    if len(squares) == 1:
        return move
    return " ".join(f"{a}x{b}" for a, b in pairwise(squares))


def test_white_s_first_move_is_numbered_with_dots() -> None:
    record = GameRecord(("6-2", "1-5"), start="W:W6,14:BK1")
    assert "\n1... 6-2 2. 1-5 *" in CHECKERS.write_game(record)


def test_the_tag_variant_marks_give_away() -> None:
    text = GIVEAWAY.write_game(GameRecord(("11-15",), tags={"White": "Ben"}))
    assert '[GameType "21"]\n[Variant "Give-away"]' in text
    assert GIVEAWAY.read_games(text) == [GameRecord(("11-15",), tags={"White": "Ben"})]
    assert len(GIVEAWAY.read_games(BUSY)) == 3


@pytest.mark.parametrize(("text", "reason"), MISTAKES.items())
def test_a_malformed_text_is_refused_with_its_line(text: str, reason: str) -> None:
    with pytest.raises(PlyforgeError, match=reason):
        CHECKERS.read_games(text)
