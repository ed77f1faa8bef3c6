"""Wrong input ends with exit code 2 and a message that names the value and the remedy."""

import subprocess
import sys

import pytest

CASES = {
    "unknown game": (["show", "chekers"], ["chekers", "did you mean 'checkers'"]),
    "unknown game, no similar name": (["show", "zzz"], ["zzz", "known:"]),
    "empty game name": (["show", ""], ["unknown game"]),
    "variant out of range": (["show", "connect4:9x9"], ["9x9", "63"]),
    "variant not a number": (["show", "connect4:axb"], ["columns", "axb", "an integer"]),
    "variant with too many parts": (["show", "connect4:5,4,3"], ["one value too many"]),
    "variant parameter unknown": (["show", "connect4:wide=5"], ["wide", "columns"]),
    "variant given twice": (["show", "connect4:columns=5,columns=6"], ["twice"]),
    "variant empty": (["show", "connect4:"], ["names no variant"]),
    "variant of a game without variants": (["show", "tictactoe:4"], ["no variants"]),
    "position unparsable": (["show", "checkers", "-p", "hello"], ["hello", "three parts"]),
    "position, wrong side": (["show", "checkers", "-p", "R:W1:B2"], ["side to move 'R'"]),
    "position, square out of range": (["show", "checkers", "-p", "B:W33:B1"], ["33", "1 to 32"]),
    "position, square twice": (["show", "checkers", "-p", "B:WK3:BK3"], ["square 3", "twice"]),
    "position, uncrowned man": (["show", "checkers", "-p", "B:W3:BK5"], ["king row"]),
    "position, impossible stones": (["show", "tictactoe", "-p", "XXX/.../... X"], ["3 X and 0 O"]),
    "position, floating stone": (
        ["show", "connect4", "-p", "X....../......./......./......./......./....... O"],
        ["hangs in the air"],
    ),
    "position empty": (["show", "connect4", "-p", ""], ["position"]),
    "illegal move": (["show", "checkers", "-m", "11-15 11-16"], ["move 2", "11-16", "legal:"]),
    "not a move": (["show", "checkers", "-m", "hello"], ["move 1", "hello"]),
    "move after the end": (["show", "connect4", "-m", "12121212"], ["move 8", "over"]),
    "negative depth": (["perft", "checkers", "--depth", "-3"], ["-3", "between 0 and 200"]),
    "absurd depth": (["perft", "checkers", "--depth", "100000"], ["100000"]),
    "depth not a number": (["perft", "checkers", "--depth", "six"], ["six"]),
    "depth missing": (["perft", "checkers"], ["depth"]),
    "divide at depth 0": (["perft", "checkers", "--depth", "0", "--divide"], ["at least 1"]),
    "unknown backend": (
        ["perft", "checkers", "--depth", "1", "--backend", "warp"],
        ["warp", "compiled"],
    ),
    "unknown command": (["prft"], ["prft"]),
    "unknown option": (["show", "checkers", "--postion", "x"], ["--postion"]),
    "file missing": (["show", "nowhere.py"], ["nowhere.py", "plyforge new"]),
    "name too long for the file system": (["show", "a" * 400 + ".py"], ["cannot be read"]),
    "very long name without a suffix": (["show", "a" * 400], ["unknown game"]),
    "folder too long": (["new", "a" * 3000 + "/x.py"], ["no folder"]),
    "no name before the suffix": (["new", ".py"], ["no name before .py"]),
    "missing file without a suffix": (["show", "../nowhere"], ["no file ../nowhere"]),
    "variant too long": (["show", "hex:" + "9" * 5000], ["too long"]),
    "new without .py": (["new", "mygame"], ["mygame"]),
}


@pytest.mark.parametrize("case", CASES)
def test_wrong_input_is_reported_without_a_traceback(plyforge, case):
    words, fragments = CASES[case]
    answer = plyforge(*words)
    assert answer.code == 2
    assert "Traceback" not in answer.err
    text = " ".join(answer.err.replace("│", " ").split())
    for fragment in fragments:
        assert fragment in text


