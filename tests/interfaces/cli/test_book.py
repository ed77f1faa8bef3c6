"""`plyforge book`, and `--book` of the other commands."""

import pytest


def test_a_book_is_built_shown_and_used(plyforge, tmp_path):
    path = str(tmp_path / "t.book")
    built = plyforge("book", "build", "tictactoe", path, "--expand", "1", "--json").json
    assert (built["added"], built["proved"]) == (4, 4)  # corner, edge and centre
    again = plyforge("book", "build", "tictactoe", path, "--expand", "5")
    assert "nothing is left to expand" in again.out
    shown = plyforge("book", "show", "tictactoe", path, "--json").json
    assert len(shown["moves"]) == 9
    assert {move["score_text"] for move in shown["moves"]} == {"0"}
    assert shown["builds"][0]["expand"] == 1
    text = plyforge("book", "show", "tictactoe", path).out
    assert "! proved" in text
    used = plyforge("analyse", "tictactoe", "--book", path, "--json").json
    assert (used["driver"], used["nodes"], used["proved"]) == ("book", 0, True)
    solved = plyforge("solve", "tictactoe", "--book", path, "--json").json
    assert (solved["outcome"], solved["nodes"]) == ("draw", 0)


def test_a_position_is_solved_through_a_book(plyforge, tmp_path):
    path = str(tmp_path / "t.book")
    arguments = ("book", "build", "tictactoe", path, "--moves", "a1", "--solve", "2")
    built = plyforge(*arguments)
    assert built.code == 0
    assert "0 positions were known" in built.out
    assert sum(line.split()[1] == "loss" for line in built.out.splitlines()) == 7
    assert "0 searches" in plyforge(*arguments).out
    words = ("solve", "tictactoe", "--moves", "a1", "--book", path)
    assert plyforge(*words, "--json").json["nodes"] == 0
    solved = plyforge(*words, "--each-move", "--json").json
    assert {one["move"] for one in solved["moves"] if one["value"] == 0} == {"b2"}
    assert solved["nodes"] == 0


def test_games_are_added(plyforge, tmp_path):
    games, path = tmp_path / "games.txt", str(tmp_path / "t.book")
    lines = ["Plyforge record 1: tictactoe", "1. a1", "2. b2", "3. c3", "result: 1-0"]
    games.write_text("\n".join(lines) + "\n")
    answer = plyforge("book", "build", "tictactoe", path, "--games", str(games), "--plies", "2")
    assert "1 games added" in answer.out
    shown = plyforge("book", "show", "tictactoe", path, "--moves", "a1", "--json").json
    assert [(m["move"], m["games"], m["points"]) for m in shown["moves"]] == [("b2", 1, 0.0)]
    text = plyforge("book", "show", "tictactoe", path).out
    assert "3 positions" in text
    assert "100.0 %" in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("t.book",), "nothing to add; give --games FILE, --expand N or --solve N"),
        (("t.book", "--solve", "0"), "--solve must be at least 1, not 0"),
        (("t.book", "--solve", "2", "--expand", "1"), "give one of them"),
        (("t.book", "--solve", "2", "--time", "1"), "leave out the limits"),
        (("t.txt", "--expand", "1"), "does not end in .book"),
        (("t.book", "--expand", "-1"), "--expand must be at least 0, not -1"),
        (("t.book", "--expand", "1", "--method", "worst"), "'drop-out' or 'best-first'"),
        (("t.book", "--expand", "1", "--weight", "-2"), "--weight must be a number of at least 0"),
        (("t.book", "--games", "none.pgn"), "no file"),
        (("t.book", "--expand", "1", "--depth", "0"), "depth must be"),
        (("no/t.book", "--expand", "1"), "there is no folder"),
        (("t.book", "--expand", "1", "--book", "u.book"), "--book is for playing"),
    ],
)
def test_wrong_input_is_one_sentence_and_leaves_no_file(plyforge, tmp_path, arguments, message):
    name, *rest = arguments
    answer = plyforge("book", "build", "tictactoe", str(tmp_path / name), *rest)
    assert answer.code == 2
    assert message in answer.err
    assert "Traceback" not in answer.err
    assert list(tmp_path.iterdir()) == []


def test_export_needs_a_format_of_the_game(plyforge, tmp_path):
    path = str(tmp_path / "t.book")
    plyforge("book", "build", "tictactoe", path, "--expand", "1")
    answer = plyforge("book", "export", "tictactoe", path, str(tmp_path / "t.bin"))
    assert answer.code == 2
    assert "no book format of its own" in answer.err
