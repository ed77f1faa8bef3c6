"""The contract: each breach is an error with the file, the mistake and the remedy."""

import sys
from pathlib import Path

import pytest

import plyforge
from plyforge import Game, PlyforgeError
from plyforge.core.contract import CONSTANTS, HOOKS
from plyforge.game.loading import read_file

HEAD = """from typing import NamedTuple
class Position(NamedTuple):
    count: int
"""
INITIAL = "def initial():\n    return Position(3)\n"
MOVES = "def moves(position):\n    for n in range(min(2, position.count)):\n        yield n + 1\n"
PLAY = "def play(position, move):\n    return Position(position.count - move)\n"
RULES = HEAD + INITIAL + MOVES + PLAY


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "nim.py"


def load_error(path: Path | str) -> str:
    """Return the message of the error that loading a file raises."""
    with pytest.raises(PlyforgeError) as error:
        plyforge.load(str(path))
    return str(error.value)


def test_three_functions_make_a_game(file: Path) -> None:
    file.write_text(RULES)
    game = plyforge.load(str(file))
    assert isinstance(game, Game)
    assert (game.name, game.title, game.players) == ("nim", "nim", ("First", "Second"))
    assert game.perft(game.initial(), 2, "python") == 3
    assert game.text(game.initial()) == game.board(game.initial()) == "3"
    assert game.hooks == []


def test_hooks_and_constants_are_documented() -> None:
    assert all(hook.summary and hook.group for hook in HOOKS.values())
    assert all(hook.required or hook.default for hook in HOOKS.values())
    assert all(constant.summary for constant in CONSTANTS.values())


# Files


def test_a_missing_file_is_an_error_with_the_command_that_writes_one(file: Path) -> None:
    assert load_error(file) == f"no file {file}; 'plyforge new {file}' writes a starter game"


def test_a_folder_is_an_error(tmp_path: Path) -> None:
    assert "is a folder; give the Python file with the rules" in load_error(tmp_path)


def test_a_file_that_is_not_text_is_an_error(file: Path) -> None:
    file.write_bytes(b"\xff\xfe\x00\x80")
    assert load_error(file) == f"{file} is not a text file in UTF-8, as Python source must be"


def test_a_file_of_zeros_is_not_python(file: Path) -> None:
    file.write_bytes(b"\x00" * 8)
    assert f"{file}" in load_error(file)
    assert "not valid Python" in load_error(file)


def test_a_syntax_error_is_reported_with_its_line(file: Path) -> None:
    file.write_text(HEAD + "def initial(:\n")
    assert load_error(file).startswith(f"{file}, line 4: not valid Python: ")


def test_an_error_at_import_is_reported_with_its_line(file: Path) -> None:
    file.write_text(RULES + "\n\nTABLE = [1, 2][5]\n")
    line = len(RULES.splitlines()) + 3
    assert load_error(file) == f"{file}, line {line}: IndexError: list index out of range"


def test_a_file_that_ends_the_program_is_an_error(file: Path) -> None:
    file.write_text("import sys\nsys.exit(3)\n")
    assert load_error(file) == f"{file}: importing the file ends the program (SystemExit(3))"


def test_a_failed_import_leaves_no_module_and_no_path_behind(file: Path) -> None:
    modules, path = set(sys.modules), list(sys.path)
    file.write_text("raise ValueError('no')\n")
    assert "ValueError: no" in load_error(file)
    assert {name for name in set(sys.modules) - modules if "nim" in name} == set()
    assert sys.path == path


def test_a_file_imports_the_modules_of_its_own_folder(tmp_path: Path) -> None:
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "helper.py").write_text(f"START = {number}\n")
        text = RULES.replace("Position(3)", "Position(helper.START)")
        (folder / "nim.py").write_text("import helper\n" + text)
    starts = [plyforge.load(str(tmp_path / str(n) / "nim.py")).initial().count for n in (1, 2)]
    assert starts == [1, 2]


def test_a_changed_file_is_read_again(file: Path) -> None:
    file.write_text(RULES)
    assert plyforge.load(str(file)).initial().count == 3
    file.write_text(RULES.replace("Position(3)", "Position(4)"))
    assert plyforge.load(str(file)).initial().count == 4


def test_a_byte_order_mark_is_ignored(file: Path) -> None:
    file.write_text(RULES, encoding="utf-8-sig")
    game = plyforge.load(str(file))
    assert game.perft(game.initial(), 2, "python") == 3


# Functions


