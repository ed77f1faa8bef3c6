"""Openings: different, repeatable, balanced, in files."""

from itertools import islice
from pathlib import Path

import pytest

import plyforge
from plyforge import Engine
from plyforge.core.errors import PlyforgeError
from plyforge.match import openings as module
from plyforge.match.openings import BALANCE, BALANCE_NODES, Opening, OpeningSource, read_file

CONNECT4 = plyforge.load("connect4")
TICTACTOE = plyforge.load("tictactoe")


def keys(game, found):
    return [game.key(opening.history(game).position) for opening in found]


def test_the_same_seed_gives_the_same_openings_and_another_seed_others():
    source = OpeningSource.parse("random:4")
    assert source.take(CONNECT4, 5, 20) == source.take(CONNECT4, 5, 20)
    assert source.take(CONNECT4, 5, 20) != source.take(CONNECT4, 6, 20)


def test_more_openings_start_with_the_openings_of_fewer():
    source = OpeningSource.parse("random:4")
    assert source.take(CONNECT4, 1, 40)[:10] == source.take(CONNECT4, 1, 10)


def test_openings_are_different_positions_of_the_requested_length():
    found = OpeningSource.parse("random:4").take(CONNECT4, 0, 200)
    assert len(set(keys(CONNECT4, found))) == 200
    assert {len(opening.moves) for opening in found} == {4}


def test_the_game_is_not_over_after_an_opening():
    """Most games of tic-tac-toe that are seven plies long are not over; the others are left out."""
    for opening in islice(OpeningSource.parse("random:7").openings(TICTACTOE, 3), 200):
        assert not opening.history(TICTACTOE).verdict().over


def test_a_small_game_gives_all_its_openings_and_ends():
    found = list(OpeningSource.parse("random:1").openings(TICTACTOE, 0))
    assert sorted(opening.moves for opening in found) == [(cell,) for cell in range(9)]
    assert list(OpeningSource.parse("random:0").openings(TICTACTOE, 0)) == [Opening()]
    assert list(OpeningSource.parse("random:10").openings(TICTACTOE, 0)) == []


def test_too_few_openings_are_an_error_with_both_numbers():
    with pytest.raises(PlyforgeError, match=r"'random:1': there are only 9 .* not 10"):
        OpeningSource.parse("random:1").take(TICTACTOE, 0, 10)
    assert len(OpeningSource.parse("random:1").take(TICTACTOE, 0, 9)) == 9


def test_balanced_openings_are_the_random_ones_with_a_score_near_0():
    """The definition once more, with another table."""
    found = OpeningSource.parse("balanced:6").take(CONNECT4, 2, 3)
    engine = Engine(CONNECT4, hash=4)
    limit = BALANCE * 50
    even = []
    for opening in OpeningSource.parse("random:6").openings(CONNECT4, 2):
        engine.clear()
        result = engine.analyse(opening.history(CONNECT4), nodes=BALANCE_NODES)
        if abs(result.score) <= limit and not result.proved:
            even.append(opening)
        if opening == found[-1]:
            break
    assert even == found


def test_balanced_openings_are_reproducible_and_start_with_those_of_fewer(monkeypatch):
    monkeypatch.setattr(module, "BALANCE_NODES", 500)
    source = OpeningSource.parse("balanced:4")
    assert source.take(CONNECT4, 7, 6)[:3] == source.take(CONNECT4, 7, 3)


def test_the_search_ends_in_a_game_without_balanced_positions(monkeypatch):
    monkeypatch.setattr(module, "BALANCE", -1.0)
    monkeypatch.setattr(module, "BALANCE_NODES", 1)
    monkeypatch.setattr(module, "_MAX_UNBALANCED", 20)
    with pytest.raises(PlyforgeError, match="there are only 0"):
        OpeningSource.parse("balanced:6").take(CONNECT4, 0, 1)


@pytest.mark.parametrize("text", ["random:4", "balanced:6", "file:a/b:c.txt"])
def test_the_text_of_a_source_parses_to_the_same_source(text):
    assert str(OpeningSource.parse(text)) == text


