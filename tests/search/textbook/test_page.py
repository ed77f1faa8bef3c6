"""The textbook page shows what the code does."""

import doctest
from pathlib import Path

from plyforge.search import textbook

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "search" / "textbook.md"


def test_the_page_shows_what_python_prints() -> None:
    failures, tests = doctest.testfile(str(PAGE), module_relative=False, encoding="utf-8")
    assert tests > 8
    assert failures == 0


def test_the_page_names_every_algorithm() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for name in textbook.__all__:
        if name not in ("MAX", "MIN", "Node", "Visit"):
            assert f"`{name}" in text or f"import {name}" in text or f"{name}," in text, name
