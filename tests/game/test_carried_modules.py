"""Files of the user that are loaded from their contents, where the files themselves are gone."""

import shutil
import sys
from pathlib import Path

import pytest

import plyforge
from plyforge.core.errors import GameFileError
from plyforge.evaluate import with_evaluation
from plyforge.game.loading import import_file
from plyforge.jobs.user_files import UserFile, read_user_file, use_files

GAME = """
from typing import NamedTuple

import limits

MAX_MOVES = 4


class Position(NamedTuple):
    count: int


def initial():
    return Position(0)


def moves(position):
    for step in range(1, limits.STEPS + 1):
        if position.count + step <= limits.GOAL:
            yield step


def play(position, move):
    return Position(position.count + move)
"""


@pytest.fixture
def carry(tmp_path, monkeypatch):
    """Write files to a user's folder, take the first one's content, and remove the folder."""
    folders = iter("abc")

    def carry(files: dict[str, str]) -> UserFile:
        folder = tmp_path / next(folders)
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        monkeypatch.chdir(folder)
        file = read_user_file(next(iter(files)))
        monkeypatch.chdir(tmp_path)
        shutil.rmtree(folder)
        return file

    return carry


def test_a_game_is_compiled_from_its_content(carry, tmp_path, monkeypatch):
    """Compiling a generator needs its source text, not only its code."""
    monkeypatch.setenv("PLYFORGE_CACHE", str(tmp_path / "empty cache"))
    file = carry({"nim.py": GAME, "limits.py": "STEPS = 3\nGOAL = 9\n"})
    with use_files([file]):
        compiled = plyforge.load("nim.py")
        uncompiled = plyforge.load("nim.py", backend="python")
        assert (compiled.backend, compiled.name) == ("compiled", "nim")
        assert compiled.rules.file == file.path
        nodes = compiled.perft(compiled.initial(), 5)
        assert nodes == uncompiled.perft(uncompiled.initial(), 5) > 0


def test_an_evaluation_is_read_from_its_content(carry):
    file = carry(
        {"sum.py": "from weights import W\ndef evaluate(p): return W\n", "weights.py": "W=7.0"}
    )
    with use_files([file]):
        game = with_evaluation(plyforge.load("tictactoe", backend="python"), "sum.py")
        assert game.evaluation(game.initial()) == 7.0


def test_an_error_names_the_users_file_and_line(carry):
    file = carry(
        {
            "nim.py": GAME.replace("position.count + move", "move // 0"),
            "limits.py": "GOAL = STEPS = 3",
        }
    )
    with use_files([file]):
        game = plyforge.load("nim.py", backend="python")
        with pytest.raises(GameFileError, match=rf"{file.path}, line 24: .*ZeroDivisionError"):
            game.play(game.initial(), 1)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x = 1\nnot Python at all", r"^mine\.py, line 2: not valid Python"),
        ("x = 1\nx / 0", r"mine\.py, line 2: ZeroDivisionError"),
        ("import gone", "No module named 'gone'"),
        ("import bad", r"bad\.py, line 1"),
    ],
)
def test_a_file_that_cannot_be_imported_is_named(carry, text, message):
    file = carry({"mine.py": text, "bad.py": "1 // 0"})
    with use_files([file]), pytest.raises(GameFileError, match=message):
        import_file(Path("mine.py"), "")


def test_modules_are_imported_from_packages_and_from_folders_without_init(carry):
    file = carry(
        {
            "mine.py": "import plain.deep.leaf\nfrom tools import seven\nimport tools.more\n"
            "FOUND = plain.deep.leaf.SIX, seven(), tools.more.EIGHT\n",
            "plain/deep/leaf.py": "SIX = 6",
            "tools/__init__.py": "from .number import seven",
            "tools/number.py": "def seven(): return 7",
            "tools/more.py": "from tools.number import seven\nEIGHT = seven() + 1",
        }
    )
    with use_files([file]):
        assert import_file(Path("mine.py"), "").FOUND == (6, 7, 8)


def test_modules_of_the_same_name_do_not_mix_and_are_forgotten(carry):
    files = [
        carry({f"{n}.py": "import helper\nvalue = helper.value", "helper.py": f"value = {n!r}"})
        for n in "ab"
    ]
    before, finders = set(sys.modules), list(sys.meta_path)
    for name in "aba":
        with use_files(files[:1] if name == "a" else files[1:]):
            module = import_file(Path(f"{name}.py"), "")
            assert module.value == name
    with use_files(files):
        assert [import_file(Path(f"{name}.py"), "").value for name in "ba"] == ["b", "a"]
    assert {
        name for name in set(sys.modules) - before if not name.startswith("plyforge_user")
    } == set()
    assert sys.meta_path == finders


def test_a_module_that_is_not_carried_is_imported_from_the_folder_if_it_is_there(
    tmp_path, monkeypatch
):
    """An import that calls `importlib` is not seen; on the user's machine it works all the same."""
    monkeypatch.chdir(tmp_path)
    text = "import importlib\nX = importlib.import_module('hid' + 'den').X\n"
    Path("mine.py").write_text(text, encoding="utf-8")
    Path("hidden.py").write_text("X = 5", encoding="utf-8")
    file = read_user_file("mine.py")
    assert file.modules == ()
    with use_files([file]):
        assert import_file(Path("mine.py"), "").X == 5
