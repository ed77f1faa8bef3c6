"""The starter game that `plyforge new` writes."""

import subprocess
import sys
from pathlib import Path

import pytest

import plyforge
from plyforge.core.errors import PlyforgeError
from plyforge.game.starter import template, write_starter


def test_the_starter_is_a_complete_game(tmp_path: Path) -> None:
    path = write_starter(tmp_path / "mygame.py")
    assert path.read_text(encoding="utf-8") == template()
    game = plyforge.load(str(path))
    assert game.title == "Hexapawn"
    assert game.text(game.initial()) == "bbb/.../www w"
    assert [game.perft(game.initial(), d, backend="python") for d in range(1, 5)] == [3, 10, 28, 56]


def test_an_existing_file_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "mygame.py"
    path.write_text("mine", encoding="utf-8")
    with pytest.raises(PlyforgeError, match=r"mygame\.py' exists already"):
        write_starter(path)
    assert path.read_text(encoding="utf-8") == "mine"


def test_a_missing_folder_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PlyforgeError, match=r"there is no folder '.*nowhere'"):
        write_starter(tmp_path / "nowhere" / "mygame.py")


@pytest.mark.parametrize(
    ("name", "remedy"), [("mygame", "mygame.py"), ("my.game", "my.game.py"), ("x.", "x.py")]
)
def test_a_name_must_end_in_py(tmp_path: Path, name: str, remedy: str) -> None:
    with pytest.raises(PlyforgeError, match=r"does not end in \.py") as caught:
        write_starter(tmp_path / name)
    assert f"give '{tmp_path / remedy}'" in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_the_starter_names_the_next_commands() -> None:
    assert all(f"plyforge {command} FILE" in template() for command in ("check", "analyse"))


@pytest.mark.skipif(sys.platform == "win32", reason="needs a limit on the size of files")
def test_a_full_disk_leaves_no_half_of_a_file(tmp_path: Path) -> None:
    """A limit on the size of files stands for a full disk: both fail in the middle."""
    code = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "sys.dont_write_bytecode = True  # or other programs find half of a module\n"
        "from plyforge.interfaces.cli import main\n"
        "sys.argv = ['plyforge', 'new', 'mine.py']; main()"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True
    )
    assert (result.returncode, list(tmp_path.iterdir())) == (2, [])
    assert result.stderr == "plyforge: 'mine.py' cannot be written: File too large\n"
