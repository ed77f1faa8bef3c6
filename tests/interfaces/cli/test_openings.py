"""`plyforge openings`."""

import pytest

from plyforge import load
from plyforge.match.openings import OpeningSource, read_file


def test_openings_go_to_standard_output_one_a_line(plyforge):
    words = ("openings", "tictactoe", "--source", "random:3", "--count", "5")
    answer = plyforge(*words)
    assert (answer.code, answer.err) == (0, "")
    lines = answer.out.splitlines()
    assert len(set(lines)) == len(lines) == 5
    assert all(len(line.split()) == 3 for line in lines)
    seeded = plyforge(
        "openings", "tictactoe", "--source", "random:3", "--count", "5", "--seed", "1"
    )
    assert seeded.out != answer.out


def test_balanced_openings_are_written_to_a_file_that_a_match_can_read(plyforge, tmp_path):
    file = tmp_path / "book.txt"
    words = ("openings", "connect4", "--source", "balanced:6", "--count", "2", "-o", str(file))
    answer = plyforge(*words)
    assert (answer.code, answer.out) == (0, f"wrote 2 openings to {file}\n")
    text = file.read_text(encoding="utf-8")
    assert text.startswith("# connect4: 2 openings, balanced:6, seed 0\n")
    game = load("connect4")
    assert read_file(game, file) == OpeningSource.parse("balanced:6").take(game, 0, 2)
    match = plyforge(
        *("match", "connect4", "random:name=a", "random:name=b", "--games", "4", "--jobs", "1"),
        *("--openings", f"file:{file}", "--db", str(tmp_path / "games.db"), "--json"),
    )
    assert match.json["games"] == 4
    assert "exists" in plyforge(*words).err
    assert plyforge(*words, "--overwrite").code == 0


def test_json_holds_the_same_lines(plyforge):
    words = ("openings", "tictactoe", "--source", "random:2", "--count", "3")
    found = plyforge(*words, "--json").json
    assert found["openings"] == plyforge(*words).out.splitlines()
    assert (found["game"], found["source"], found["seed"]) == ("tictactoe", "random:2", 0)


def test_the_start_alone_is_an_opening_that_can_be_read(plyforge, tmp_path):
    file = tmp_path / "book.txt"
    plyforge("openings", "tictactoe", "--source", "random:0", "--count", "1", "-o", str(file))
    (only,) = read_file(load("tictactoe"), file)
    assert only.history(load("tictactoe")).position == load("tictactoe").initial()


def test_too_few_openings_are_reported(plyforge):
    answer = plyforge("openings", "tictactoe", "--source", "random:1", "--count", "10")
    assert (answer.code, len(answer.out.splitlines())) == (0, 9)
    assert answer.err == "there are only 9 different openings\n"


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("chekers",), "did you mean 'checkers'"),
        (("tictactoe", "--source", "book:3"), "'book'"),
        (("tictactoe", "--source", "random:x"), "random:x"),
        (("tictactoe", "--source", "file:none.txt"), "none.txt"),
        (("tictactoe", "--count", "0"), "not 0"),
        (("tictactoe", "--count", "-3"), "not -3"),
        (("tictactoe", "--count", "x"), "'x'"),
        (("tictactoe", "--seed", "x"), "'x'"),
        (("tictactoe", "-o", "none/x.txt"), "no folder 'none'"),
    ],
)
def test_bad_input_ends_with_2_and_names_the_value(plyforge, words, named):
    answer = plyforge("openings", *words)
    assert (answer.code, answer.out) == (2, "")
    assert named in answer.err
    assert "Traceback" not in answer.err


def test_ctrl_c_writes_those_found_so_far(plyforge, tmp_path, monkeypatch):
    find = OpeningSource.openings

    def interrupted(self, game, seed):
        for number, opening in enumerate(find(self, game, seed)):
            if number == 3:
                raise KeyboardInterrupt
            yield opening

    monkeypatch.setattr(OpeningSource, "openings", interrupted)
    file = tmp_path / "book.txt"
    answer = plyforge("openings", "tictactoe", "--source", "random:3", "-o", str(file))
    assert answer.code == 130
    assert len(read_file(load("tictactoe"), file)) == 3
