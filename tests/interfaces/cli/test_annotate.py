"""`plyforge annotate`."""

import pytest

from plyforge.match import annotate as logic

PLAIN = """Plyforge record 1: tictactoe
tag First: Anna
1. a1
2. c2
note: an edge
3. b2
result: *
"""
FAST = ("--depth", "9", "--entries", "1024")


@pytest.fixture
def game(tmp_path):
    file = tmp_path / "game.txt"
    file.write_text(PLAIN, encoding="utf-8")
    return file


def test_the_annotated_game_goes_to_standard_output(plyforge, game):
    answer = plyforge("annotate", str(game), *FAST)
    assert answer.code == 0
    assert answer.out.startswith("Plyforge record 1: tictactoe\ntag First: Anna\n")
    assert "tag Annotator: Plyforge, depth 9\n" in answer.out
    assert "2.?? c2\nnote: an edge; " in answer.out
    assert "game 1: 3 of 3 moves" in answer.err
    assert "O: 1 moves, 0 ?!, 0 ?, 1 ??" in answer.err


def test_json_has_every_move(plyforge, game):
    found = plyforge("annotate", str(game), *FAST, "--json").json
    (only,) = found["games"]
    assert (found["game"], found["interrupted"], only["result"]) == ("tictactoe", False, "*")
    assert [move["mark"] for move in only["moves"]] == ["", "??", ""]
    assert only["players"][1]["blunders"] == 1


def test_the_output_is_a_file_that_can_be_annotated_again(plyforge, game, tmp_path):
    out = tmp_path / "out.txt"
    answer = plyforge("annotate", str(game), *FAST, "--output", str(out))
    assert answer.code == 0
    assert answer.out.endswith(f"wrote {out}\n")
    assert "2.?? c2" in out.read_text(encoding="utf-8")
    assert game.read_text(encoding="utf-8") == PLAIN
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.txt", "out.txt"]
    assert plyforge("annotate", str(out), *FAST, "-o", str(out), "--overwrite").code == 0


def test_nothing_is_overwritten_without_the_option(plyforge, game):
    answer = plyforge("annotate", str(game), *FAST, "--output", str(game))
    assert answer.code == 2
    assert "exists; choose another name, or give --overwrite" in answer.err
    assert game.read_text(encoding="utf-8") == PLAIN


@pytest.mark.parametrize(
    ("name", "text", "game"),
    [
        ("a.pdn", "1. 11-15 23-19 *", "checkers"),
        ("a.PDN", '[Variant "Give-away"]\n1. 11-15 23-19 *', "giveaway"),
        ("a.txt", "Plyforge record 1: connect4:5x4\n1. 3\nresult: *", "connect4:5x4"),
    ],
)
def test_the_game_is_found_from_the_file(plyforge, tmp_path, name, text, game):
    file = tmp_path / name
    file.write_text(text, encoding="utf-8")
    answer = plyforge("annotate", str(file), "--depth", "1", "--backend", "python", "--json")
    assert answer.code == 0
    assert answer.json["game"] == game


def test_marks_are_glyphs_where_the_format_has_them(plyforge, tmp_path):
    file = tmp_path / "a.pdn"
    file.write_text('[FEN "B:W22,27:B18,K1"]\n1. 18x25 *', encoding="utf-8")
    answer = plyforge("annotate", str(file), "--depth", "1", "--backend", "python")
    assert answer.code == 0
    assert "1. 18x25 {" in answer.out


def test_an_interrupt_keeps_what_is_done(plyforge, tmp_path, monkeypatch):
    file, out = tmp_path / "two.txt", tmp_path / "out.txt"
    file.write_text(PLAIN * 2, encoding="utf-8")
    real = logic._judge_move
    left = [4]

    def interrupted(*arguments):
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return real(*arguments)

    monkeypatch.setattr(logic, "_judge_move", interrupted)
    answer = plyforge("annotate", str(file), *FAST, "-o", str(out), "--json")
    assert answer.code == 130
    assert answer.json["interrupted"]
    assert [len(game["moves"]) for game in answer.json["games"]] == [3, 1]
    text = out.read_text(encoding="utf-8")
    assert text.count("2.?? c2") == 1
    assert text.count("2. c2") == 1
    left[0] = 0
    out.unlink()
    assert plyforge("annotate", str(file), *FAST, "-o", str(out)).code == 130
    assert not out.exists()


MISTAKES = {
    "empty.pgn": (b"", "contains no games"),
    "zip.pgn": (b"PK\x03\x04\0\0", "is binary data"),
    "cut.pgn": (b"1. e4 {cut", "cut.pgn: line 1: this comment is never closed"),
    "third.pdn": (b"*\n*\n1. 11-15\n1-2", "third.pdn: game 3, line 4, move 2, '1-2'"),
    "latin.pgn": (b'[White "J\xf6rg"]\n1. e5 *', "line 2, move 1, 'e5': no such move"),
    "what.txt": (b"f5d6", "does not say which game it is; name the game"),
    "mine.txt": (
        b"Plyforge record 1: mine\n",
        "is a record of 'mine', which is not a built-in game",
    ),
    "evil.txt": (b"Plyforge record 1: ./evil.py\nresult: *\n", "which is not a built-in game"),
    "bare.txt": (b"Plyforge record", "which is not a built-in game"),
}


@pytest.mark.parametrize(("name", "content", "reason"), [(n, *m) for n, m in MISTAKES.items()])
def test_a_bad_file_is_refused_with_line_and_move(plyforge, tmp_path, name, content, reason):
    file = tmp_path / name
    file.write_bytes(content)
    (tmp_path / "evil.py").write_text("raise SystemExit(99)", encoding="utf-8")
    answer = plyforge("annotate", str(file))
    assert answer.code == 2
    assert reason in answer.err
    assert "Traceback" not in answer.err


@pytest.mark.parametrize(
    "words",
    [
        ("no-such-file.pgn",),
        (".",),
        ("a\0b.pgn",),
        ("GAME", "--depth", "0"),
        ("GAME", "--depth", "x"),
        ("GAME", "--backend", "fast"),
        ("GAME", "chekers"),
        ("GAME", "othello"),
        ("GAME", "--output", "no/such/folder/x"),
        ("GAME", "--output", "."),
        ("GAME", "--output", "/dev/null", "--overwrite"),
        ("GAME", "--preset", "none"),
    ],
)
def test_bad_input_ends_with_2(plyforge, game, words):
    answer = plyforge("annotate", *(str(game) if word == "GAME" else word for word in words))
    assert answer.code == 2
    assert "Traceback" not in answer.err