@pytest.mark.parametrize(
    ("source", "missing", "similar"),
    [
        (HEAD + MOVES + PLAY, "initial()", None),
        (HEAD + INITIAL + PLAY, "moves(position)", None),
        (HEAD + INITIAL + MOVES, "play(position, move)", None),
        (RULES.replace("def moves", "def move"), "moves(position)", "move"),
        (RULES.replace("def initial", "def inital"), "initial()", "inital"),
        (RULES.replace("def play", "def _play"), "play(position, move)", None),
    ],
)
def test_a_missing_function_is_named_with_a_similar_name(
    file: Path, source: str, missing: str, similar: str | None
) -> None:
    file.write_text(source)
    message = load_error(file)
    assert message.startswith(f"{file}: no function '{missing}': ")
    assert (f"(is '{similar}' meant to be '" in message) == (similar is not None)


@pytest.mark.parametrize(
    ("function", "count", "call"),
    [
        ("def outcome():\n    return 0\n", 0, "outcome(position)"),
        ("def turn(position, move):\n    return 0\n", 2, "turn(position)"),
        ("def move_text(move):\n    return ''\n", 1, "move_text(position, move)"),
        ("def from_text(position, text):\n    return 0\n", 2, "from_text(text)"),
        ("def noisy_moves(p, out, n):\n    return 0\n", 3, "noisy_moves(position)"),
        ("def evaluate(position, state):\n    return 0\n", 2, "evaluate(position)"),
    ],
)
def test_a_wrong_number_of_arguments_is_an_error_with_the_right_one(
    file: Path, function: str, count: int, call: str
) -> None:
    file.write_text(RULES + function)
    line = len(RULES.splitlines()) + 1
    name = call.partition("(")[0]
    assert load_error(file) == (
        f"{file}, line {line}: '{name}' takes {count} arguments; the contract requires {call}"
    )


def test_moves_may_fill_a_buffer(file: Path) -> None:
    filling = "def moves(position, out):\n    out[0] = 1\n    return min(1, position.count)\n"
    file.write_text(HEAD + INITIAL + filling + PLAY)
    game = plyforge.load(str(file))
    assert game.moves(game.initial()) == [1]


def test_an_evaluation_may_take_a_state(file: Path) -> None:
    constant = "STATE = ('int16', 4)\n"
    begin = "def begin(position, state):\n    state[0] = 0\n"
    advance = "def advance(state, position, move, child, child_state):\n    child_state[0] = 1\n"
    evaluate = "def evaluate(position, state):\n    return state[0]\n"
    file.write_text(RULES + constant + begin + advance + evaluate)
    game = plyforge.load(str(file))
    assert {"begin", "advance", "evaluate"} <= set(game.hooks)
    assert game.evaluation(game.initial()) == 0
    file.write_text(RULES + begin)
    assert load_error(file).startswith(f"{file}: 'begin' needs 'advance'")
    file.write_text(RULES + begin + advance)
    assert load_error(file).startswith(f"{file}: 'begin' needs 'STATE'")
    file.write_text(RULES + "STATE = 64\n" + begin + advance + evaluate)
    assert "STATE is 64; it must be a pair of type and size" in load_error(file)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("outcome = 3", "'outcome' must be a function outcome(position), not 3"),
        ("outcome = int", "'outcome' must be a plain function outcome(position)"),
        ("turn = print", "'turn' must be a plain function turn(position)"),
    ],
)
def test_hooks_are_plain_functions(file: Path, line: str, message: str) -> None:
    file.write_text(f"{RULES}{line}\n")
    assert load_error(file) == f"{file}: {message}"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("MAX_MOVES = 0", "an int between 1 and 65536"),
        ("MAX_MOVES = 2.0", "an int between 1 and 65536"),
        ("MAX_MOVES = True", "an int between 1 and 65536"),
        ("MAX_MOVES = 1 << 20", "an int between 1 and 65536"),
        ("MOVE_SLOTS = 0", "an int between 1 and 1048576"),
        ("PLAYERS = 'XO'", "a pair of names"),
        ("PLAYERS = ('X',)", "a pair of names"),
        ("PLAYERS = (1, 2)", "a pair of names"),
        ("NO_PROGRESS_LIMIT = 0", "None or a positive int"),
        ("NO_PROGRESS_LIMIT = 'x'", "None or a positive int"),
        ("REPETITION = 'win'", "'draw', 'loss', 'illegal' or None"),
        ("REPETITION_COUNT = 1", "an int of at least 2"),
        ("EVALUATION_MEANING = 'elo'", "one of "),
        ("EVALUATION_RANGE = (1, -1)", "a pair of numbers (minimum, maximum) within ±2^23"),
        ("EVALUATION_RANGE = (0, 1e9)", "a pair of numbers"),
        ("EVALUATION_RANGE = (0, float('nan'))", "a pair of numbers"),
        ("EVALUATION_RANGE = 5", "a pair of numbers"),
        ("CLOCKS = 'count'", "a tuple of field names, such as ('clock',)"),
        ("ALTERNATING = 'yes'", "True or False"),
    ],
)
def test_an_invalid_constant_is_an_error_with_the_allowed_values(
    file: Path, line: str, expected: str
) -> None:
    file.write_text(f"{RULES}{line}\n")
    name, _, value = line.partition(" = ")
    message = load_error(file)
    assert message.startswith(f"{file}: {name} is {eval(value)!r}; it must be {expected}")


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ("'wb'", "PIECES is 'wb'; it must be a dict of letters, such as {'k': (1, 'king')}"),
        ("{1: (0, 'disc')}", "PIECES has the letter 1; it must be a string"),
        ("{'': (0, 'disc')}", "PIECES has the letter ''; it must be a string"),
        ("{'w': 'disc'}", "PIECES['w'] is 'disc'; it must be a pair of side (0, 1 or None)"),
        ("{'w': (2, 'disc')}", "PIECES['w'] is (2, 'disc'); it must be a pair of side"),
        ("{'w': (True, 'disc')}", "PIECES['w'] is (True, 'disc'); it must be a pair of side"),
        ("{'w': (0, 'disk')}", "PIECES['w'] has the shape 'disk'; it must be one of stone, disc"),
        ("{'w': (0, ['disc'])}", "PIECES['w'] has the shape ['disc']; it must be one of stone"),
    ],
)
def test_invalid_pieces_are_an_error(file: Path, pieces: str, message: str) -> None:
    file.write_text(f"{RULES}PIECES = {pieces}\n")
    assert load_error(file).startswith(f"{file}: {message}")


