"""Finding the modules that a file imports from its folder."""

import ast
from pathlib import Path

import pytest

from plyforge.jobs.imports import find_siblings, imported_modules


def write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def siblings(folder: Path, source: str) -> set[str]:
    return set(find_siblings(folder / "main.py", source.encode()))


@pytest.mark.parametrize(
    ("source", "package", "modules"),
    [
        ("import a, b.c as d", "", ["a", "b.c"]),
        ("from a import b", "", ["a", "a.b"]),
        ("from . import b", "p.q", ["p.q", "p.q.b"]),
        ("from .a import b", "p.q", ["p.q.a", "p.q.a.b"]),
        ("from ..a import b", "p.q", ["p.a", "p.a.b"]),
        ("from .. import b", "p", ["b"]),
        ("from .a import b", "", ["a", "a.b"]),
        ("def f():\n    if x:\n        import a", "", ["a"]),
    ],
)
def test_imports_are_found_by_their_full_names(source, package, modules):
    assert list(imported_modules(ast.parse(source), package)) == modules


def test_only_modules_of_the_folder_are_found_and_those_that_they_import(tmp_path):
    write(tmp_path, {"a.py": "import b", "b.py": "import a, c", "c.py": "", "unused.py": ""})
    assert siblings(tmp_path, "import a, math, missing, numpy") == {"a", "b", "c"}


def test_packages_come_with_what_is_imported_from_them(tmp_path):
    files = {
        "p/__init__.py": "from .one import X",
        "p/one.py": "from . import two",
        "p/two.py": "from ..other import Y",
        "p/unused.py": "",
        "q/deep/leaf.py": "",
        "both.py": "",
        "both/__init__.py": "",
    }
    write(tmp_path, files)
    assert siblings(tmp_path, "import p") == {"p", "p.one", "p.two"}
    assert siblings(tmp_path, "import q.deep.leaf") == {"q.deep.leaf"}
    found = find_siblings(tmp_path / "main.py", b"import both")
    assert found["both"][0] == tmp_path / "both" / "__init__.py"


def test_a_file_is_not_its_own_sibling(tmp_path):
    write(tmp_path, {"main.py": "import a", "a.py": "import main"})
    assert siblings(tmp_path, "import a") == {"a"}


@pytest.mark.parametrize("source", ["import a\nnot Python at all", "import a\0", "(" * 1000])
def test_a_file_that_cannot_be_parsed_has_no_siblings(tmp_path, source):
    write(tmp_path, {"a.py": ""})
    assert siblings(tmp_path, source) == set()


def test_a_sibling_that_cannot_be_parsed_is_found(tmp_path):
    write(tmp_path, {"a.py": "not Python at all"})
    assert siblings(tmp_path, "import a") == {"a"}


@pytest.mark.parametrize("folder", ["site-packages", "dist-packages"])
def test_installed_packages_are_not_siblings(tmp_path, folder):
    write(tmp_path / folder, {"a.py": ""})
    assert siblings(tmp_path / folder, "import a") == set()


def test_modules_that_we_use_ourselves_are_not_siblings(tmp_path):
    write(tmp_path, {"numpy.py": "", "plyforge/__init__.py": ""})
    assert siblings(tmp_path, "import numpy, plyforge.rules") == set()
