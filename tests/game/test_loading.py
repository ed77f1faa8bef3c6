"""Games loaded from paths, modules and the cells of a notebook."""

import importlib.util
import linecache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import plyforge
from plyforge import PlyforgeError
from plyforge.compilation.notices import SilentNotices

SOURCE = """from typing import NamedTuple

MAX_MOVES = 3


class Position(NamedTuple):
    heap: int
    last: int


def initial():
    return Position(7, 0)


def moves(position):
    for count in (1, 2, 3):
        if count <= position.heap:
            yield count


def play(position, move):
    return Position(position.heap - move, move)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "heap.py"
    path.write_text(SOURCE, encoding="utf-8")
    return path


def test_a_path_is_the_same_as_its_text(file: Path) -> None:
    game = plyforge.load(file)
    assert game.name == "heap"
    assert game.initial() == plyforge.load(str(file)).initial()


def test_a_path_without_suffix_is_a_file_not_a_built_in_game() -> None:
    with pytest.raises(PlyforgeError, match=r"no file .*tictactoe"):
        plyforge.load(Path("tictactoe"))


def imported(file: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("my_heap", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_imported_module_is_a_game(file: Path) -> None:
    game = plyforge.load(imported(file), notices=SilentNotices())
    assert game.name == "my_heap"
    assert game.perft(game.initial(), 3) == plyforge.load(file, "python").perft(game.initial(), 3)


def run_cell(source: str, number: int, names: dict[str, Any]) -> None:
    """Run a cell as a notebook does, which keeps its source for tracebacks."""
    file = f"<cell {number}>"
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), names)


def test_the_cells_of_a_notebook_are_a_game(file: Path) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    first, middle, rest = SOURCE.partition("def moves")
    run_cell(first, 1, names)
    run_cell(middle + rest, 2, names)
    game = plyforge.load(names, notices=SilentNotices())
    assert game.backend == "compiled"
    assert game.perft(game.initial(), 4) == plyforge.load(file, "python").perft(game.initial(), 4)
    # A cell that is run again, with other rules, is another game.
    run_cell((middle + rest).replace("(1, 2, 3)", "(1, 2)"), 2, names)
    changed = plyforge.load(names, notices=SilentNotices())
    assert changed.perft(changed.initial(), 1) == 2
    assert game.perft(game.initial(), 1) == 3


def test_a_missing_function_in_a_notebook_is_an_error() -> None:
    with pytest.raises(PlyforgeError, match="notebook: no function 'initial"):
        plyforge.load({"moves": lambda position: iter(())})


@pytest.mark.parametrize("wrong", [3, None, ["tictactoe"], b"tictactoe"])
def test_anything_else_is_an_error(wrong: Any) -> None:
    with pytest.raises(PlyforgeError, match="a game is a name, a path, a module or a dict"):
        plyforge.load(wrong)