def test_pieces_may_belong_to_neither_side(file: Path) -> None:
    file.write_text(RULES + "PIECES = {'w': (0, 'disc'), '#': (None, 'letter')}\n")
    assert plyforge.load(str(file)).rules.constant("PIECES")["#"] == (None, "letter")


def test_clocks_must_be_fields(file: Path) -> None:
    file.write_text(f"{RULES}CLOCKS = ('clock',)\n")
    assert load_error(file) == f"{file}: CLOCKS names 'clock', which is not a field of the position"


# Calls


def test_an_error_in_a_function_is_reported_with_its_line(file: Path) -> None:
    file.write_text(RULES + "def outcome(position):\n    return 1 // position.missing\n")
    game = plyforge.load(str(file))
    line = len(RULES.splitlines()) + 2
    with pytest.raises(PlyforgeError) as error:
        game.outcome(game.initial())
    assert str(error.value).startswith(f"{file}, line {line}: outcome: AttributeError: ")


def test_an_error_in_initial_is_reported_with_its_line(file: Path) -> None:
    file.write_text(HEAD + "def initial():\n    raise KeyError('x')\n" + MOVES + PLAY)
    assert load_error(file) == f"{file}, line 5: initial: KeyError: 'x'"


def test_parameters_of_initial_need_defaults(file: Path) -> None:
    file.write_text(RULES.replace("initial()", "initial(size)"))
    assert load_error(file).startswith(
        f"{file}, line 4: 'initial' has the parameter 'size' without"
    )


def test_more_moves_than_declared_are_an_error_with_the_position(file: Path) -> None:
    file.write_text(RULES + "MAX_MOVES = 1\n")
    game = plyforge.load(str(file))
    with pytest.raises(PlyforgeError) as error:
        game.moves(game.initial())
    message = str(error.value)
    assert message.startswith(f"{file}: 'moves' gives more than MAX_MOVES = 1 moves in position 3;")


@pytest.mark.parametrize("value", ["1.0", "'a1'", "None", "True"])
def test_a_move_that_is_not_an_int_is_an_error(file: Path, value: str) -> None:
    file.write_text(HEAD + INITIAL + f"def moves(position):\n    yield {value}\n" + PLAY)
    game = plyforge.load(str(file))
    with pytest.raises(PlyforgeError, match=r"'moves' gave .*; a move must be an int"):
        game.moves(game.initial())


def test_a_field_that_became_a_float_is_an_error_with_its_name(file: Path) -> None:
    file.write_text(RULES.replace("position.count - move", "position.count / move"))
    game = plyforge.load(str(file))
    with pytest.raises(
        PlyforgeError, match=r"field 'count' of a position is 3\.0, which is not an int64"
    ):
        game.play(game.initial(), 1)


def test_read_file_returns_the_rules(file: Path) -> None:
    file.write_text(RULES)
    rules = read_file(file)
    assert rules.name == "nim"
    assert set(rules.hooks) == {"initial", "moves", "play"}
    assert rules.constant("MAX_MOVES") == 256
    assert Path(rules.file) == file.resolve()
