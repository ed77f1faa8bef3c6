"""Records of every game: writing, reading and replaying them, and errors in them."""

from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import plyforge
from plyforge import Game, History, PlyforgeError
from plyforge.core.randomness import Stream
from plyforge.game.replay import record_of, result_of
from plyforge.records import plain
from plyforge.records.record import MARKS, RESULTS
from plyforge.rules import GameRecord

EXAMPLES = Path(__file__).parents[2] / "examples"
NAMES = [
    "andantino", "checkers", "chess", "connect4", "connect4:5x4", "giveaway", "hex:4", "hex:5,swap",
    "kalah", "othello", "othello:4", "othello:6", "othello:8,empties", "tictactoe", "tree",
    *map(str, sorted(EXAMPLES.glob("*.py"))),
]  # fmt: skip
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
WORDS = st.lists(st.text("abcdef,.-'", min_size=1, max_size=6), min_size=1, max_size=4).map(
    " ".join
)
HEAD = "Plyforge record 1: tictactoe\n"
MISTAKES = {
    "": None,
    "\n# nothing\n": None,
    "hello": "line 1: a record must begin with 'Plyforge record 1: GAME', not 'hello'",
    "Plyforge record 2: tictactoe\nresult: *": "line 1: unknown version 2 of this format",
    "Plyforge record 1: othello\nresult: *": "line 1, this is a record of 'othello', not of",
    HEAD + "1. a1": "line 2: the file ends after move 1 without a result",
    HEAD: "line 1: the file ends after move 0 without a result",
    HEAD + "1. a1\n3. b1\nresult: *": "line 3: move 3 is out of order",
    HEAD + "1. a1\n2. a1\nresult: *": "game 1, line 3, move 2, 'a1': 'a1' is not a legal move",
    HEAD + "1.% a1\nresult: *": "line 2: move 1: unknown mark '%'; use !",
    HEAD + "1. a1\nwhat: now\nresult: *": "line 3: after move 1: 'what: now' is not one of",
    HEAD + "tag Event\nresult: *": "line 2: a tag must have the form",
    HEAD + "tag A: 1\ntag A: 2\nresult: *": "line 3: the tag 'A' is given twice",
    HEAD + "1. a1\nstart: X\nresult: *": "line 3: the start is given twice or too late",
    HEAD + "start: X\nresult: *": "game 1, line 2, start position 'X'",
    HEAD + 'note: "cut\nresult: *': "line 2: '\"cut' begins with a quotation mark",
    HEAD + "note: a\nnote: b\nresult: *": "line 3: the note of this move is given twice",
    HEAD + "result: 2-0": "line 2: unknown result '2-0'; use 1-0",
    HEAD + "1. a1\n" + HEAD: "line 3: a record begins before the previous one has a 'result",
    (HEAD + "result: *\n") * 2 + HEAD + "1. b2\n2. z9\nresult: *": "game 3, line 7, move 2, 'z9'",
    HEAD + "1. a1\n2. a2\n3. b1\n4. b2\n5. c1\nresult: 0-1": "line 7, the result 0-1 .* is wrong",
    HEAD + "1. a1\n2. a2\n3. b1\n4. b2\n5. c1\n6. c2\nresult: *": "line 7, move 6, 'c2': the game",
    "\0\1\2": "the file is binary",
}


@cache
def load(name: str) -> Game:
    return plyforge.load(name)


def file_name(name: str) -> str:
    return Path(name).name


def random_game(game: Game, seed: int, max_plies: int) -> History:
    source, history = Stream(seed), game.history()
    while len(history.moves) < max_plies and (legal := history.legal_moves()):
        history.play(legal[source.below(len(legal))])
    return history


@pytest.mark.parametrize("name", NAMES, ids=file_name)
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32), max_plies=st.integers(0, 40), later=st.integers(0, 6))
def test_a_written_game_is_read_back_unchanged(
    name: str, seed: int, max_plies: int, later: int
) -> None:
    game = load(name)
    played = random_game(game, seed, max_plies)
    records = [record_of(played, {"Event": "a cup"}), record_of(played)]
    if game.position_type.compilable:
        half = game.history(played.positions[min(later, len(played.moves))])
        records.append(record_of(half))
    text = game.write_games(records)
    assert game.read_games(text) == records
    for record in records:
        assert game.read_games(game.write_game(record)) == [record]
    again = game.replay(records[0])
    assert game.position_type.equal(again.position, played.position)
    assert again.moves == played.moves


@given(
    moves=st.lists(TEXTS, max_size=5),
    result=st.sampled_from(RESULTS),
    start=st.none() | TEXTS,
    tags=st.dictionaries(TEXTS, TEXTS, max_size=3),
    notes=st.dictionaries(st.integers(0, 5), TEXTS, max_size=3),
    marks=st.dictionaries(st.integers(1, 5), st.sampled_from(MARKS), max_size=3),
)
def test_the_plain_format_can_hold_any_text(moves, result, start, tags, notes, marks) -> None:
    comments = {n: text for n, text in notes.items() if n <= len(moves)}
    marked = {n: mark for n, mark in marks.items() if n <= len(moves)}
    record = GameRecord(tuple(moves), result, start, tags, comments, marked)
    text = plain.write("my game: odd", record)
    assert plain.read(text * 2) == [("my game: odd", record)] * 2
    assert plain.read(text.replace("\n", "\r\n")) == [("my game: odd", record)]