FILES = {
    "empty": ("", ["no function 'initial()'"]),
    "not Python": ("def moves(:\n", ["line 1", "not valid Python"]),
    "lacks play": (
        "def initial(): return 1\ndef moves(p): yield 1\n",
        ["no function 'play(position, move)'"],
    ),
    "misspelled": (
        "def initial(): return 1\ndef move(p): yield 1\ndef play(p, m): return p\n",
        ["no function 'moves(position)'", "'move' meant"],
    ),
    "wrong arity": (
        "def initial(): return 1\ndef moves(): yield 1\ndef play(p, m): return p\n",
        ["line 2", "'moves' takes 0 arguments", "moves(position)"],
    ),
    "raises when imported": ("x = 1\ny = 1 // 0\n", ["line 2", "ZeroDivisionError"]),
    "raises in initial": (
        "def initial():\n    return {}['x']\ndef moves(p): yield 1\ndef play(p, m): return p\n",
        ["line 2", "initial", "KeyError"],
    ),
    "raises in moves": (
        "def initial(): return 1\n\ndef moves(p):\n    yield p.cells\ndef play(p, m): return p\n",
        ["line 4", "moves", "AttributeError"],
    ),
    "hook is not a function": (
        "def initial(): return 1\nmoves = 3\ndef play(p, m): return p\n",
        ["'moves' must be a function"],
    ),
    "bad constant": (
        "MAX_MOVES = 0\ndef initial(): return 1\ndef moves(p): yield 1\ndef play(p, m): return p\n",
        ["MAX_MOVES is 0"],
    ),
    "chance without outcomes": (
        "def initial(): return 1\ndef moves(p): yield 1\ndef play(p, m): return p\n"
        "def chance(p): return 0\n",
        ["'chance' needs 'chance_outcomes(position)'"],
    ),
    "raises a BaseException": ("raise GeneratorExit\n", ["line 1", "GeneratorExit"]),
    "too deep for the compiler": ("x = " + "-" * 100_000 + "1\n", ["not valid Python"]),
    "a constant that is an array": (
        "import numpy\nREPETITION = numpy.zeros(3)\ndef initial(): return 1\n"
        "def moves(p): yield 1\ndef play(p, m): return p\n",
        ["ValueError"],
    ),
    "players that cannot be printed": (
        "PLAYERS = ('a\\ud800', 'b')\ndef initial(): return 1\n"
        "def moves(p): yield 1\ndef play(p, m): return p\n",
        ["PLAYERS"],
    ),
    "a turn other than 0 or 1": (
        "def initial(): return 1\ndef moves(p): yield 1\ndef play(p, m): return p\n"
        "def turn(p): return 7\n",
        ["'turn' returned 7", "0 or 1"],
    ),
    "pieces outside the board": (
        "from plyforge.rules import squares\ndef initial(): return 1\ndef moves(p): yield 1\n"
        "def play(p, m): return p\ndef geometry(p): return squares(2, 2)\n"
        "def pieces(p): return {'z9': 'x'}\n",
        ["'pieces'", "z9"],
    ),
    "ends the program": ("import sys; sys.exit(3)\n", ["ends the program"]),
    "too many moves": (
        "MAX_MOVES = 3\ndef initial(): return 1\ndef moves(p):\n    yield from range(9)\n"
        "def play(p, m): return p\n",
        ["MAX_MOVES = 3"],
    ),
    "a move that is not an int": (
        "def initial(): return 1\ndef moves(p): yield 'a'\ndef play(p, m): return p\n",
        ["'a'", "must be an int"],
    ),
}


@pytest.mark.parametrize("case", FILES)
def test_an_error_in_a_game_file_names_file_and_line(plyforge, tmp_path, case):
    source, fragments = FILES[case]
    path = tmp_path / "mine.py"
    path.write_text(source)
    answer = plyforge("show", str(path))
    assert answer.code == 2
    assert "mine.py" in answer.err
    assert "Traceback" not in answer.err
    for fragment in fragments:
        assert fragment in answer.err


def test_a_folder_and_a_binary_file_are_refused(plyforge, tmp_path):
    assert "is a folder" in plyforge("show", str(tmp_path)).err
    binary = tmp_path / "mine.py"
    binary.write_bytes(bytes(range(256)))
    answer = plyforge("show", str(binary))
    assert answer.code == 2
    assert "not a text file" in answer.err


def test_new_does_not_overwrite(plyforge, tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("precious")
    answer = plyforge("new", str(path))
    assert answer.code == 2
    assert "mine.py" in answer.err
    assert path.read_text() == "precious"


def test_a_file_may_have_a_colon_in_its_name(plyforge, tmp_path):
    path = str(tmp_path / "a:b.py")
    assert plyforge("new", path).code == 0
    assert plyforge("show", path).code == 0


@pytest.mark.parametrize(
    "streams",
    [
        ">/dev/full",
        pytest.param(">&-", marks=pytest.mark.long),
        pytest.param("2>&-", marks=pytest.mark.long),
    ],
)
def test_a_closed_or_full_stream_gives_no_traceback(streams):
    command = f"{sys.executable} -m plyforge show tictactoe {streams}"
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in result.stderr


@pytest.mark.long
def test_a_closed_pipe_ends_quietly():
    command = f"{sys.executable} -m plyforge show checkers | true"
    result = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    assert "Traceback" not in result.stderr