def test_plies_may_be_left_out():
    assert OpeningSource.parse("random") == OpeningSource("random", 4)
    assert OpeningSource.parse("balanced") == OpeningSource("balanced", 4)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("", "''"),
        ("randon:4", "did you mean 'random'"),
        ("random:", "'random:'"),
        ("random:x", "'random:x'"),
        ("random:-1", "'random:-1'"),
        ("random:1001", "'random:1001'"),
        ("balanced:2.5", "'balanced:2.5'"),
        ("file", "file:openings.txt"),
        ("file:", "file:openings.txt"),
    ],
)
def test_a_wrong_source_is_refused_by_its_text(text, named):
    with pytest.raises(PlyforgeError) as error:
        OpeningSource.parse(text)
    assert named in str(error.value)


# Files


def write_book(folder: Path, text: str) -> Path:
    file = folder / "book.txt"
    file.write_text(text, encoding="utf-8")
    return file


@pytest.mark.parametrize(
    ("name", "plies"),
    [("tictactoe", 0), ("tictactoe", 3), ("connect4:5x4", 4), ("checkers", 6), ("chess", 5),
     ("othello", 12), ("kalah", 5), ("hex:5", 3)],
)  # fmt: skip
def test_openings_read_from_a_file_are_those_written(tmp_path, name, plies):
    game = plyforge.load(name)
    found = list(islice(OpeningSource("random", plies).openings(game, 3), 15))
    file = write_book(tmp_path, "".join(f"{opening.text(game)}\n" for opening in found))
    read = read_file(game, file)
    assert keys(game, read) == keys(game, found)
    if plies:
        assert read == found


def test_a_line_may_have_a_position_and_a_comment(tmp_path):
    text = (
        "# a book\n\n  a1 c2  # corner\nposition .../.X./... O moves a1\nposition .../.X./... O\n"
    )
    read = read_file(TICTACTOE, write_book(tmp_path, text))
    assert [opening.start for opening in read] == [None, ".../.X./... O", ".../.X./... O"]
    assert [len(opening.moves) for opening in read] == [2, 1, 0]
    assert [opening.text(TICTACTOE) for opening in read] == [
        "a1 c2",
        "position .../.X./... O moves a1",
        "position .../.X./... O",
    ]


def test_byte_order_mark_and_windows_line_ends_are_accepted(tmp_path):
    file = tmp_path / "book.txt"
    file.write_bytes(b"\xef\xbb\xbfa1 c2\r\nb2\r\n")
    assert len(read_file(TICTACTOE, file)) == 2


def test_a_repeated_position_is_one_opening(tmp_path):
    read = read_file(TICTACTOE, write_book(tmp_path, "a1 c2 b2\nb2 c2 a1\na1\n"))
    assert [opening.text(TICTACTOE) for opening in read] == ["a1 c2 b2", "a1"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a1\nb9\n", "line 2: move 1, 'b9'"),
        ("# x\na1 a1\n", "line 2: move 2, 'a1'"),
        ("position nonsense\n", "line 1: position 'nonsense'"),
        ("a1\n\na1 a2 b1 b2 c1\n", "line 3: the game is over there"),
        ("a1 a2 b1 b2 c1 c2", "line 1: move 6, 'c2': the game is over"),
        ("", "contains no opening"),
        ("# nothing\n\n", "contains no opening"),
    ],
)
def test_an_error_in_a_file_names_the_line(tmp_path, text, message):
    file = write_book(tmp_path, text)
    with pytest.raises(PlyforgeError) as error:
        read_file(TICTACTOE, file)
    assert message in str(error.value)
    assert str(file) in str(error.value)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    binary = tmp_path / "binary"
    binary.write_bytes(bytes(range(256)))
    for path in (tmp_path, tmp_path / "none.txt", binary, Path("a\0b")):
        with pytest.raises(PlyforgeError, match="cannot be read"):
            read_file(TICTACTOE, path)


def test_a_file_with_too_few_openings_says_how_many(tmp_path):
    file = write_book(tmp_path, "a1\nb1\n")
    with pytest.raises(PlyforgeError, match="there are only 2 different ones, not 3"):
        OpeningSource("file", 0, str(file)).take(TICTACTOE, 0, 3)