@pytest.mark.parametrize("name", ["chess", "checkers", "giveaway", "othello", "tictactoe"])
@settings(max_examples=5, deadline=None)
@given(seed=st.integers(0, 2**32), note=WORDS, value=WORDS, mark=st.sampled_from(MARKS))
def test_tags_comments_and_marks_are_read_back(name, seed, note, value, mark) -> None:
    game = load(name)
    record = record_of(random_game(game, seed, 4), {"Event": value, "Topic": value})
    annotated = GameRecord(record.moves, "*", None, record.tags, {0: note, 2: note}, {2: mark})
    assert game.read_games(game.write_game(annotated)) == [annotated]


@pytest.mark.parametrize("name", ["chess", "checkers", "giveaway", "othello"])
def test_a_game_with_its_own_format_reads_the_plain_one_too(name: str) -> None:
    game = load(name)
    record = record_of(random_game(game, 7, 12))
    assert game.read_games(plain.write(name, record)) == [record]


def test_a_variant_written_differently_is_the_same() -> None:
    text = "Plyforge record 1: connect4:columns=5,rows=4\n1. 1\nresult: *\n"
    assert load("connect4:5x4").read_games(text)[0].moves
    with pytest.raises(PlyforgeError, match="a record of 'connect4:columns=5,rows=4'"):
        load("connect4").read_games(text)
    with pytest.raises(PlyforgeError, match="a record of 'connect4:no'"):
        load("connect4").read_games("Plyforge record 1: connect4:no\nresult: *\n")


@pytest.mark.parametrize(("text", "reason"), MISTAKES.items())
def test_a_malformed_plain_record_is_an_error_with_its_line(text: str, reason: str | None) -> None:
    if reason is None:
        assert load("tictactoe").read_games(text) == []
        return
    with pytest.raises(PlyforgeError, match=reason):
        load("tictactoe").read_games(text)


PIECES = st.sampled_from([
    "1. ", "e4 ", "11-15 ", "f5d6 ", "a1\n", "{", "} ", "(", ") ", "[", '[FEN "', '"]\n',
    "$4 ", "?? ", "1-0 ", "0-1\n", "* ", "; ", "%", "\\", "\n", "result: *\n", "note: ",
    "tag a: ", '"', HEAD, "-",
])  # fmt: skip


@pytest.mark.parametrize("name", ["chess", "checkers", "othello", "tictactoe"])
@settings(max_examples=40, deadline=None)
@given(text=st.lists(PIECES, max_size=12).map("".join) | st.text(max_size=30), plain=st.booleans())
def test_any_text_is_read_or_is_a_user_error(name: str, text: str, plain: bool) -> None:
    with suppress(PlyforgeError):
        load(name).read_games(f"Plyforge record 1: {name}\n{text}" if plain else text)


def test_a_result_is_for_the_first_player() -> None:
    game = load("tictactoe")
    history = game.history()
    assert result_of(history) == "*"
    history.play_text("a1 a2 b1 b2 c1")
    assert (result_of(history), record_of(history).result) == ("1-0", "1-0")


def test_a_final_score_becomes_a_tag() -> None:
    history = random_game(load("kalah"), 3, 500)
    while not history.verdict().over:
        history.play(history.legal_moves()[0])
    record = record_of(history)
    score = float(record.tags["Score"])
    assert record.result == ("1-0" if score > 0 else "0-1")


def test_a_broken_hook_is_an_error_of_its_file(tmp_path: Path) -> None:
    source = (EXAMPLES / "dodgem.py").read_text(encoding="utf-8")
    file = tmp_path / "mine.py"
    file.write_text(
        source + "\n\ndef read_games(text):\n    return 3 if text else 1 / 0\n"
        "\n\ndef write_game(record):\n    return 3\n",
        encoding="utf-8",
    )
    game = plyforge.load(str(file))
    with pytest.raises(PlyforgeError, match=r"mine\.py: 'read_games' returned 3; it must return"):
        game.read_games("x")
    with pytest.raises(PlyforgeError, match=r"mine\.py, line \d+: read_games: ZeroDivisionError"):
        game.read_games("")
    with pytest.raises(PlyforgeError, match="'write_game' returned 3; it must return a string"):
        game.write_game(GameRecord(()))


def test_an_unknown_result_or_mark_is_an_error() -> None:
    with pytest.raises(ValueError, match="unknown result '2-0'"):
        GameRecord((), "2-0")
    with pytest.raises(ValueError, match="unknown mark"):
        GameRecord(("a1",), marks={1: "bad"})
